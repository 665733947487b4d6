/**
 * What can be wrong with a gate's `authorization`, each fault as a sentence with the way out (G1).
 */
import { isScopeToken } from './challenge.js';
import { endpointFault } from './endpoint-url.js';
import { issuerFaults } from './issuer-faults.js';
import { keySetFault, MCP_JWKS_VARIABLE, type McpEnvironment, ownKeySet } from './key-set.js';

/** What else decides whether the settings can be used. */
export interface AuthorizationSurroundings {
  /** The gate serves others than its own machine. @default false */
  readonly allowRemote?: boolean;
  /** The gate's list of host names, which bounds the URI that is derived from a request. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** @default process.env */
  readonly environment?: McpEnvironment;
}

/** Every fault. Empty when the settings can be used. Unknown keys of `authorization` itself are the caller's to find. */
export function authorizationFaults(settings: unknown, around: AuthorizationSurroundings = {}): string[] {
  if (!isRecord(settings))
    return ['"authorization" must be an object, such as { issuers: ["https://login.example"] }.'];
  return [
    ...issuerFaults(settings['issuers']),
    ...sourceFaults(settings, around.environment ?? process.env),
    ...resourceFaults(settings, around),
    ...tableFaults('roles', settings['roles'], 'the name of a role', isName),
    ...tableFaults('scopeHierarchy', settings['scopeHierarchy'], 'a scope', isScopeToken),
    ...numberFaults(settings),
    ...kindFaults(settings),
  ];
}

/** Tokens must come from somewhere. */
function sourceFaults(settings: Readonly<Record<string, unknown>>, environment: McpEnvironment): string[] {
  const { issuers, verifier } = settings;
  const faults: string[] = [];
  let own: unknown;
  try {
    own = ownKeySet(settings['ownKeys'], environment);
    const fault = own === undefined ? undefined : keySetFault(own);
    const name = settings['ownKeys'] === undefined ? MCP_JWKS_VARIABLE : '"authorization.ownKeys"';
    if (fault !== undefined) faults.push(`${name} ${fault}.`);
  } catch (error) {
    return [(error as Error).message];
  }
  if (verifier !== undefined && typeof Object(verifier).verify !== 'function') {
    faults.push('"authorization.verifier" must be an object with a method verify(token, audience).');
  }
  if (own === undefined && verifier === undefined && (!Array.isArray(issuers) || issuers.length === 0)) {
    faults.push(
      '"authorization" takes tokens from nobody. Name "issuers", or a "verifier", or "ownKeys" (or the environment ' +
        `variable ${MCP_JWKS_VARIABLE}).`,
    );
  }
  return faults;
}

function resourceFaults(settings: Readonly<Record<string, unknown>>, around: AuthorizationSurroundings): string[] {
  const { publicUrl, audience } = settings;
  const faults: string[] = [];
  if (publicUrl !== undefined) {
    const fault = endpointFault(publicUrl) ?? canonicalFault(publicUrl as string);
    if (fault !== undefined) faults.push(`"authorization.publicUrl" ${fault}.`);
  }
  if (audience !== undefined && !isName(audience)) faults.push('"authorization.audience" must be a text, not empty.');
  if (
    around.allowRemote === true &&
    publicUrl === undefined &&
    audience === undefined &&
    !around.allowedHosts?.length
  ) {
    faults.push(
      '"authorization" on a gate that others reach needs "publicUrl" (the URI as clients know it), "audience" or ' +
        '"allowedHosts": a URI derived from any Host header would let a client pass with a token for another server.',
    );
  }
  return faults;
}

/** The URI is compared to the byte, so it must be written as a client's URL parser writes it. */
function canonicalFault(text: string): string | undefined {
  const url = new URL(text);
  if (url.search !== '' || text.endsWith('?')) return 'must not carry a query';
  const canonical = url.pathname === '/' ? url.origin : url.href;
  return text === canonical || text === url.href ? undefined : `must be written in its canonical form, "${canonical}"`;
}

function tableFaults(name: string, table: unknown, what: string, holds: (value: unknown) => boolean): string[] {
  if (table === undefined) return [];
  if (!isRecord(table))
    return [`"authorization.${name}" must be an object: a scope, and an array of what it stands for.`];
  return Object.entries(table).flatMap(([scope, values]) => [
    ...(isScopeToken(scope) ? [] : [`"authorization.${name}" names ${JSON.stringify(scope)}, which is not a scope.`]),
    ...(Array.isArray(values) && values.every(holds)
      ? []
      : [`"authorization.${name}" of "${scope}" must be an array; each entry is ${what}.`]),
  ]);
}

function numberFaults({ clockToleranceSec, fetchTimeoutMs }: Readonly<Record<string, unknown>>): string[] {
  const tolerates = clockToleranceSec === undefined || isWithin(clockToleranceSec, 0, 300);
  const waits = fetchTimeoutMs === undefined || isWithin(fetchTimeoutMs, 1, 60_000);
  return [
    ...(tolerates ? [] : ['"authorization.clockToleranceSec" must be a number of seconds from 0 to 300.']),
    ...(waits ? [] : ['"authorization.fetchTimeoutMs" must be a number of milliseconds from 1 to 60000.']),
  ];
}

function kindFaults(settings: Readonly<Record<string, unknown>>): string[] {
  const { anonymous } = settings;
  const hooks = ['isRevoked', 'isAccountActive'].filter(
    (name) => settings[name] !== undefined && typeof settings[name] !== 'function',
  );
  return [
    ...(anonymous === undefined || typeof anonymous === 'boolean'
      ? []
      : ['"authorization.anonymous" must be true or false.']),
    ...hooks.map((name) => `"authorization.${name}" must be a function that answers true or false.`),
  ];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most;
}
