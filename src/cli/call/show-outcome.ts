/**
 * What a call gave: the text of the result on standard output, everything else for people.
 */
import { isObject } from '../../protocol/messages.js';
import { jsonText, printable, quoted } from '../paint.js';
import type { McpCommandSurroundings } from '../surroundings.js';
import type { CallOutcome, CallResult } from './outcome.js';

/** Writes an outcome. `false` when it is not a good one. */
export function showOutcome(outcome: CallOutcome, asJson: boolean, surroundings: McpCommandSurroundings): boolean {
  const { out, err } = surroundings;
  if ('error' in outcome) {
    const { error, because } = outcome;
    if (asJson) out(jsonText({ error }));
    err(`${error.code}: ${quoted(error.message, 2_000)}\n${because === undefined ? '' : `${printable(because)}\n`}`);
    return false;
  }
  const { result } = outcome;
  if (asJson) out(jsonText(result));
  else showContent(result, surroundings);
  if (result['isError'] !== true) return true;
  err('The tool says that it failed (isError).\n');
  return false;
}

function showContent(result: CallResult, { out, err, terminal }: McpCommandSurroundings): void {
  const content: readonly unknown[] = Array.isArray(result['content']) ? result['content'] : [];
  const blocks = content.filter(isObject);
  const texts = blocks.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []));
  if (texts.length === 0 && result['structuredContent'] !== undefined) {
    texts.push(JSON.stringify(result['structuredContent']));
  }
  for (const text of texts) {
    const shown = terminal.out ? printable(text) : text;
    out(shown.endsWith('\n') ? shown : `${shown}\n`);
  }
  for (const { type, mimeType, uri } of blocks.filter((block) => block['type'] !== 'text')) {
    const what = [type, mimeType, uri].filter((each) => typeof each === 'string').join(', ');
    err(`Not shown: ${quoted(what) || 'a block of no type'}. --json has it.\n`);
  }
  if (blocks.length === 0 && texts.length === 0) err('The result is empty.\n');
}
