/**
 * Tokens that the application signs itself, and a record of every secret that a test brings into the world, so that
 * each suite can end by looking for them in what was logged.
 */
import { generateMcpKeys, mintMcpToken } from '../../src/oauth/mint.js';
import { forge } from '../oauth/local-issuer.js';
import { keep } from '../support/written.js';

export { keep };

/** What the gates of these tests take: keys of the application's own. */
export const KEYS = await generateMcpKeys();
/** Keys that no gate knows. */
export const STRANGE_KEYS = await generateMcpKeys();

for (const set of [KEYS, STRANGE_KEYS]) for (const key of set.keys) keep(String(key.d));

/** What a token is to grant. */
export interface Granted {
  account?: string;
  scopes?: readonly string[];
  ttlSec?: number;
  key?: typeof KEYS;
}

/** A token for the gate at `resource`. */
export async function tokenFor(resource: string, granted: Granted = {}): Promise<string> {
  const { account = 'ada', scopes = [], ttlSec = 300, key = KEYS } = granted;
  return keep(await mintMcpToken({ key, account, resource, scopes, ttlSec }));
}

/** A request that carries a token; none without one. */
export function bearing(token?: string): { headers: Record<string, string> } {
  return { headers: token === undefined ? {} : { authorization: `Bearer ${keep(token)}` } };
}

/** A token with somebody's claims and nobody's signature. */
export function unsigned(resource: string): string {
  const claims = { iss: 'urn:nestjs-mcp-gate:own-keys', sub: 'ada', aud: resource, exp: 9_999_999_999 };
  return keep(forge({ alg: 'none', typ: 'at+jwt' }, claims));
}
