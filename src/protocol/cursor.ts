/**
 * Where a list goes on, as its client carries it: sealed, so that nobody can make one or read it. It names the entries that
 * were given last: a list that has changed in between goes on behind the latest of them that is still there, and so neither
 * repeats nor leaves out what stayed (2026-07-28, pagination).
 */
import type { McpMessageContext } from './context.js';
import { McpProtocolError } from './errors.js';
import type { McpCall } from './read.js';

/** What a list holds: in one order, under different names. */
export interface Named {
  readonly name: string;
}

const PURPOSE = 'cursor';
/** Entries that a cursor names at most, and their length together. The latest fits in any case. */
const MOST_NAMED = 16;
const MOST_CHARACTERS = 512;
/** A longer name (a URI) is told from others by its ends and its length. */
const LONGEST_NAME = 256;
/** Longer than any cursor. */
const LONGEST_CURSOR = 4_096;

/** The cursor of what follows the first `position` entries. */
export function sealCursor(
  call: McpCall,
  { seal }: Pick<McpMessageContext, 'seal'>,
  entries: readonly Named[],
  position: number,
): Promise<string> {
  const names: string[] = [];
  let left = MOST_CHARACTERS;
  for (let at = position - 1; at >= 0 && names.length < MOST_NAMED; at -= 1) {
    const name = shortName(entries[at]!);
    left -= name.length;
    if (left < 0) break;
    names.push(name);
  }
  return seal.seal(PURPOSE, [call.method, position, names]);
}

/**
 * The position at which the list of a request goes on.
 *
 * @throws McpProtocolError `-32602` for a cursor that this gate has not given for this list, and for one that names nothing
 * of what is there now.
 */
export async function openCursor(
  call: McpCall,
  { seal }: Pick<McpMessageContext, 'seal'>,
  entries: readonly Named[],
): Promise<number> {
  const { cursor } = call.params;
  const isText = typeof cursor === 'string' && cursor.length <= LONGEST_CURSOR;
  const content = isText ? await seal.open(PURPOSE, cursor) : undefined;
  if (!isContent(content) || content[0] !== call.method) {
    throw invalidCursor('this server has not given it for this list. List from the first page.');
  }
  const [, position, names] = content;
  const latest = entries[position - 1];
  if (latest !== undefined && shortName(latest) === names[0]) return position;
  const places = new Map(entries.map((entry, at) => [shortName(entry), at]));
  const left = names.find((name) => places.has(name));
  if (left !== undefined) return places.get(left)! + 1;
  if (position === names.length) return 0; // it names all that was given, and nothing of it is there any more
  throw invalidCursor('the list has changed too much since. List from the first page.');
}

export function invalidCursor(reason: string): McpProtocolError {
  return McpProtocolError.invalidParams(`Invalid cursor: ${reason}`);
}

type Content = readonly [method: string, position: number, names: readonly string[]];

/** Sealed by us, but perhaps by another version of us. */
function isContent(content: unknown): content is Content {
  if (!Array.isArray(content) || content.length !== 3) return false;
  const [method, position, names] = content as unknown[];
  const isPlace = typeof method === 'string' && Number.isSafeInteger(position);
  return isPlace && Array.isArray(names) && names.every((name) => typeof name === 'string');
}

function shortName({ name }: Named): string {
  if (name.length <= LONGEST_NAME) return name;
  return `${name.slice(0, LONGEST_NAME / 2)}…${name.length}…${name.slice(-LONGEST_NAME / 2)}`;
}
