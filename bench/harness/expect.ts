/**
 * What an answer must be before a server is measured.
 */
import type { Exchange, Message } from './exchange.js';

/** A JSON answer (or a stream that ends in one) with this text as its result. */
export function expectText(text: string): (answer: Exchange) => void {
  return (answer) => {
    const [block] = (resultOf(answer)['content'] ?? []) as { text?: string }[];
    if (block?.text !== text) throw new Error(`expected the text "${text}", got ${answer.body.slice(0, 300)}`);
  };
}

/** A list of exactly these tools, in any order. */
export function expectTools(names: readonly string[]): (answer: Exchange) => void {
  const expected = names.toSorted().join();
  return (answer) => {
    const tools = (resultOf(answer)['tools'] ?? []) as { name: string; inputSchema?: object }[];
    const found = tools.map(({ name }) => name).toSorted();
    if (found.join() !== expected) throw new Error(`expected ${names.length} tools, got ${found.length}`);
    if (tools.some(({ inputSchema }) => inputSchema === undefined)) throw new Error('a tool has no input schema');
  };
}

/** How many progress notifications an answer carries. */
export function progressIn(answer: Exchange): number {
  return answer.messages.filter(({ method }) => method === 'notifications/progress').length;
}

function resultOf(answer: Exchange): NonNullable<Message['result']> {
  const result = answer.messages.at(-1)?.result;
  if (answer.status !== 200 || result === undefined) {
    throw new Error(`answered ${answer.status}: ${answer.body.slice(0, 300)}`);
  }
  return result;
}
