/**
 * The arguments of a call, as they are typed or piped in. What is no JSON object is known before anything is called.
 */
import { text } from 'node:stream/consumers';
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
  { stdin = process.stdin, interrupted }: Pick<McpCommandSurroundings, 'stdin' | 'interrupted'>,
): Promise<Record<string, unknown>> {
  if (given === undefined) return {};
  if (given !== PIPED) return parse(given, 'The arguments are');
  try {
    return parse(await unlessInterrupted(interrupted, text(stdin)), 'Standard input is');
  } finally {
    stdin.destroy(); // of a terminal it would be read, and keep the process, until Ctrl-D
  }
}

function parse(given: string, what: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(given);
  } catch (error) {
    throw new Error(`${what} no JSON (${(error as Error).message}). ${WAY_OUT}`, { cause: error });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new Error(
    `${what} ${Array.isArray(value) ? 'an array' : JSON.stringify(value)}, not a JSON object. ${WAY_OUT}`,
  );
}

const WAY_OUT = 'Write one such as \'{"sku":"A-001"}\', or - to pipe it in. Nothing was called.';
