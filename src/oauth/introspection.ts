/**
 * Asking an issuer about a token that only it can read (RFC 7662).
 */
import type { IssuerMetadata } from './discovery.js';
import { BoundedMap } from './bounded-map.js';
import type { FetchedValue } from './fetched-value.js';
import { type FetchJson, McpEndpointFault } from './fetch-json.js';
import type { McpIntrospection, McpTokenClaims } from './settings.js';
import { tokenDigest } from './token-digest.js';
import { McpTokenRejection } from './token-fault.js';

/** What asking needs. */
export interface IntrospectionParts {
  readonly now: () => number;
  readonly fetchJson: FetchJson;
  readonly metadata: FetchedValue<IssuerMetadata>;
  /** @param retryInMs 0: the fault is one of the token, others are asked about */
  readonly failed: (error: unknown, retryInMs: number) => void;
}

interface Answer {
  /** `undefined`: the token is not active. */
  readonly claims: McpTokenClaims | undefined;
  readonly until: number;
}

const ACTIVE_MS = 30_000;
const INACTIVE_MS = 10_000;
const RETRY_MS = 1_000;
const LIMIT = 5_000;
/** Statuses of a request that cannot be read, or is too long. */
const ABOUT_THE_TOKEN = [400, 413, 414, 422];
/** `token_type` of an access token; the second is how some servers word it. A refresh token is active too. */
const ACCESS_TOKEN_TYPES = ['bearer', 'access_token'];

/**
 * One issuer's answers. A token that is active is asked about again after 30 seconds, or when it ends, if that is
 * sooner; one that is not, after ten. Kept under the token's digest, 5,000 of each at most; two requests with the same
 * token at the same time ask once.
 */
export class Introspection {
  readonly #active = new BoundedMap<Answer>(LIMIT);
  readonly #inactive = new BoundedMap<Answer>(LIMIT);
  readonly #pending = new Map<string, Promise<Answer>>();
  #retryAt = -Infinity;
  #quietUntil = -Infinity;

  constructor(
    private readonly issuer: string,
    private readonly settings: McpIntrospection,
    private readonly parts: IntrospectionParts,
  ) {}

  /**
   * What the issuer says of the token; `undefined` when it is not active there.
   *
   * Does NOT check audience, times and subject (see `checkTokenClaims`).
   *
   * @throws McpTokenRejection `issuer-unreachable`: a token that cannot be asked about is refused, never let through;
   * `issuer-unknown` when the answer speaks for another issuer; `type-refused` for what is no access token.
   */
  async ask(token: string): Promise<McpTokenClaims | undefined> {
    const digest = tokenDigest(token);
    const { claims } = this.#kept(digest) ?? (await this.#once(digest, token));
    if (claims === undefined) return undefined;
    if (claims['iss'] !== undefined && claims['iss'] !== this.issuer) throw new McpTokenRejection('issuer-unknown');
    const type = claims['token_type'];
    if (type === undefined || ACCESS_TOKEN_TYPES.some((known) => known === lowerCase(type))) return claims;
    throw new McpTokenRejection('type-refused');
  }

  #kept(digest: string): Answer | undefined {
    for (const answers of [this.#active, this.#inactive]) {
      const answer = answers.get(digest);
      if (answer !== undefined && this.parts.now() < answer.until) return answer;
    }
    return undefined;
  }

  #once(digest: string, token: string): Promise<Answer> {
    const running = this.#pending.get(digest);
    if (running !== undefined) return running;
    const answer = this.#ask(digest, token).finally(() => this.#pending.delete(digest));
    this.#pending.set(digest, answer);
    return answer;
  }

  async #ask(digest: string, token: string): Promise<Answer> {
    if (this.parts.now() < this.#retryAt) throw new McpTokenRejection('issuer-unreachable');
    try {
      const answer = this.#read(await this.#request(token));
      (answer.claims === undefined ? this.#inactive : this.#active).set(digest, answer);
      return answer;
    } catch (error) {
      this.#failed(error);
      throw new McpTokenRejection('issuer-unreachable');
    }
  }

  /** An issuer that is at fault is left alone for a moment; of tokens that it finds fault with, one in a moment is told of. */
  #failed(error: unknown): void {
    const now = this.parts.now();
    const aboutToken = isAboutToken(error);
    if (aboutToken && now < this.#quietUntil) return;
    if (aboutToken) this.#quietUntil = now + RETRY_MS;
    else this.#retryAt = now + RETRY_MS;
    this.parts.failed(error, aboutToken ? 0 : RETRY_MS);
  }

  async #request(token: string): Promise<unknown> {
    const { endpoint, clientId, clientSecret } = this.settings;
    const url = endpoint ?? (await this.parts.metadata.get()).introspectionEndpoint;
    if (url === undefined) {
      throw new McpEndpointFault('its metadata names no "introspection_endpoint"; set introspection.endpoint', true);
    }
    const body = new URLSearchParams({ token, token_type_hint: 'access_token' }).toString();
    return this.parts.fetchJson(url, { body, authorization: basic(clientId, clientSecret) });
  }

  #read(response: unknown): Answer {
    const now = this.parts.now();
    const claims = typeof response === 'object' && response !== null ? (response as McpTokenClaims) : {};
    if (claims['active'] !== true) return { claims: undefined, until: now + INACTIVE_MS };
    const { exp } = claims;
    return { claims, until: Math.min(now + ACTIVE_MS, typeof exp === 'number' ? exp * 1000 : Infinity) };
  }
}

/** Whether an issuer finds fault with what it was sent, and not with itself: others' tokens must not pay for a stranger's. */
function isAboutToken(error: unknown): boolean {
  const status = error instanceof McpEndpointFault ? error.status : undefined;
  return status !== undefined && ABOUT_THE_TOKEN.includes(status);
}

function lowerCase(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

/** Identifier and secret are form-encoded first (RFC 6749, section 2.3.1). */
function basic(clientId: string, clientSecret: string): string {
  const encoded = [clientId, clientSecret].map((text) => new URLSearchParams([['', text]]).toString().slice(1));
  return `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`;
}
