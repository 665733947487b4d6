import * as fc from 'fast-check';
import { McpLineReader, type McpInputLine } from '../../src/stdio/line-reader.js';

/** Every line of a stream that comes in these chunks. */
function readAll(chunks: readonly Buffer[], limit: number): McpInputLine[] {
  const reader = new McpLineReader(limit);
  const lines = chunks.flatMap((chunk) => [...reader.read(chunk)].map(copy));
  const last = reader.end();
  return last === undefined ? lines : [...lines, copy(last)];
}

/** What is kept of a line must not change with what comes behind it. */
const copy = (line: McpInputLine): McpInputLine => (line === 'too-long' ? line : Buffer.from(line));

const texts = (lines: readonly McpInputLine[]): string[] => lines.map(String);

/** A stream, cut anywhere. */
function cut(stream: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set(places.map((place) => place % (stream.length + 1)))].toSorted((a, b) => a - b);
  return [...ends, stream.length].map((end, at) => stream.subarray(ends[at - 1] ?? 0, end));
}

const cuts = fc.array(fc.nat(), { maxLength: 40 });

describe('the lines of a stream (S1)', () => {
  it('are the messages that were sent, wherever the chunks were cut, in the middle of a character too', () => {
    const messages = fc.array(fc.jsonValue({ noUnicodeString: false }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(messages, cuts, fc.constantFrom('\n', '\r\n'), fc.boolean(), (sent, places, newline, closed) => {
        const stream = sent.map((message) => JSON.stringify(message)).join(newline) + (closed ? newline : '');
        const lines = readAll(cut(Buffer.from(stream), places), 1_000_000);
        expect(lines.map((line) => JSON.parse(String(line)))).toEqual(
          sent.map((each) => JSON.parse(JSON.stringify(each))),
        );
      }),
    );
  });

  it('are the same whatever the chunks, and of any bytes: none is lost, none held beyond the limit', () => {
    const byte = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(0x0a, 0x20, 0x0d, 0xc3, 0xa9) }, fc.nat(255));
    const piece = fc.oneof({ weight: 9, arbitrary: byte.map((each) => [each]) }, fc.constant([0xef, 0xbb, 0xbf]));
    const stream = fc.array(piece, { maxLength: 120 }).map((pieces) => pieces.flat());
    fc.assert(
      fc.property(stream, cuts, fc.integer({ min: 1, max: 12 }), (bytes, places, limit) => {
        const sent = Buffer.from(bytes);
        const expected = sent
          .toString('latin1')
          .split('\n')
          .map((line) => (line.length > limit ? 'too-long' : line.replace(/^\xef\xbb\xbf/, '')))
          .filter((line) => /[^ \t\r]/.test(line));
        const lines = readAll(cut(sent, places), limit);
        expect(lines.map((line) => (line === 'too-long' ? line : line.toString('latin1')))).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('come several a chunk, each when it is asked for, and one chunk at a time byte by byte', () => {
    const reader = new McpLineReader(100);
    const lines = reader.read(Buffer.from('one\ntwo\nthr'));
    expect(String(lines.next().value)).toBe('one');
    expect(String(lines.next().value)).toBe('two');
    expect(lines.next().done).toBe(true);
    expect(texts([...reader.read(Buffer.from('ee\n'))])).toEqual(['three']);
    expect(
      texts(
        readAll(
          [...Buffer.from('é\nü')].map((byte) => Buffer.from([byte])),
          100,
        ),
      ),
    ).toEqual(['é', 'ü']);
  });

  it('are without the byte order mark that stands before them, and keep any other', () => {
    const mark = '\uFEFF';
    const stream = `${mark}{"a":"${mark}"}\n${mark}\r\n${mark}{}\n ${mark}`;
    expect(texts(readAll([Buffer.from(stream)], 100))).toEqual([`{"a":"${mark}"}`, '{}', ` ${mark}`]);
    const bytes = [...Buffer.from(stream)].map((byte) => Buffer.from([byte]));
    expect(texts(readAll(bytes, 100))).toEqual([`{"a":"${mark}"}`, '{}', ` ${mark}`]);
  });

  it('may be as long as the limit, and a longer one is told as soon as it is, once', () => {
    expect(texts(readAll([Buffer.from('12345\n123456\n12345')], 5))).toEqual(['12345', 'too-long', '12345']);
    const reader = new McpLineReader(5);
    expect([...reader.read(Buffer.from('123'))]).toEqual([]);
    expect([...reader.read(Buffer.from('456'))]).toEqual(['too-long']);
    expect([...reader.read(Buffer.from('789'))]).toEqual([]);
    expect(texts([...reader.read(Buffer.from('0\nnext\n'))])).toEqual(['next']);
    expect(reader.end()).toBeUndefined();
  });

  it('that are too long cost no memory', () => {
    const reader = new McpLineReader(1_000);
    const chunk = Buffer.alloc(1_000_000, 'x');
    const before = process.memoryUsage().arrayBuffers;
    const told = Array.from({ length: 200 }, () => [...reader.read(chunk)]).flat();
    expect(told).toEqual(['too-long']);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000);
  });
});
