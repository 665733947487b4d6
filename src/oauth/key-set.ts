/**
 * Key sets (RFC 7517) that verify: public parts only, whatever they were written with.
 */
import type { JSONWebKeySet, JWK } from 'jose';

/** The environment variable that holds the application's own key set, as JSON. */
export const MCP_JWKS_VARIABLE = 'MCP_JWKS';

/** Where settings may come from beside the code. */
export type McpEnvironment = Readonly<Record<string, string | undefined>>;

const PUBLIC_MEMBERS = ['kty', 'crv', 'x', 'y', 'n', 'e', 'kid', 'alg', 'use'] as const;
const ASYMMETRIC = ['EC', 'OKP', 'RSA'];

/** What is wrong with a key set; `undefined` when it can verify. Never quotes a key. */
export function keySetFault(value: unknown): string | undefined {
  const keys: unknown = (value as { keys?: unknown } | null | undefined)?.keys;
  if (!Array.isArray(keys)) return 'must be a JSON Web Key Set: { "keys": [ … ] }';
  const bad = keys.findIndex((key: { kty?: unknown } | null) => !ASYMMETRIC.includes(String(key?.kty)));
  return bad === -1
    ? undefined
    : `holds a key at ${bad} whose "kty" is not one of ${ASYMMETRIC.join(', ')}: tokens are verified with public keys only`;
}

/**
 * The same keys without their private parts, for verifying; keys that are not for signatures are left out. Does NOT
 * check that they are well-formed.
 */
export function publicKeySet(set: JSONWebKeySet): JSONWebKeySet {
  return { keys: set.keys.filter(isForSignatures).map(publicKey) };
}

/**
 * The application's own keys: of the settings, else of MCP_JWKS. `undefined` when there are none.
 *
 * @throws SyntaxError, without a word of its content, when MCP_JWKS is not JSON.
 */
export function ownKeySet(own: unknown, environment: McpEnvironment): unknown {
  if (own !== undefined) return own;
  const text = environment[MCP_JWKS_VARIABLE];
  if (text === undefined || text.trim() === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // No cause: it would quote the keys.
    throw new SyntaxError(`${MCP_JWKS_VARIABLE} is not JSON. It holds a JSON Web Key Set: { "keys": [ … ] }.`);
  }
}

function publicKey(key: JWK): JWK {
  const kept = PUBLIC_MEMBERS.filter((member) => key[member] !== undefined).map((member) => [member, key[member]]);
  return Object.fromEntries(kept) as JWK;
}

/** By `use` and `key_ops`, which a private key words differently (RFC 7517, section 4.3). */
function isForSignatures({ use, key_ops }: JWK): boolean {
  return (use ?? 'sig') === 'sig' && (key_ops?.some((operation) => ['verify', 'sign'].includes(operation)) ?? true);
}
