/**
 * Our wire types held against the official ones, by the compiler (`npm run typecheck`): what we may send is what a client
 * expects, and what we read is what a client may send. At run time there is nothing left to do but to say so.
 */
import type {
  CallToolResult as OfficialCallToolResult,
  ContentBlock,
  Icon,
  JSONRPCErrorResponse,
  JSONRPCNotification,
  JSONRPCResultResponse,
  LoggingMessageNotificationParams,
  ProgressNotificationParams,
  RequestId as OfficialRequestId,
  Tool,
  ToolAnnotations,
} from '@modelcontextprotocol/client';
import type { JsonRpcError, JsonRpcNotification, JsonRpcResult, RequestId } from '../../src/protocol/messages.js';
import type { McpLogParams } from '../../src/runs/log.js';
import type { McpProgressParams } from '../../src/runs/progress.js';
import type { McpPublishedTool } from '../../src/tools/publish.js';
import type { CallToolResult, McpContentBlock } from '../../src/tools/result.js';
import type { McpAnnotations, McpIcon } from '../../src/tools/tool.js';

/** Ours may be `readonly` where the official ones are not: that says who may write, not what is on the wire. */
type Writable<T> = T extends (infer Item)[] | readonly (infer Item)[]
  ? Writable<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Writable<T[Key]> }
    : T;

type Sent<Ours, Official> =
  Writable<Ours> extends Official ? true : { ours: Writable<Ours>; is: 'not'; official: Official };
type Read<Official, Ours> =
  Writable<Official> extends Writable<Ours> ? true : { official: Official; is: 'not'; ours: Ours };

const AGREED: [
  Sent<RequestId, OfficialRequestId>,
  Read<OfficialRequestId, RequestId>,
  Sent<JsonRpcNotification, JSONRPCNotification>,
  Sent<JsonRpcResult, JSONRPCResultResponse>,
  // JSON-RPC 2.0 has `null` for an id that could not be read; the official type never adopted it.
  Sent<Omit<JsonRpcError, 'id'> & { id?: RequestId }, JSONRPCErrorResponse>,
  Sent<McpProgressParams, ProgressNotificationParams>,
  Sent<McpLogParams, LoggingMessageNotificationParams>,
  Sent<McpAnnotations, ToolAnnotations>,
  Sent<McpIcon, Icon>,
  Sent<McpContentBlock, ContentBlock>,
  Sent<CallToolResult, OfficialCallToolResult>,
  // JSON Schema is `unknown` by keyword here: that the root says `type: "object"` is checked when a tool is declared.
  Sent<Omit<McpPublishedTool, 'inputSchema' | 'outputSchema'>, Omit<Tool, 'inputSchema' | 'outputSchema'>>,
] = [true, true, true, true, true, true, true, true, true, true, true, true];

describe('our wire types', () => {
  it('are the official ones, as far as the compiler can tell', () => {
    expect(AGREED.every(Boolean)).toBe(true);
  });
});
