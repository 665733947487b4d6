/**
 * JWTs that were verified a moment ago: a signature costs a hundred times what remembering it does.
 */
import { BoundedMap } from './bounded-map.js';
import type { McpCaller } from '../caller.js';
import type { McpTokenClaims } from './settings.js';

/** A caller with the claims that established it. */
export interface EstablishedCaller {
  readonly caller: McpCaller;
  readonly claims: McpTokenClaims;
}

interface Remembered extends EstablishedCaller {
  readonly audience: string;
  readonly until: number;
}

const LIMIT = 5_000;
const REMEMBERED_MS = 60_000;

/**
 * Keeps 5,000 at most, each for a minute at most and never past its end. So a key that an issuer withdraws goes on for
 * up to a minute; revocation and the account's state are asked for every request all the same.
 */
export class RememberedTokens {
  readonly #tokens = new BoundedMap<Remembered>(LIMIT);

  /** What was established by the token of this digest, for this audience; never for another one. */
  get(digest: string, audience: string, now: number): EstablishedCaller | undefined {
    const found = this.#tokens.get(digest);
    if (found === undefined || found.audience !== audience) return undefined;
    if (now < found.until) return found;
    this.#tokens.delete(digest);
    return undefined;
  }

  remember(digest: string, audience: string, now: number, established: EstablishedCaller): void {
    const { exp } = established.claims;
    const until = Math.min(now + REMEMBERED_MS, typeof exp === 'number' ? exp * 1000 : 0);
    if (until > now) this.#tokens.set(digest, { ...established, audience, until });
  }
}
