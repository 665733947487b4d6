/**
 * The keys of one issuer: fetched when first needed, fetched again when a token names one that is not among them.
 */
import type { createLocalJWKSet, CryptoKey, JSONWebKeySet } from 'jose';
import { FetchedValue } from './fetched-value.js';
import { type FetchJson, McpEndpointFault } from './fetch-json.js';
import type { IssuerMetadata } from './discovery.js';
import { publicKeySet } from './key-set.js';
import { loadJose } from './load-jose.js';
import { McpTokenRejection } from './token-fault.js';

type SelectKey = ReturnType<typeof createLocalJWKSet>;

const FRESH_MS = 10 * 60_000;
const USABLE_MS = 60 * 60_000;
const ROTATION_COOLDOWN_MS = 30_000;

/** What finding keys needs. */
export interface IssuerKeysParts {
  readonly now: () => number;
  readonly fetchJson: FetchJson;
  readonly metadata: FetchedValue<IssuerMetadata>;
  readonly failed: (error: unknown, retryInMs: number) => void;
}

/**
 * Keys are asked for again after ten minutes; while the issuer cannot be reached the former ones go on for an hour at
 * most. An unknown `kid` fetches at once (a rotation), at most every 30 s, so that made-up ones cannot drive requests.
 */
export class IssuerKeys {
  readonly #fetched: FetchedValue<SelectKey>;
  #rotatedAt = -Infinity;

  constructor(
    private readonly issuer: { readonly jwksUri?: string; readonly jwks?: JSONWebKeySet },
    private readonly parts: IssuerKeysParts,
  ) {
    const { jwks } = issuer;
    this.#fetched = new FetchedValue(() => (jwks === undefined ? this.#load() : selector(jwks)), {
      now: parts.now,
      freshMs: jwks === undefined ? FRESH_MS : Infinity,
      usableMs: USABLE_MS,
      failed: parts.failed,
    });
  }

  /**
   * The key for a token. Looks at `alg` and `kid` only: a key that the token brings along (`jwk`) or points to (`jku`,
   * `x5u`, `x5c`) is never looked at. Without a `kid` exactly one key must fit.
   *
   * @throws McpTokenRejection `key-…` or `issuer-unreachable`
   */
  async keyFor(header: { readonly alg: string; readonly kid?: string }): Promise<CryptoKey> {
    let keys = await this.#reach(this.#fetched.get());
    for (;;) {
      const key = await select(keys, header);
      if (key !== undefined) return key;
      const newer = await this.#newerThan(keys);
      if (newer === undefined) throw new McpTokenRejection('key-unknown');
      keys = newer;
    }
  }

  /** Keys that came since, or that may be fetched now. */
  async #newerThan(keys: SelectKey): Promise<SelectKey | undefined> {
    if (this.issuer.jwks !== undefined) return undefined;
    if (!this.#fetched.pending && this.parts.now() - this.#rotatedAt < ROTATION_COOLDOWN_MS) {
      const current = await this.#reach(this.#fetched.get());
      return current === keys ? undefined : current;
    }
    if (!this.#fetched.pending) this.#rotatedAt = this.parts.now();
    return this.#reach(this.#fetched.refresh());
  }

  async #load(): Promise<SelectKey> {
    const url = this.issuer.jwksUri ?? (await this.parts.metadata.get()).jwksUri;
    if (url === undefined) throw new McpEndpointFault('its metadata names no "jwks_uri"; set jwksUri or jwks', true);
    try {
      return await selector((await this.parts.fetchJson(url)) as JSONWebKeySet);
    } catch (error) {
      this.parts.metadata.forget(); // the keys may have moved
      throw error instanceof McpEndpointFault ? error : new McpEndpointFault(`${url} gave no JSON Web Key Set`, true);
    }
  }

  async #reach<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch {
      throw new McpTokenRejection('issuer-unreachable');
    }
  }
}

async function selector(keys: JSONWebKeySet): Promise<SelectKey> {
  const jose = await loadJose();
  return jose.createLocalJWKSet(publicKeySet(keys));
}

async function select(keys: SelectKey, { alg, kid }: { readonly alg: string; readonly kid?: string }) {
  try {
    return await keys({ alg, ...(kid !== undefined && { kid }) });
  } catch (error) {
    const { errors } = await loadJose();
    if (error instanceof errors.JWKSNoMatchingKey) return undefined;
    throw new McpTokenRejection(error instanceof errors.JWKSMultipleMatchingKeys ? 'key-ambiguous' : 'key-unusable');
  }
}
