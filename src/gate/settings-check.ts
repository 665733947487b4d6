/**
 * What can be wrong with a gate's settings, each fault as a sentence with the way out.
 */
import { MCP_SUPPORTED_VERSIONS } from '../protocol/revisions.js';
import { authorizationFaults } from '../oauth/settings-faults.js';
import { MCP_AUTHORIZATION_KEYS } from '../oauth/settings.js';
import { nearestName } from '../tools/nearest-name.js';
import { MIN_SECRET_LENGTH } from './seal.js';

/** Settings of a gate that cannot be used. The message names each fault. */
export class McpSettingsError extends Error {
  override readonly name = 'McpSettingsError';

  constructor(readonly faults: readonly string[]) {
    super(`The settings of a gate are not usable:\n${faults.map((fault) => `- ${fault}`).join('\n')}`);
  }
}

type Check = (value: unknown) => string | undefined;

const isText = expecting('a text that is not empty', (value) => typeof value === 'string' && value.trim() !== '');
const isFlag = expecting('true or false', (value) => typeof value === 'boolean');
const isDuration = expecting('a number of milliseconds above 0', (value) => isFiniteNumber(value) && value > 0);
const isDelay = expecting('a number of milliseconds, 0 or more', (value) => isFiniteNumber(value) && value >= 0);

const SETTINGS: Readonly<Record<string, Check>> = {
  name: isText,
  version: isText,
  title: isText,
  instructions: isText,
  tools: expecting(
    '"discovered", or an array of provider classes, module classes and tools',
    (value) => value === 'discovered' || Array.isArray(value),
  ),
  resources: expecting('an array of resources and resource templates', Array.isArray),
  prompts: expecting('an array of prompts', Array.isArray),
  completions: expecting('an array of completions', Array.isArray),
  path: expecting('a path that starts with "/"', (value) => typeof value === 'string' && /^\/[^?#\s]*$/.test(value)),
  allowRemote: isFlag,
  allowedOrigins: listOf('an origin such as "https://example.com": scheme, host, port, and nothing behind', isOrigin),
  allowedHosts: listOf(
    'a host name without port',
    (value) => typeof value === 'string' && /^[^\s:/]+$|^\[[^\]]+\]$/.test(value),
  ),
  authorization: expecting('an object', (value) => typeof value === 'object' && value !== null), // more below
  accounts: expecting('a function that finds the account of a caller', (value) => typeof value === 'function'),
  unprotectedRoles: listOf('the name of a role', (value) => typeof value === 'string' && value !== ''),
  protocol: group({
    versions: (value) =>
      listOf(`one of ${MCP_SUPPORTED_VERSIONS.join(', ')}`, isVersion)(value) ??
      ((value as unknown[]).length === 0 ? 'is empty: name at least one revision, or leave it out for all' : undefined),
    discover: isFlag,
  }),
  pageSize: expecting(
    'a whole number of entries, 1 or more',
    (value) => Number.isSafeInteger(value) && (value as number) > 0,
  ),
  cache: group({
    ttlMs: isDelay,
    scope: expecting('"public" or "private"', (value) => value === 'public' || value === 'private'),
  }),
  enabled: isFlag,
  stream: group({ graceMs: isDelay, heartbeatMs: isDuration }),
  maxRunMs: isDuration,
  subscriptions: group({
    perCaller: expecting('a whole number, 0 or more', (value) => Number.isInteger(value) && (value as number) >= 0),
    total: expecting('a whole number, 1 or more', (value) => Number.isInteger(value) && (value as number) > 0),
  }),
  events: expecting('a bus: an object with publish() and subscribe()', isBus),
  secrets: secretList,
  answerWithinMs: isDuration,
  bodyLimit: expecting('a whole number of bytes above 0', (value) => Number.isInteger(value) && (value as number) > 0),
};

/**
 * Checks a gate's settings.
 *
 * @throws McpSettingsError with every fault.
 */
export function checkGateSettings(settings: unknown): void {
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
    throw new McpSettingsError(['they must be an object with at least a name: { name: "shop" }.']);
  }
  const values = settings as Record<string, unknown>;
  const faults = checkAll(values, SETTINGS, '');
  if (values['name'] === undefined)
    faults.push('"name" is missing: clients show it, and the log names the gate by it.');
  if (values['allowRemote'] === true && !Array.isArray(values['tools'])) {
    faults.push(
      '"allowRemote" without an explicit "tools": a gate that others reach serves no tool by accident. List the classes, ' +
        'modules or tools that it serves.',
    );
  }
  faults.push(...protectionFaults(values));
  if (faults.length > 0) throw new McpSettingsError(faults);
}

