/**
 * Messages of a client as JSON would carry them, in the revision that it speaks.
 */
import type { ResolvedGateSettings } from '../gate/settings.js';
import { META_KEY } from '../protocol/read.js';
import { eraOf, type McpEra, type McpVersion } from '../protocol/revisions.js';

/** What a test client says of itself. */
export const TEST_CLIENT = { name: 'nestjs-mcp-gate/testing', version: '0.0.0' };

/**
 * The newest revision that the gate serves, of one era if it is given.
 *
 * @throws Error when it serves none of that era.
 */
export function spokenVersion({ name, protocol }: ResolvedGateSettings, era?: McpEra): McpVersion {
  const { versions } = protocol; // newest first
  const version = era === undefined ? versions[0] : versions.find((each) => eraOf(each) === era);
  if (version !== undefined) return version;
  throw new Error(`The gate "${name}" serves no ${era} revision, only ${versions.join(', ')}: leave "era" out.`);
}

/** The revision that a client speaks, and what it declares. */
export interface WireClient {
  readonly version: McpVersion;
  readonly capabilities: object;
}

/** A message to a gate; what a wire would lose of its parameters is lost here too. */
export function toWire(
  { version, capabilities }: WireClient,
  { params, ...message }: { readonly id?: number; readonly method: string; readonly params: object },
  progressToken?: number,
): object {
  const modern = {
    [META_KEY.version]: version,
    [META_KEY.capabilities]: capabilities,
    [META_KEY.clientInfo]: TEST_CLIENT,
  };
  const _meta = { ...(eraOf(version) === 'modern' && modern), ...(progressToken !== undefined && { progressToken }) };
  return fromWire({ jsonrpc: '2.0', ...message, params: { ...params, _meta } });
}

/** A value that the other side has parsed. */
export function fromWire<T extends object>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
