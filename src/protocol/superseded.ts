/**
 * Which notifications a newer one makes pointless: a client that reads slowly gets only the newest of them.
 */
import { isObject, type JsonRpcNotification } from './messages.js';
import { META_KEY } from './read.js';

/** News: that something has changed says all that its repetition would. An acknowledgement is the only one of its kind. */
const NEWS: ReadonlySet<string> = new Set([
  'notifications/subscriptions/acknowledged',
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
]);

/** The name that a notification shares with those that it takes the place of; `undefined` for one that counts by itself. */
export function supersededUnder({ method, params }: JsonRpcNotification): string | undefined {
  if (method === 'notifications/progress') {
    const token = params?.['progressToken'];
    return `${typeof token} ${String(token)}`; // 1 and "1" are two tokens
  }
  if (!NEWS.has(method)) return undefined;
  const meta = params?.['_meta'];
  return `${method} ${JSON.stringify([isObject(meta) ? meta[META_KEY.subscriptionId] : undefined, params?.['uri']])}`;
}
