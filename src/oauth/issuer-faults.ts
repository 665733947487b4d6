/**
 * What can be wrong with the entries of `authorization.issuers`.
 */
import { endpointFault } from './endpoint-url.js';
import { keySetFault } from './key-set.js';
import { MCP_TOKEN_ALGORITHMS, type McpIntrospection, type McpIssuer } from './settings.js';

type Check = (value: unknown) => string | undefined;

const INTROSPECTION: Readonly<Record<keyof McpIntrospection, Check>> = {
  endpoint: (value) => (value === undefined ? undefined : endpointFault(value)),
  clientId: text,
  clientSecret: text,
};

const ISSUER: Readonly<Record<keyof McpIssuer, Check>> = {
  issuer: identifierFault,
  jwksUri: optional(endpointFault),
  jwks: optional(keySetFault),
  algorithms: optional((value) => {
    const known = MCP_TOKEN_ALGORITHMS.join(', ');
    return isListOf(value, (name) => MCP_TOKEN_ALGORITHMS.some((algorithm) => algorithm === name))
      ? undefined
      : `must be an array of ${known}: "none" and symmetric algorithms are never taken`;
  }),
  tokenTypes: optional((value) =>
    isListOf(value, (type) => text(type) === undefined) ? undefined : 'must be an array of texts, such as ["at+jwt"]',
  ),
  introspection: optional((value) =>
    typeof value === 'object' && value !== null ? undefined : 'must be an object with clientId and clientSecret',
  ),
};

/** Every fault of the list. */
export function issuerFaults(issuers: unknown): string[] {
  if (issuers === undefined) return [];
  if (!Array.isArray(issuers)) return ['"authorization.issuers" must be an array of issuer URLs or objects.'];
  const entries = issuers.map((entry: unknown) => (typeof entry === 'string' ? { issuer: entry } : entry));
  const names = entries.map((entry) => (entry as Partial<McpIssuer> | null)?.issuer);
  return [
    ...entries.flatMap((entry, index) => entryFaults(entry, `authorization.issuers[${index}]`)),
    ...names
      .filter((name, index) => name !== undefined && names.indexOf(name) !== index)
      .map((name) => `"authorization.issuers" names ${JSON.stringify(name)} twice. Join the two entries.`),
  ];
}

function entryFaults(entry: unknown, at: string): string[] {
  if (typeof entry !== 'object' || entry === null) return [`"${at}" must be an issuer's URL, or an object with it.`];
  const values = entry as Record<string, unknown>;
  const { introspection } = values;
  return [
    ...memberFaults(values, ISSUER, at),
    ...(typeof introspection === 'object' && introspection !== null
      ? memberFaults(introspection as Record<string, unknown>, INTROSPECTION, `${at}.introspection`)
      : []),
    ...(values['jwks'] !== undefined && values['jwksUri'] !== undefined
      ? [`"${at}" has both "jwks" and "jwksUri". Keep "jwks" for fixed keys, or "jwksUri" for keys that rotate.`]
      : []),
  ];
}

function memberFaults(values: Record<string, unknown>, checks: Readonly<Record<string, Check>>, at: string): string[] {
  const known = Object.keys(checks);
  const unknown = Object.keys(values).filter((key) => !Object.hasOwn(checks, key));
  return [
    ...unknown.map((key) => `"${at}.${key}" is not a setting. The settings there are ${known.join(', ')}.`),
    ...known.flatMap((key) => {
      const fault = checks[key]?.(values[key]);
      return fault === undefined ? [] : [`"${at}.${key}" ${fault}.`];
    }),
  ];
}

/** RFC 8414, section 2: a URL without query and fragment. */
function identifierFault(value: unknown): string | undefined {
  const fault = endpointFault(value);
  return fault ?? (String(value).includes('?') ? 'must not carry a query' : undefined);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? undefined : 'must be a text, not empty';
}

function optional(check: Check): Check {
  return (value) => (value === undefined ? undefined : check(value));
}

function isListOf(value: unknown, holds: (entry: unknown) => boolean): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(holds);
}
