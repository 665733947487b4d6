/**
 * Which notifications a newer one makes pointless: a client that reads slowly gets only the newest of them.
 */
import type { JsonRpcNotification } from './messages.js';

/** The name that a notification shares with those that it takes the place of; `undefined` for one that counts by itself. */
export function supersededUnder({ method, params }: JsonRpcNotification): string | undefined {
  if (method !== 'notifications/progress') return undefined;
  const token = params?.['progressToken'];
  return `${typeof token} ${String(token)}`; // 1 and "1" are two tokens
}
