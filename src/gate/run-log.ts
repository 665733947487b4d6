/**
 * A run's log on its way to the client that asked for it: as JSON can carry it, and no longer than any text for a client.
 */
import type { RequestId } from '../protocol/messages.js';
import type { McpClock } from '../runs/clock.js';
import { createLogReporter, NO_LOG, type McpLogLevel, type McpLogReporter } from '../runs/log.js';
import { jsonText } from '../tools/json-text.js';
import { summarise } from '../tools/summary.js';
import { MCP_TEXT_MAX_CHARS } from '../tools/text.js';
import type { McpWayToClient } from './way-to-client.js';

/** @param from what the client has asked to hear; nothing: it gets nothing */
export function logFor(
  way: McpWayToClient,
  about: RequestId,
  from: McpLogLevel | undefined,
  clock: McpClock,
): McpLogReporter {
  if (from === undefined || !way.takesMore) return NO_LOG;
  return createLogReporter({
    from,
    clock,
    send: ({ data, ...params }) => {
      way.notify(
        { jsonrpc: '2.0', method: 'notifications/message', params: { ...params, data: carried(data) } },
        about,
      );
    },
  });
}

/** The data as it is now, whatever becomes of it: what JSON has no word for in the nearest one, what is too long summed up. */
function carried(data: unknown): unknown {
  const text = jsonText(data);
  if (text === undefined) return null;
  return JSON.parse(text.length > MCP_TEXT_MAX_CHARS ? summarise(data, text) : text) as unknown;
}
