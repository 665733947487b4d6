/**
 * Faults of what a gate is told and says: tokens, revisions, headers, strangers, the way to sign in.
 */
import type { KnownFault } from './known-fault.js';

const PUBLIC_URL = "Set authorization.publicUrl to the gate's address as clients write it, to the byte.";

export const GATE_FAULTS = {
  'authorization-stripped': {
    check: 'token',
    means: 'The header Authorization does not reach the gate, so no token ever does.',
    change:
      'Let the proxy pass Authorization on; a login of its own (auth_basic and the like) takes the header for itself.',
  },
  'token-refused': {
    check: 'token',
    means: 'The gate does not take this token.',
    change: "The gate's log has the reason at WARN: a token was refused. Mostly its audience is another address.",
  },
  'issuer-away-from-gate': {
    check: 'token',
    means: 'The gate cannot reach the authorization server, so it can check no token.',
    change: "Let the application's machine reach the issuer: DNS, outgoing firewall, its certificates.",
  },
  'no-version': {
    check: 'versions',
    means: 'No revision that clients speak is served.',
    change: 'Serve at least one of them: protocol.versions.',
  },
  'discover-broken': {
    check: 'versions',
    means: 'Clients ask server/discover first. Without a proper answer or a proper refusal they give up.',
    change: 'Let server/discover through; protocol.discover: false refuses it properly.',
  },
  'notification-answered': {
    check: 'versions',
    means: 'A notification gets 202 and no body. Clients of older revisions stop in the handshake otherwise.',
    change: 'Let the proxy pass empty answers with 202 on as they are.',
  },
  'instances-differ': {
    check: 'versions',
    means: 'The instances behind the load balancer do not have the same tools.',
    change: 'Run one version of the application behind one address.',
  },
  'mcp-headers-stripped': {
    check: 'headers',
    means: 'Clients of the newest revision send Mcp-Method and Mcp-Name; without them the gate must refuse.',
    change: 'Let the proxy pass on all request headers that begin with Mcp-.',
  },
  'version-header-stripped': {
    check: 'headers',
    means: 'Without MCP-Protocol-Version the gate cannot know which revision a client speaks.',
    change: 'Let the proxy pass MCP-Protocol-Version on.',
  },
  'accept-rewritten': {
    check: 'headers',
    means: 'A client that takes a stream does not get one: no progress arrives, and long calls end in a time-out.',
    change: 'Let the proxy pass Accept on as it is.',
  },
  'get-answered': {
    check: 'headers',
    means: 'Clients of older revisions ask by GET for a stream, and expect 405. What came may stop them.',
    change: 'Let the gate answer GET at its path too: no page of a single-page application, no cache, no redirection.',
  },
  'origin-served': {
    check: 'guards',
    means: 'A web page of any origin can call the gate from the browser of whoever visits it.',
    change: 'Let the proxy pass Origin on, and list in allowedOrigins only the origins of your own pages.',
  },
  'host-served': {
    check: 'guards',
    means: 'A page can point its own name at this machine (DNS rebinding) and call the gate.',
    change: 'Let the gate see the Host that clients send, and leave allowedHosts at its default or list names.',
  },
  'challenge-missing': {
    check: 'protection',
    means: 'A client is told that it lacks a token, and not where to get one.',
    change: 'Let the proxy pass WWW-Authenticate on, and write no 401 of its own.',
  },
  'challenge-malformed': {
    check: 'protection',
    means: 'Clients cannot read the challenge: it is not Bearer with name="value" pairs (RFC 6750).',
    change: 'Let the proxy pass WWW-Authenticate on as it is, without adding a challenge of its own.',
  },
  'challenge-elsewhere': {
    check: 'protection',
    means: 'The challenge sends clients to another host or scheme: the gate does not know its public address.',
    change: PUBLIC_URL,
  },
  'document-missing': {
    check: 'protection',
    means: 'Clients cannot read who issues tokens for the gate (RFC 9728).',
    change: 'Let the proxy pass /.well-known/oauth-protected-resource and what is below it on to the application.',
  },
  'resource-differs': {
    check: 'protection',
    means: 'Clients refuse a document that is for another address, to the byte (RFC 9728, section 3.3).',
    change: PUBLIC_URL,
  },
  'issuer-away': {
    check: 'protection',
    means: 'Clients cannot read where to sign in (RFC 8414).',
    change: "Check the issuer's address in authorization.issuers, and that clients reach it from outside.",
  },
  'issuer-differs': {
    check: 'protection',
    means: 'Clients refuse metadata of an issuer that calls itself otherwise, to the byte (RFC 8414, section 3.3).',
    change: 'Write the issuer in authorization.issuers as it writes itself; a slash at the end counts.',
  },
  'issuer-without-pkce': {
    check: 'protection',
    means: 'Clients must not sign in where S256 is not announced in code_challenge_methods_supported.',
    change: 'Switch PKCE with S256 on at the authorization server, and let its metadata say so.',
  },
} as const satisfies Readonly<Record<string, KnownFault>>;
