/**
 * The error that a client of the gate would have received.
 */
import { MCP_ERROR } from '../protocol/errors.js';
import type { JsonRpcError } from '../protocol/messages.js';
import { everyTool, type GateUnderTest } from './gate-under-test.js';
import type { ExchangeOutcome } from './in-memory-exchange.js';

/** A call that a gate refused, or that failed. `cause` says why in words that no client is told. */
export class McpTestError extends Error {
  override readonly name = 'McpTestError';
  /** The code of JSON-RPC or of the specification: `-32602` for a tool that is unknown or withheld. */
  readonly code: number;
  readonly data?: unknown;
  /** On a protected gate that asks for more authorization: every scope that the call needs. */
  readonly scopes?: readonly string[];

  constructor(error: JsonRpcError['error'], more: { scopes?: readonly string[]; cause?: unknown } = {}) {
    super(error.message, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = error.code;
    if (error.data !== undefined) this.data = error.data;
    if (more.scopes !== undefined) this.scopes = more.scopes;
  }
}

/** The error of an exchange that has no result. What the server knows of it is the cause. */
export async function testErrorOf(
  { answer, faults, withheld }: ExchangeOutcome,
  { name, uri }: { readonly name?: unknown; readonly uri?: unknown },
  gate: GateUnderTest,
): Promise<McpTestError> {
  const { error } = answer.body as JsonRpcError;
  const { insufficientScopes } = answer;
  const asksForTool = typeof name === 'string' && error.code === MCP_ERROR.invalidParams;
  const cause = asksForTool
    ? await absenceOf(name, withheld, gate)
    : (faults[0]?.error ?? hiddenResource(uri, withheld));
  return new McpTestError(error, { cause, ...(insufficientScopes && { scopes: insufficientScopes }) });
}

/** Why the resource of a URI is withheld. A template goes by its own text, and one exchange asks for one of them. */
function hiddenResource(uri: unknown, withheld: ExchangeOutcome['withheld']): Error | undefined {
  const [entry] = withheld;
  if (typeof uri !== 'string' || entry === undefined) return undefined;
  const [name, reason] = entry;
  return new Error(`The resource "${name}" is withheld from this caller: ${reason}.`);
}

/** Why a tool is not there; `undefined` when it is. */
async function absenceOf(
  name: string,
  withheld: ExchangeOutcome['withheld'],
  gate: GateUnderTest,
): Promise<Error | undefined> {
  const reason = withheld.get(name);
  if (reason !== undefined) return new Error(`The tool "${name}" is withheld from this caller: ${reason}.`);
  const known = (await everyTool(gate)).map(({ tool }) => tool.name);
  if (known.includes(name)) return undefined;
  return new Error(
    `The gate "${gate.settings.name}" has no tool "${name}", only ${known.join(', ') || 'none at all'}. ` +
      'A faulty declaration is taken out with a warning when the application starts.',
  );
}
