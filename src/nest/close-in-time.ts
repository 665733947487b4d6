/**
 * The end of an application whose hooks may hang: nobody is left who would end the process then.
 */
import type { INestApplicationContext } from '@nestjs/common';
import { McpCommandFault } from '../stdio/command-fault.js';

/** Milliseconds that the shutdown hooks of an application have. */
const CLOSING_MS = 10_000;

/**
 * Runs the shutdown hooks of Nest.
 *
 * @param signal what the hooks are told of
 * @throws McpCommandFault when they take longer than ten seconds, and what they fail with.
 */
export async function closeInTime(app: INestApplicationContext, signal?: string): Promise<void> {
  let late: NodeJS.Timeout | undefined;
  const patience = new Promise<never>((_, reject) => {
    const give = () =>
      reject(new McpCommandFault(`The shutdown hooks took longer than ${CLOSING_MS / 1_000} seconds.`));
    late = setTimeout(give, CLOSING_MS);
  });
  try {
    await Promise.race([(app as ClosedBySignal).close(signal), patience]);
  } finally {
    clearTimeout(late);
  }
}

/** Nest hands the signal to the hooks, although its interface does not say so. */
interface ClosedBySignal {
  close(signal?: string): Promise<void>;
}
