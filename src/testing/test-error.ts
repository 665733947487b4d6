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

/** What a request was for, by what its parameters name. */
interface Asked {
  readonly kind: 'tool' | 'prompt' | 'resource';
  readonly name: string;
}

/** The error of an exchange that has no result. What the server knows of it is the cause. */
export async function testErrorOf(
  { answer, faults, withheld }: ExchangeOutcome,
  method: string,
  params: object,
  gate: GateUnderTest,
): Promise<McpTestError> {
  const { error } = answer.body as JsonRpcError;
  const { insufficientScopes } = answer;
  const asked = askedFor(method, params);
  const isAbsent = error.code === MCP_ERROR.invalidParams || error.code === MCP_ERROR.resourceNotFound;
  const cause = asked !== undefined && isAbsent ? await absenceOf(asked, withheld, gate) : faults[0]?.error;
  return new McpTestError(error, { cause, ...(insufficientScopes && { scopes: insufficientScopes }) });
}

function askedFor(method: string, { name, uri }: { name?: unknown; uri?: unknown }): Asked | undefined {
  if (method === 'tools/call' && typeof name === 'string') return { kind: 'tool', name };
  if (method === 'prompts/get' && typeof name === 'string') return { kind: 'prompt', name };
  return method === 'resources/read' && typeof uri === 'string' ? { kind: 'resource', name: uri } : undefined;
}

/** Why it is not there; `undefined` when it is. */
async function absenceOf(
  { kind, name }: Asked,
  withheld: ExchangeOutcome['withheld'],
  gate: GateUnderTest,
): Promise<Error | undefined> {
  // A resource may be withheld as what its template is; one exchange asks for one.
  const reason = kind === 'resource' ? [...withheld.values()][0] : withheld.get(name);
  if (reason !== undefined) return new Error(`The ${kind} "${name}" is withheld from this caller: ${reason}.`);
  const known = await namesOf(kind, gate);
  const isKnown =
    kind === 'resource' ? (await gate.offers.resources()).locate(name) !== undefined : known.includes(name);
  if (isKnown) return undefined;
  return new Error(
    `The gate "${gate.settings.name}" has no ${kind} "${name}", only ${known.join(', ') || 'none at all'}. ` +
      'A faulty declaration is taken out with a warning when the application starts.',
  );
}

async function namesOf(kind: Asked['kind'], gate: GateUnderTest): Promise<readonly string[]> {
  if (kind === 'tool') return (await everyTool(gate)).map(({ name }) => name);
  const offered = kind === 'prompt' ? await gate.offers.prompts() : await gate.offers.resources();
  return offered.entries.map(({ name }) => name);
}
