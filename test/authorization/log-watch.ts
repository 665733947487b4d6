/** Applications whose log is read: no secret may stand in it (A9). */
import { serve, type Served, type ServeOptions } from '../nest/serve.js';
import { keptSecrets, tellingLines, writtenLines } from '../support/written.js';

export { serve as open };

/** Opens, tests, and closes whatever happens. */
export async function opened<T>(
  metadata: Parameters<typeof serve>[0],
  options: ServeOptions,
  work: (gate: Served) => Promise<T>,
): Promise<T> {
  const gate = await serve(metadata, options);
  try {
    return await work(gate);
  } finally {
    await gate.close();
  }
}

/** What is logged from now on, at one level or at all, as `level text`. */
export function logFromNow({ log }: Served): (level?: string) => string[] {
  const from = log.lines.length;
  return (wanted) =>
    log.lines
      .slice(from)
      .filter(({ level }) => wanted === undefined || level === wanted)
      .map(({ level, text }) => `${level} ${text}`);
}

/** Stands at the end of a suite: its test runs last, and there must have been something to read. */
export function judgeTheLog(): void {
  test('No token, key or Authorization header stands in anything that this suite wrote (A9)', () => {
    expect(writtenLines().length).toBeGreaterThan(10);
    expect(keptSecrets().length).toBeGreaterThan(2);
    expect(tellingLines()).toEqual([]);
  });
}
