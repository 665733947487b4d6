/**
 * `tools/call`: one tool, run for this caller (2026-07-28, tools).
 */
import type { Awaitable } from '../../awaitable.js';
import type { McpMessageContext } from '../context.js';
import { McpProtocolError } from '../errors.js';
import { checkParameterHeaders } from '../headers.js';
import { abortedAnswer, inAskingRun, whenFound } from '../in-run.js';
import type { InputRequiredResult } from '../inputs/input-required.js';
import { isObject } from '../messages.js';
import type { McpCall } from '../read.js';
import type { McpAbortCause } from '../../runs/open-run.js';
import { callMcpTool, type McpCallOutcome } from '../../tools/call.js';
import type { CallToolResult } from '../../tools/result.js';
import { insufficientScopeMessage } from '../../tools/scopes.js';
import { mcpText } from '../../tools/text.js';

/** The result, or what the tool asks; `undefined` when the client cancelled or left, and nothing may be sent. */
export function toolsCall(
  call: McpCall,
  context: McpMessageContext,
): Awaitable<CallToolResult | InputRequiredResult | undefined> {
  const { name, args } = readCallParams(call.params);
  return whenFound(call, context, context.catalogue.find(name, args), (entry) => {
    // Unknown and withheld are one answer (T12). 200: the request was sound, what it names does not exist.
    if (entry === undefined) throw McpProtocolError.invalidParams(`Unknown tool: ${name}`, 200);
    checkParameterHeaders(call, context.headers, entry.headerParameters, args);
    return inAskingRun(
      call,
      context,
      `tool ${name}`,
      (run) => callMcpTool(entry, args, context, run),
      (end) => (typeof end === 'string' ? abortedResult(name, end) : outcomeResult(name, end, context)),
    );
  });
}

function readCallParams(params: Readonly<Record<string, unknown>>): { name: string; args: Record<string, unknown> } {
  const { name, arguments: args } = params;
  if (typeof name !== 'string' || name === '') {
    throw McpProtocolError.invalidParams('"name" of "tools/call" must be a string that names a tool.');
  }
  // Clients that have nothing to say send none, {} or null.
  if (args === undefined || args === null) return { name, args: {} };
  if (!isObject(args)) throw McpProtocolError.invalidParams('"arguments" of "tools/call" must be an object.');
  return { name, args };
}

function outcomeResult(name: string, outcome: McpCallOutcome, context: McpMessageContext): CallToolResult {
  switch (outcome.kind) {
    case 'result':
      if (outcome.alarm !== undefined) context.report({ where: `tool ${name}`, error: outcome.alarm, fatal: true });
      return outcome.result;
    case 'insufficient_scope':
      if (context.challenges === true) {
        throw McpProtocolError.insufficientScope(insufficientScopeMessage(name, outcome.scopes), outcome.scopes);
      }
      return mcpText(insufficientScopeMessage(name, outcome.scopes), true);
    case 'fault': {
      const id = context.report({ where: `tool ${name}`, error: outcome.error });
      throw McpProtocolError.internal(`Tool ${name} failed. The server's log has the cause under ${id}.`);
    }
  }
}

function abortedResult(name: string, cause: McpAbortCause): CallToolResult | undefined {
  if (cause !== 'deadline') return abortedAnswer(`Tool ${name}`, cause, 'Call it');
  return mcpText(`Tool ${name} was stopped: it ran longer than this server allows. Ask for less at a time.`, true);
}
