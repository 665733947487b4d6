/**
 * How a command ends other than well.
 */

/** What was looked at is faulty, or was not understood. */
export const EXIT_FAULT = 1;
/** The user pressed Ctrl-C (128 and the number of the signal, as shells have it). */
export const EXIT_INTERRUPTED = 130;

/** Ends the command with this code. Whatever there was to say has been said. */
export class McpCommandEnd extends Error {
  override readonly name = 'McpCommandEnd';

  constructor(readonly exitCode: number) {
    super(`The command ended with ${exitCode}.`);
  }
}