/** What `authorization` says, and what contradicts it elsewhere. */
function protectionFaults(values: Record<string, unknown>): string[] {
  const { authorization, accounts, unprotectedRoles, allowRemote, allowedHosts } = values;
  if (typeof authorization !== 'object' || authorization === null) {
    return accounts === undefined
      ? []
      : ['"accounts" without "authorization": a gate that authenticates nobody has no account to find.'];
  }
  const unknown = Object.keys(authorization).filter((key) => !MCP_AUTHORIZATION_KEYS.some((known) => known === key));
  const faults = unknown.map((key) => unknownKey('authorization.', key, MCP_AUTHORIZATION_KEYS));
  const around = { allowRemote: allowRemote === true, ...(isTexts(allowedHosts) && { allowedHosts }) };
  faults.push(...authorizationFaults(authorization, around));
  if (Array.isArray(unprotectedRoles) && unprotectedRoles.length > 0) {
    faults.push(
      '"unprotectedRoles" beside "authorization": roles of a protected gate come from scopes. Map them in ' +
        '"authorization.roles".',
    );
  }
  return faults;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

function checkAll(values: Record<string, unknown>, checks: Readonly<Record<string, Check>>, prefix: string): string[] {
  const faults: string[] = [];
  for (const [key, value] of Object.entries(values)) {
    const check = Object.hasOwn(checks, key) ? checks[key] : undefined;
    if (check === undefined) faults.push(unknownKey(prefix, key, Object.keys(checks)));
    else if (value !== undefined) {
      const fault = check(value);
      if (fault !== undefined) faults.push(`"${prefix}${key}" ${fault}${fault.endsWith('?') ? '' : '.'}`);
    }
  }
  return faults;
}

function unknownKey(prefix: string, key: string, known: readonly string[]): string {
  const near = nearestName(key, known);
  const wayOut = near === undefined ? `The settings are ${known.join(', ')}.` : `Did you mean "${prefix}${near}"?`;
  return `"${prefix}${key}" is not a setting of a gate. ${wayOut}`;
}

function expecting(what: string, holds: (value: unknown) => boolean): Check {
  return (value) => (holds(value) ? undefined : `must be ${what}`);
}

function listOf(what: string, holds: (value: unknown) => boolean): Check {
  return (value) => {
    if (!Array.isArray(value)) return `must be an array; each entry is ${what}`;
    const bad = value.findIndex((entry) => !holds(entry));
    return bad === -1 ? undefined : `holds ${JSON.stringify(value[bad])} at ${bad}; each entry is ${what}`;
  };
}

function group(checks: Readonly<Record<string, Check>>): Check {
  return (value) => {
    if (typeof value !== 'object' || value === null) return `must be an object with ${Object.keys(checks).join(', ')}`;
    for (const [key, entry] of Object.entries(value)) {
      const check = Object.hasOwn(checks, key) ? checks[key] : undefined;
      if (check === undefined) {
        const near = nearestName(key, Object.keys(checks));
        return `holds "${key}", which it does not know. ${near === undefined ? `It knows ${Object.keys(checks).join(', ')}` : `Did you mean "${near}"?`}`;
      }
      const fault = entry === undefined ? undefined : check(entry);
      if (fault !== undefined) return `has a fault: "${key}" ${fault}`;
    }
    return undefined;
  };
}

function isBus(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { publish, subscribe } = value as { publish?: unknown; subscribe?: unknown };
  return typeof publish === 'function' && typeof subscribe === 'function';
}

/** Never with the secret itself: the message goes to a log. */
function secretList(value: unknown): string | undefined {
  const wayOut = `must be an array of at least one text, each of ${MIN_SECRET_LENGTH} characters or more, from a random source`;
  if (!Array.isArray(value)) return wayOut;
  const isSecret = (entry: unknown) => typeof entry === 'string' && entry.length >= MIN_SECRET_LENGTH;
  return value.length > 0 && value.every(isSecret) ? undefined : wayOut;
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isVersion(value: unknown): boolean {
  return MCP_SUPPORTED_VERSIONS.some((version) => version === value);
}

/** An origin is compared to the byte, so only its canonical form can ever match. */
function isOrigin(value: unknown): boolean {
  try {
    return typeof value === 'string' && new URL(value).origin === value;
  } catch {
    return false;
  }
}
