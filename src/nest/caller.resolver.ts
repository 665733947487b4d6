/**
 * Who asks a gate, as the application's tests may say. A gate that authenticates nobody knows nobody.
 */
import type { McpCaller } from '../caller.js';

/**
 * Establishes the caller of an HTTP request; `undefined` leaves it to the gate.
 *
 * @internal
 */
export type McpCallerResolver = (request: unknown) => McpCaller | undefined | Promise<McpCaller | undefined>;

/**
 * Token of the McpCallerResolver, for `overrideProvider` in tests.
 *
 * @internal
 */
export const MCP_CALLER = Symbol('MCP_CALLER');

/** Knows nobody. */
export const nobody: McpCallerResolver = () => undefined;
