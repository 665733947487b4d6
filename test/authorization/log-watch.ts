/**
 * Reads all that a suite writes: every level of Nest's log of every application that it opens, the console, and both
 * streams of the process. No secret may stand in it (A9, issue 3).
 */
import { serve, type Served, type ServeOptions } from '../nest/serve.js';
import { keptSecrets } from './tokens.js';

const written: (() => readonly string[])[] = [];

/** Serves an application whose log is read at the end of the suite. */
export async function open(metadata: Parameters<typeof serve>[0], options: ServeOptions = {}): Promise<Served> {
  const gate = await serve(metadata, options);
  written.push(() => gate.log.lines.map(({ level, text, context }) => `${level} ${context} ${text}`));
  return gate;
}

/** Opens, tests, and closes whatever happens. */
export async function opened<T>(
  metadata: Parameters<typeof serve>[0],
  options: ServeOptions,
  work: (gate: Served) => Promise<T>,
): Promise<T> {
  const gate = await open(metadata, options);
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

/** Stands at the end of a suite: its test runs last and reads everything. */
export function judgeTheLog(): void {
  const other: string[] = [];
  const undo: (() => void)[] = [];
  beforeAll(() => {
    for (const stream of [process.stdout, process.stderr]) undo.push(record(stream, 'write', other));
    for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) undo.push(record(console, method, other));
    written.push(() => other);
  });
  afterAll(() => undo.forEach((back) => back()));

  test('No token, key or Authorization header stands in anything that this suite wrote (A9, issue 3)', () => {
    const lines = written.flatMap((read) => read());
    const secrets = keptSecrets();
    expect(lines.length).toBeGreaterThan(10);
    expect(secrets.length).toBeGreaterThan(2);
    expect(lines.filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([]);
    expect(lines.filter((line) => /\b(bearer|basic) +[\w.~+/-]{8,}/i.test(line))).toEqual([]);
  });
}

function record<Name extends string>(
  target: Record<Name, (...args: never[]) => unknown>,
  name: Name,
  lines: string[],
): () => void {
  const original = target[name];
  target[name] = (...args: never[]) => {
    lines.push(args.map(String).join(' '));
    return original.apply(target, args);
  };
  return () => void (target[name] = original);
}
