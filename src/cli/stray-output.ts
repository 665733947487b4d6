/**
 * Standard output kept for a command's result while code of the application runs: whatever that prints, and wherever, goes
 * to the command's standard error.
 */
import type { McpCommandSurroundings } from './surroundings.js';

const STREAMS = ['stdout', 'stderr'] as const;

/**
 * Works with surroundings that write as ever, while everybody else's writing to a stream of the process is an `err`.
 *
 * Does NOT reach what writes to a descriptor past `process.stdout`: child processes that inherit it, `fs.writeSync(1, …)`.
 */
export async function withStrayOutputInErr<T>(
  given: McpCommandSurroundings,
  work: (surroundings: McpCommandSurroundings) => Promise<T>,
): Promise<T> {
  let isOurs = false;
  const ours = (write: (text: string) => void) => (text: string) => {
    isOurs = true;
    try {
      write(text);
    } finally {
      isOurs = false;
    }
  };
  const out = ours(given.out);
  const err = ours(given.err);
  const giveBack = STREAMS.map((name) => divert(process[name], () => isOurs, err));
  try {
    return await work(Object.assign(Object.create(given) as McpCommandSurroundings, { out, err }));
  } finally {
    for (const back of giveBack) back();
  }
}

/** Hands what is written to a stream to `to`, unless it `passes`. The result undoes it. */
function divert(stream: NodeJS.WriteStream, passes: () => boolean, to: (text: string) => void): () => void {
  const before = Object.getOwnPropertyDescriptor(stream, 'write');
  const write = stream.write.bind(stream);
  stream.write = ((...given: Parameters<typeof write>) => {
    if (passes()) return write(...given);
    const [chunk, ...rest] = given as [string | Uint8Array, ...unknown[]];
    to(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
    const done = rest.find((each): each is () => void => typeof each === 'function');
    if (done !== undefined) process.nextTick(done);
    return true;
  }) as typeof write;
  return () => {
    if (before === undefined) delete (stream as Partial<typeof stream>).write;
    else Object.defineProperty(stream, 'write', before);
  };
}
