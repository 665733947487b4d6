/**
 * Lists, whole or page by page. Whole unless the gate's settings say a size: some clients read only the first page
 * (2026-07-28, pagination).
 */
import type { Awaitable } from '../awaitable.js';
import type { McpMessageContext } from './context.js';
import { invalidCursor, openCursor, sealCursor, type Named } from './cursor.js';
import { whenFound } from './in-run.js';
import type { McpCall } from './read.js';

type Result = Record<string, unknown>;

/**
 * The result of a list request: of everything that its caller has, which is collected for each request anew, or of one page
 * of it.
 *
 * @param say what a client is told of some entries
 * @throws McpProtocolError `-32602` for a cursor that leads nowhere.
 */
export function inPages<E extends Named>(
  call: McpCall,
  context: Pick<McpMessageContext, 'server' | 'seal' | 'openRun'>,
  entries: Awaitable<readonly E[]>,
  say: (entries: readonly E[]) => Result,
): Awaitable<Result | undefined> {
  const { pageSize } = context.server;
  return whenFound<readonly E[], Result>(call, context, entries, (known) => {
    if (pageSize !== undefined) return onePage(call, context, known, say, pageSize);
    if (call.params['cursor'] === undefined) return say(known);
    throw invalidCursor('this server gives none, everything is on the first page.');
  });
}

async function onePage<E extends Named>(
  call: McpCall,
  context: Pick<McpMessageContext, 'seal'>,
  entries: readonly E[],
  say: (entries: readonly E[]) => Result,
  size: number,
): Promise<Result> {
  const start = call.params['cursor'] === undefined ? 0 : await openCursor(call, context, entries);
  const result = say(part(entries, start, size));
  const end = start + size;
  if (end >= entries.length) return result;
  return { ...result, nextCursor: await sealCursor(call, context, entries, end) };
}

const parts = new WeakMap<readonly unknown[], Map<string, readonly unknown[]>>();

/**
 * A part of a list: the same array for the same part of the same list, so that what hangs on it (its projection, its text) is
 * made once. Remembered by what is in it, like the list itself, never by who asks.
 */
function part<E>(entries: readonly E[], start: number, size: number): readonly E[] {
  let known = parts.get(entries);
  if (known === undefined) parts.set(entries, (known = new Map()));
  const key = `${start} ${size}`;
  let wanted = known.get(key) as readonly E[] | undefined;
  if (wanted === undefined) known.set(key, (wanted = entries.slice(start, start + size)));
  return wanted;
}
