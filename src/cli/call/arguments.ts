/**
 * The arguments of a call, as they are typed or piped in. What is no JSON object is known before anything is called.
 */
import { text } from 'node:stream/consumers';
import type { ParseError } from 'jsonc-parser';
import { unlessInterrupted } from '../interruption.js';
import type { McpCommandSurroundings } from '../surroundings.js';

/** In place of arguments: they come by standard input. */
const PIPED = '-';

/**
 * The arguments; none when nothing was given.
 *
 * @throws Error for anything but a JSON object, and the signal's reason when the user interrupts the reading.
 */
export async function readArguments(
  given: string | undefined,
  { stdin = process.stdin, interrupted, err }: Pick<McpCommandSurroundings, 'stdin' | 'interrupted' | 'err'>,
): Promise<Record<string, unknown>> {
  if (given === undefined) return {};
  if (given !== PIPED) return parse(given, 'The arguments are');
  if ('isTTY' in stdin && stdin.isTTY) err('Write the arguments, and Ctrl-D behind them.\n');
  try {
    return await parse(await unlessInterrupted(interrupted, text(stdin)), 'Standard input is');
  } finally {
    stdin.destroy(); // of a terminal it would be read, and keep the process, until Ctrl-D
  }
}

async function parse(given: string, what: string): Promise<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(given);
  } catch {
    // Not in the words of JSON.parse(), which show a part of what may be a password.
    throw new Error(`${what} no JSON: something is wrong at ${await placeOfFault(given)}. ${WAY_OUT}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new Error(
    `${what} ${Array.isArray(value) ? 'an array' : value === null ? 'null' : `a ${typeof value}`}, not a JSON object. ${WAY_OUT}`,
  );
}

async function placeOfFault(given: string): Promise<string> {
  const { default: jsonc } = await import('jsonc-parser');
  const errors: ParseError[] = [];
  jsonc.parse(given, errors, { disallowComments: true });
  const before = given.slice(0, errors[0]?.offset ?? 0).split('\n');
  return `line ${before.length}, column ${before.at(-1)!.length + 1}`;
}

const WAY_OUT = 'Write one such as \'{"sku":"A-001"}\', or - to pipe it in. Nothing was called.';
