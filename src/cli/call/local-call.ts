/**
 * A call in this process, through the in-memory client that tests use: the gate's own catalogue, protocol and runs.
 */
import type { INestApplicationContext } from '@nestjs/common';
import type { McpCaller } from '../../caller.js';
import { MCP_ERROR } from '../../protocol/errors.js';
import { mcpTestClient } from '../../testing/client.js';
import { turnedAwayBecause, type GateUnderTest } from '../../testing/gate-under-test.js';
import { testCaller } from '../../testing/test-caller.js';
import { McpTestError } from '../../testing/test-error.js';
import type { CallOutcome, CallRequest, CallResult } from './outcome.js';

/** Calls a tool of the application. Rejects with the signal's reason when the call is cancelled. */
export async function callInProcess(
  app: INestApplicationContext,
  { settings }: GateUnderTest,
  caller: Partial<McpCaller>,
  { tool, args, onProgress, signal }: CallRequest,
): Promise<CallOutcome> {
  const away = turnedAwayBecause(settings, testCaller(settings, caller));
  if (away !== undefined) {
    throw new Error(`${settings.name}: ${away}. Say who calls, with --token-env or --as.`);
  }
  try {
    const client = mcpTestClient(app, { gate: settings.name, caller });
    const { result } = await client.call(tool, args, { onProgress, signal });
    return { result: result as unknown as CallResult };
  } catch (error) {
    if (!(error instanceof McpTestError)) throw error;
    const { code, message, data, cause } = error;
    // Of a fault the log has the cause, with its stack.
    const because = code === MCP_ERROR.invalidParams && cause instanceof Error ? cause.message : undefined;
    return {
      error: { code, message, ...(data !== undefined && { data }) },
      ...(because !== undefined && { because }),
    };
  }
}
