/**
 * A JWT: read, then held against the rules of the issuer that it names, one check after the other (A9).
 */
import type { CryptoKey } from 'jose';
import { loadJose } from './load-jose.js';
import { MCP_TOKEN_ALGORITHMS, type McpTokenClaims } from './settings.js';
import { McpTokenRejection } from './token-fault.js';

/** A JWT as it reads, which proves nothing yet. */
export interface DecodedJwt {
  readonly token: string;
  readonly header: Readonly<Record<string, unknown>> & { readonly alg: string };
  readonly claims: McpTokenClaims;
}

/** What one issuer's tokens must be like. */
export interface JwtRules {
  readonly algorithms: ReadonlySet<string>;
  /** Lower-cased, without `application/`; `''` stands for a token without `typ`. */
  readonly types: ReadonlySet<string>;
  keyFor(header: { readonly alg: string; readonly kid?: string }): Promise<CryptoKey>;
}

/** The `typ` taken when an issuer's settings name none: RFC 9068's, and what servers in use send instead. */
export const USUAL_TOKEN_TYPES: ReadonlySet<string> = new Set(['at+jwt', 'jwt', '']);

/** All algorithms that a gate can take. */
export const USUAL_ALGORITHMS: ReadonlySet<string> = new Set(MCP_TOKEN_ALGORITHMS);

/**
 * Reads a JWT without believing it. `undefined` when the token is not one (an opaque token may hold dots, and a JWE is
 * opaque to a gate).
 *
 * @throws McpTokenRejection `token-undecodable` when the header is a JWT's and the rest is not; `algorithm-refused` for
 * `none`, which nobody, the application's verifier included, is ever asked about.
 */
export async function decodeToken(token: string): Promise<DecodedJwt | undefined> {
  const header = await protectedHeader(token);
  if (header === undefined || typeof header['alg'] !== 'string') return undefined;
  if (header['alg'].toLowerCase() === 'none') throw new McpTokenRejection('algorithm-refused');
  const { decodeJwt } = await loadJose();
  try {
    return { token, header: { ...header, alg: header['alg'] }, claims: decodeJwt(token) };
  } catch {
    throw new McpTokenRejection('token-undecodable');
  }
}

/**
 * `alg` on the issuer's list → no `crit` → `typ` → a key of the issuer by `kid` → signature. The issuer was found by
 * `iss`, to the byte, so `iss` needs no second look.
 *
 * Does NOT check the other claims (see `checkTokenClaims`), and never looks at `jwk`, `jku`, `x5u` or `x5c`.
 *
 * @throws McpTokenRejection
 */
export async function verifyJwt({ token, header }: DecodedJwt, rules: JwtRules): Promise<void> {
  const { alg, kid, typ } = header;
  if (!rules.algorithms.has(alg)) throw new McpTokenRejection('algorithm-refused');
  if (header['crit'] !== undefined) throw new McpTokenRejection('header-critical');
  if (!rules.types.has(tokenType(typ))) throw new McpTokenRejection('type-refused');
  if (kid !== undefined && typeof kid !== 'string') throw new McpTokenRejection('key-unknown');
  const { compactVerify } = await loadJose();
  const key = await rules.keyFor({ alg, ...(kid !== undefined && { kid }) });
  try {
    await compactVerify(token, key, { algorithms: [alg] });
  } catch {
    throw new McpTokenRejection('signature-invalid');
  }
}

/** `typ` as it is compared: a media type without its `application/` (RFC 7515, section 4.1.9), whatever the case. */
export function tokenType(typ: unknown): string {
  if (typ === undefined) return '';
  return typeof typ === 'string' && typ !== '' ? typ.toLowerCase().replace(/^application\//, '') : '?';
}

async function protectedHeader(token: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (token.split('.').length !== 3) return undefined;
  const { decodeProtectedHeader } = await loadJose();
  try {
    return decodeProtectedHeader(token);
  } catch {
    return undefined;
  }
}
