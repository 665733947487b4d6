/**
 * What can be said of a value that is too long to send: enough for an agent to decide what to ask instead, and never the
 * beginning of a dump that looks like the whole.
 */
import { jsonText } from './json-text.js';
import { cut } from './schemas/paths.js';

const FIRST_ITEMS = 3;
const MAX_KEYS = 40;
const MAX_ITEM_CHARS = 600;
const MAX_TEXT_CHARS = 800;
const MAX_SUMMARY_CHARS = 16_000;

/**
 * The summary, as JSON text of a few thousand characters, and never more than 16,000.
 *
 * @param text the value in full, as it would have been sent
 */
export function summarise(value: unknown, text: string): string {
  const data = typeof value === 'string' ? value : readBack(text);
  const heading = `This is a SUMMARY: the full result has ${text.length} characters, too many to send. ${advice(data)}`;
  const outlined = outline(data);
  const whole = JSON.stringify({ summary: heading, ...outlined });
  if (whole.length <= MAX_SUMMARY_CHARS) return whole;
  // What JSON has to escape is six times as long as it looks: the counts alone are left.
  const { kind, count, keyCount, characters, lines } = outlined;
  return JSON.stringify({ summary: heading, kind, count, keyCount, characters, lines });
}

/** The value as JSON says it: a Map has become an object, a Date a string. */
function readBack(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function advice(data: unknown): string {
  if (Array.isArray(data)) return 'Narrow the question: filter, ask for a page, or ask for one item by its key.';
  if (typeof data === 'string') return 'Narrow the question: ask for a part, a range of lines, or a search in it.';
  return 'Narrow the question: ask for the keys that you need, or filter the longest of them.';
}

function outline(data: unknown): Record<string, unknown> {
  if (typeof data === 'string') {
    return { kind: 'text', characters: data.length, lines: countLines(data), beginning: cut(data, MAX_TEXT_CHARS) };
  }
  if (Array.isArray(data)) {
    const keys = commonKeys(data);
    return {
      kind: 'array',
      count: data.length,
      ...(keys.length > 0 && { keysOfItems: keys }),
      firstItems: data.slice(0, FIRST_ITEMS).map((item) => short(item)),
    };
  }
  const entries = Object.entries(data as Record<string, unknown>);
  return {
    kind: 'object',
    keyCount: entries.length,
    keys: Object.fromEntries(entries.slice(0, MAX_KEYS).map(([key, item]) => [cut(key, 100), short(item, 200)])),
    ...(entries.length > MAX_KEYS && { moreKeys: entries.length - MAX_KEYS }),
  };
}

/** The value itself while it is short, else what it is. */
function short(value: unknown, limit = MAX_ITEM_CHARS): unknown {
  if ((jsonText(value) ?? '').length <= limit) return value;
  if (typeof value === 'string') return `text of ${value.length} characters, beginning: ${cut(value, limit / 4)}`;
  if (Array.isArray(value)) return `array of ${value.length}${describeKeys(commonKeys(value))}`;
  return `object${describeKeys(Object.keys(value as object))}`;
}

function describeKeys(keys: readonly string[]): string {
  if (keys.length === 0) return '';
  const more = keys.length > 12 ? `, and ${keys.length - 12} more` : '';
  return ` with keys ${keys
    .slice(0, 12)
    .map((key) => cut(key, 40))
    .join(', ')}${more}`;
}

function commonKeys(items: readonly unknown[]): string[] {
  const first = items[0];
  if (typeof first !== 'object' || first === null || Array.isArray(first)) return [];
  return Object.keys(first)
    .slice(0, MAX_KEYS)
    .map((key) => cut(key, 100));
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
