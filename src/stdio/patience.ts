/**
 * Patience with somebody who may be slow and may be gone: it lasts as long as there is any progress.
 */

/**
 * Calls back once nothing has grown for `ms` milliseconds; for twice that, at the latest. What comes back calls it off.
 *
 * @param grown a number that grows with progress
 */
export function onceStalled(grown: () => number, ms: number, tell: () => void): () => void {
  let before = grown();
  const timer = setInterval(() => {
    const now = grown();
    if (now === before) {
      clearInterval(timer);
      tell();
    }
    before = now;
  }, ms);
  return () => clearInterval(timer);
}
