/**
 * May this request come in at all: where it comes from, through what, and from which web page (G3, G4). Decided from
 * headers and the peer's address alone, before a byte of the body is read.
 */
import { isIP } from 'node:net';

/** What the decision reads of a request. */
export interface McpAccessFacts {
  /** The peer of the socket. Never taken from a header. */
  readonly remoteAddress: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The settings that decide. */
export interface McpAccessRules {
  readonly allowRemote: boolean;
  readonly allowedOrigins: readonly string[];
  /** Lower-cased. */
  readonly allowedHosts?: readonly string[];
}

/** What a refused request is told. */
export const ACCESS_REFUSAL = Object.freeze({
  origin: 'The Origin of this request is not allowed. If it is yours, list it in allowedOrigins.',
  host: 'The Host of this request is not allowed. If it is yours, list it in allowedHosts.',
  remote: 'This gate serves its own machine only. To serve others set allowRemote.',
  relayed: 'This gate serves its own machine only, and a relayed request cannot prove that it comes from there.',
});

const RELAY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Why a request is refused with 403; `undefined` when it may come in. An `Origin` must be listed (2026-07-28, Streamable
 * HTTP, security). A local gate takes direct loopback peers only, under a loopback name: that stops DNS rebinding, and
 * locality cannot be proved through a relay.
 *
 * Does NOT authenticate anybody, and does not stop a local process from calling.
 */
export function checkMcpAccess(facts: McpAccessFacts, rules: McpAccessRules): string | undefined {
  const { headers } = facts;
  const origin = headers['origin'];
  if (origin !== undefined && !rules.allowedOrigins.some((allowed) => allowed === origin)) {
    return ACCESS_REFUSAL.origin;
  }
  const hosts = rules.allowedHosts ?? (rules.allowRemote ? undefined : LOOPBACK_HOSTS);
  if (hosts !== undefined && !hosts.includes(hostName(headers['host']) ?? '')) {
    return ACCESS_REFUSAL.host;
  }
  if (rules.allowRemote) return undefined;
  if (!isLoopback(facts.remoteAddress)) return ACCESS_REFUSAL.remote;
  return RELAY_HEADERS.some((name) => headers[name] !== undefined) ? ACCESS_REFUSAL.relayed : undefined;
}

/** Whether an address is this machine: 127.0.0.0/8, ::1, or the former mapped into IPv6. */
export function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return false;
  if (address === '::1') return true;
  const plain = address.toLowerCase().startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
  return isIP(plain) === 4 && plain.startsWith('127.');
}

/** The name in a `Host` header, lower-cased, without its port; an IPv6 address keeps its brackets. */
function hostName(host: string | readonly string[] | undefined): string | undefined {
  if (typeof host !== 'string') return undefined;
  return /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(host)?.[1]?.toLowerCase();
}
