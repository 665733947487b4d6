/**
 * Ctrl-C while a command waits for something that knows nothing of it.
 */

/** The outcome of `work`; rejects with the signal's reason as soon as it aborts, whatever becomes of the work. */
export async function unlessInterrupted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let leave: () => void = () => undefined;
  const interrupted = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason as Error);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave);
  });
  try {
    return await Promise.race([work, interrupted]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
