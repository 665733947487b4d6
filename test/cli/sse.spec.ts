import * as fc from 'fast-check';
import { sseReader } from '../../src/cli/http/sse.js';

function readAll(pieces: readonly string[]): string[] {
  const events: string[] = [];
  const read = sseReader((data) => events.push(data));
  for (const piece of pieces) read(piece);
  return events;
}

describe('the events of a stream', () => {
  it('are the same wherever it is cut, with every way to end a line', () => {
    const ending = fc.constantFrom('\n', '\r', '\r\n');
    const line = fc.constantFrom(
      ': comment',
      'event: message',
      'id: 1',
      'data',
      'data:',
      'data: a',
      'data: b: c',
      'data:  d',
      'x',
    );
    const event = fc.array(line, { maxLength: 4 });
    const cuts = fc.array(fc.nat(), { maxLength: 20 });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 6 }), ending, cuts, (sent, end, places) => {
        const stream = sent.map((lines) => [...lines, ''].map((each) => each + end).join('')).join('');
        const values = sent.map((lines) => lines.flatMap((each) => /^data(?::? ?)(.*)$/.exec(each)?.[1] ?? []));
        const expected = values.filter((data) => data.length > 0).map((data) => data.join('\n'));
        const ends = [...new Set(places.map((place) => place % (stream.length + 1)))].toSorted((a, b) => a - b);
        const pieces = [...ends, stream.length].map((to, at) => stream.slice(ends[at - 1] ?? 0, to));
        expect(readAll(pieces)).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('come as soon as their last line has ended, and one that has not is none', () => {
    expect(readAll(['data: a\r', '\r'])).toEqual(['a']);
    expect(readAll(['data: a\r\n\r'])).toEqual(['a']);
    expect(readAll(['data: a\n'])).toEqual([]);
  });

  it.each([
    ['a line that does not end', 'data: ', 'x'.repeat(1_000_000)],
    ['lines that do not end', '', `data: ${'x'.repeat(1_000_000)}\n`],
    ['empty lines of data that do not end', '', 'data:\n'.repeat(10_000)],
  ])('are no longer read behind %s, of which it is told once', (_, head, piece) => {
    let told = 0;
    const events: string[] = [];
    const read = sseReader(
      (data) => events.push(data),
      () => (told += 1),
    );
    read(`: a comment of any length ${'x'.repeat(1_000_000)}\n\ndata: before\n\n${head}`);
    for (let sent = 0; sent < 110; sent += 1) read(piece);
    read('\n\ndata: behind\n\n');
    expect([told, events]).toEqual([1, ['before']]);
  });

  it('may be many, and comments between them as long as they like', () => {
    let told = 0;
    let count = 0;
    const read = sseReader(
      () => (count += 1),
      () => (told += 1),
    );
    for (let sent = 0; sent < 110; sent += 1) read(`: ${'x'.repeat(1_000_000)}\n`);
    for (let sent = 0; sent < 110; sent += 1) read(`data: ${'x'.repeat(1_000_000)}\n\n`);
    expect([told, count]).toEqual([0, 110]);
  });
});
