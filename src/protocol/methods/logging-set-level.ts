/**
 * `logging/setLevel`: from which severity on the client wants to hear what tools log (2025-11-25, logging). 2026-07-28 says it
 * with each request instead.
 */
import { isMcpLogLevel, MCP_LOG_LEVELS } from '../../runs/log.js';
import type { McpMessageContext } from '../context.js';
import { McpProtocolError } from '../errors.js';
import type { McpCall } from '../read.js';

export function loggingSetLevel(call: McpCall, context: McpMessageContext): Record<string, unknown> {
  const { level } = call.params;
  if (!isMcpLogLevel(level)) {
    throw McpProtocolError.invalidParams(`"level" of "logging/setLevel" is one of ${MCP_LOG_LEVELS.join(', ')}.`);
  }
  context.setLogLevel?.(level);
  return {};
}
