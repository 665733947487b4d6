/**
 * Bytes in, lines out, wherever the chunks of a stream are cut (2026-07-28, stdio). No more of a line is held than a gate
 * takes: a longer one is told once, and what is left of it is dropped as it comes.
 */

/** A line without its newline, or that there was one longer than allowed. */
export type McpInputLine = Buffer | 'too-long';

const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');
const BLANK = new Set([0x20, 0x09, 0x0d]);
const NOTHING = Buffer.alloc(0);
const LEAST_ROOM = 4 * 1024;

/**
 * Cuts one stream. The return of a CRLF stays on its line, where JSON takes it for a space; blank lines are none. A byte order
 * mark before a line is dropped, as RFC 8259 (8.1) allows: shells of Windows begin with one what they pipe, and a library for
 * .NET has one before every message.
 */
export class McpLineReader {
  private held = NOTHING;
  private size = 0;
  private dropping = false;

  /** @param limit the longest line, in bytes without its newline */
  constructor(private readonly limit: number) {}

  /** The lines that end in this chunk, each cut off when it is asked for. */
  *read(chunk: Buffer): Generator<McpInputLine> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const line = this.complete(chunk.subarray(start, end));
      start = end + 1;
      if (line !== undefined) yield line;
    }
    if (this.keep(chunk.subarray(start))) yield 'too-long';
  }

  /** The stream has ended: what stands there without a newline is a line too. */
  end(): McpInputLine | undefined {
    return this.complete(NOTHING);
  }

  private complete(rest: Buffer): McpInputLine | undefined {
    const { dropping, held, size } = this;
    this.held = NOTHING;
    this.size = 0;
    this.dropping = false;
    if (dropping) return undefined; // it was told when it grew too long
    if (size + rest.length > this.limit) return 'too-long';
    const bytes = withoutMark(size === 0 ? rest : Buffer.concat([held.subarray(0, size), rest]));
    return isBlank(bytes) ? undefined : bytes;
  }

  /** Keeps the beginning of a line. `true` when that is too long, once. */
  private keep(part: Buffer): boolean {
    if (this.dropping) return false;
    const end = this.size + part.length;
    if (end > this.limit) {
      this.dropping = true;
      this.held = NOTHING;
      this.size = 0;
      return true;
    }
    if (end > this.held.length) {
      const room = Buffer.allocUnsafe(Math.min(this.limit, Math.max(2 * end, LEAST_ROOM)));
      this.held.copy(room, 0, 0, this.size);
      this.held = room;
    }
    part.copy(this.held, this.size);
    this.size = end;
    return false;
  }
}

function withoutMark(bytes: Buffer): Buffer {
  const { length } = BYTE_ORDER_MARK;
  return bytes.subarray(0, length).equals(BYTE_ORDER_MARK) ? bytes.subarray(length) : bytes;
}

function isBlank(bytes: Buffer): boolean {
  for (const byte of bytes) if (!BLANK.has(byte)) return false;
  return true;
}
