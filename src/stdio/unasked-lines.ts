/**
 * What was read and is not asked yet. Only who reads hears that the other side has closed its end, so reading goes on while
 * answers wait to be taken, as far as memory has a bound.
 */
import { McpLineReader, type McpInputLine } from './line-reader.js';

/** What a chunk costs beside its bytes, about: a client may write letter by letter. */
const CHUNK_COST = 512;

/** Chunks in, lines out, each when it is asked for. */
export class McpUnaskedLines {
  private readonly reader: McpLineReader;
  private readonly chunks: Buffer[] = [];
  /** What is left of the chunk that is being cut. */
  private lines: Iterator<McpInputLine> | undefined;
  private size = 0;

  /**
   * @param lineLimit the longest line, in bytes
   * @param limit bytes that may wait before no more should be read
   */
  constructor(
    lineLimit: number,
    private readonly limit: number,
  ) {
    this.reader = new McpLineReader(lineLimit);
  }

  /** Whether so much waits that no more should be read. */
  get isFull(): boolean {
    return this.size > this.limit;
  }

  put(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.size += chunk.length + CHUNK_COST;
  }

  /** The next line; `undefined` when no whole one is there. */
  next(): McpInputLine | undefined {
    for (;;) {
      const line = this.lines?.next();
      if (line?.done === false) return line.value;
      const chunk = this.chunks.shift();
      this.lines = chunk && this.reader.read(chunk);
      if (chunk === undefined) return undefined;
      this.size -= chunk.length + CHUNK_COST;
    }
  }

  /** No more comes: what stands there without a newline is a line too. Asked for once all others were. */
  end(): McpInputLine | undefined {
    return this.reader.end();
  }
}
