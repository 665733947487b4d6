/**
 * What a client asks to be told of, and what it is promised: the filter of `subscriptions/listen` (2026-07-28, subscriptions).
 */
import { MCP_LISTS, type McpListKind } from '../events/event.js';
import { McpProtocolError } from './errors.js';
import { isObject } from './messages.js';
import { followedUri, MOST_URIS } from './news.js';
import type { McpCall } from './read.js';

/** What a client asks for, and what it is promised, in the words of the specification. */
export interface McpSubscriptionFilter {
  readonly toolsListChanged?: true;
  readonly promptsListChanged?: true;
  readonly resourcesListChanged?: true;
  readonly resourceSubscriptions?: readonly string[];
}

/** The flag of each list. */
export const LIST_FLAGS = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
} as const satisfies Record<McpListKind, keyof McpSubscriptionFilter>;

/** The most characters of a request, with whatever stands in it: it is kept as long as the subscription is open. */
const LONGEST = 65_536;

/** @throws McpProtocolError `-32602` for what is no filter. */
export function readSubscriptionFilter(params: Readonly<Record<string, unknown>>): McpSubscriptionFilter {
  const { notifications } = params;
  if (!isObject(notifications)) throw refused('"notifications" must be an object that says what to tell of.');
  const flags = MCP_LISTS.map((kind) => LIST_FLAGS[kind]);
  for (const flag of flags) {
    const value = notifications[flag] ?? false;
    if (typeof value !== 'boolean') throw refused(`"${flag}" must be true or false.`);
  }
  const wanted: McpSubscriptionFilter = Object.fromEntries(
    flags.filter((flag) => notifications[flag] === true).map((flag) => [flag, true]),
  );
  const uris = notifications['resourceSubscriptions'];
  if (uris === undefined) return wanted;
  if (!Array.isArray(uris)) throw refused('"resourceSubscriptions" must be an array of URIs.');
  if (uris.length > MOST_URIS) throw refused(`"resourceSubscriptions" may hold ${MOST_URIS} URIs.`);
  const each = uris.map((uri: unknown) => followedUri(uri, 'Each of "resourceSubscriptions"'));
  return { ...wanted, resourceSubscriptions: [...new Set(each)] };
}

/** @throws McpProtocolError `-32602` for a request that is too long to be kept. */
export function checkRequestLength(message: McpCall['message']): void {
  let text: string;
  try {
    text = JSON.stringify(message);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw refused('they are nested too deeply.');
  }
  if (text.length > LONGEST) throw refused(`the request is longer than ${LONGEST} characters.`);
}

function refused(why: string): McpProtocolError {
  return McpProtocolError.invalidParams(`Invalid parameters of "subscriptions/listen": ${why}`);
}
