/**
 * How the values of options are read, with the sentence for what cannot be.
 */
import { InvalidArgumentError, Option, type Command } from 'commander';

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds. */
export function readDuration(given: string): number {
  const [, amount, unit] = /^([1-9]\d{0,8})(ms|[smhd])$/.exec(given) ?? [];
  if (amount === undefined || unit === undefined) {
    throw new InvalidArgumentError('Write a number and ms, s, m, h or d: 15m.');
  }
  return Number(amount) * UNIT_MS[unit]!;
}

/** Scopes, separated by spaces or commas; an option that is repeated adds to them. */
export function readScopes(given: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...given.split(/[\s,]+/).filter((scope) => scope !== '')];
}

/** The URL of a gate, as it was written: clients compare it to the byte. */
export function readGateUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new InvalidArgumentError('Write the address of a gate: https://shop.example/mcp.');
  }
  if (url.username !== '' || url.password !== '') {
    // Not an InvalidArgumentError, with which commander would print the password.
    throw new Error('Leave user and password out of --url: the name of a variable with a token goes into --token-env.');
  }
  if (given.includes('#')) throw new InvalidArgumentError('Leave the part from # out: it never reaches a server.');
  return given;
}

/** The name of an environment variable. What is none may be a token, and is not repeated; nor what looks like one. */
export function readVariableName(given: string): string {
  const isName = /^[A-Za-z_]\w{0,99}$/.test(given);
  const isRandom = given.length >= 20 && /[a-z]/.test(given) && /\d/.test(given);
  if (isName && !isRandom) return given;
  // Not an InvalidArgumentError, with which commander would print the value.
  throw new Error('--token-env takes the NAME of an environment variable that holds the token, never a token.');
}

/**
 * Adds the option that names the variable with a token, and one that refuses a token itself: commander would repeat it, and
 * what is on a command line ends up in the history of a shell and in the list of processes.
 */
export function addTokenOption(command: Command, description: string): Command {
  const refused = new Option('--token <token>').hideHelp().argParser(() => {
    throw new Error('A token is never written on the command line: --token-env takes the name of a variable with it.');
  });
  return command.option('--token-env <NAME>', description, readVariableName).addOption(refused);
}

/** The origin of a page: scheme, host and port. */
export function readOrigin(given: string): string {
  if (URL.canParse(given) && new URL(given).origin === given) return given;
  throw new InvalidArgumentError('Write scheme, host and port and nothing else: https://app.example.');
}

/** A JSON object. */
export function readJsonObject(given: string): object {
  let value: unknown;
  try {
    value = JSON.parse(given);
  } catch {
    throw new InvalidArgumentError('Write a JSON object: \'{"month":"2026-03"}\'.');
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new InvalidArgumentError('Write a JSON object: \'{"month":"2026-03"}\'.');
}
