/**
 * An answer without what must not be shown, wherever in it that came back.
 */
import type { HttpAnswer } from './exchange.js';

/** The answer with its text and headers cleaned; its pieces stay as they came, for whoever looks at their times. */
export function cleaned(answer: HttpAnswer, clean: (text: string) => string): HttpAnswer {
  const headers = Object.entries(answer.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(clean) : value && clean(value),
  ]);
  return {
    ...answer,
    text: clean(answer.text),
    rawHeaders: answer.rawHeaders.map(clean),
    headers: Object.fromEntries(headers) as HttpAnswer['headers'],
  };
}
