/**
 * What may go to a client before the answer to its request, whatever carries it.
 */
import type { JsonRpcNotification, JsonRpcRequest, RequestId } from '../protocol/messages.js';

export interface McpWayToClient {
  /** Whether the client takes anything before its answer. */
  readonly takesMore: boolean;
  /** @param about the request that it belongs to, when it belongs to one */
  notify(message: JsonRpcNotification, about?: RequestId): void;
  /** Puts a request to the client. Its response comes as a message of its own. */
  ask(message: JsonRpcRequest, about: RequestId): void;
}
