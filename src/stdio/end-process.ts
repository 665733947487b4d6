/**
 * The end of a process that has something to say yet: output to a pipe is written later, and `process.exit()` does not wait.
 */
import type { Writable } from 'node:stream';

/** Milliseconds that a client has to take what is still to be said when the server has to end. */
export const LAST_WORDS_MS = 1_000;

/** The part of a process that is ended. */
export interface EndingProcess {
  readonly stdout: Writable;
  readonly stderr: Writable;
  exit(code: number): unknown;
}

/**
 * Ends the process with a code once all that was printed has been taken.
 *
 * @param patienceMs after how many milliseconds one who does not read is no reason to stay. @default stays
 */
export async function endProcess(code: number, process: EndingProcess, patienceMs?: number): Promise<void> {
  const printed = Promise.all([written(process.stdout), written(process.stderr)]);
  let impatient: NodeJS.Timeout | undefined;
  const patience = new Promise((resolve) => {
    if (patienceMs !== undefined) impatient = setTimeout(resolve, patienceMs);
  });
  await Promise.race([printed, patience]);
  clearTimeout(impatient);
  process.exit(code);
}

function written(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableLength === 0) resolve();
    else stream.write('', () => resolve()); // behind all the rest
  });
}
