import type { McpLineSink } from '../../src/stdio/line-sink.js';
import { McpLineWriter } from '../../src/stdio/line-writer.js';

/** A reader that takes a line when the test says so. */
class SlowReader {
  readonly lines: string[] = [];
  readonly failures: unknown[] = [];
  private release: { take: () => void; leave: (error: unknown) => void } | undefined;

  readonly sink: McpLineSink = (line) => {
    this.lines.push(line);
    return new Promise((take, leave) => (this.release = { take, leave }));
  };

  writer(limit = 100): McpLineWriter {
    return new McpLineWriter(this.sink, limit, (error) => this.failures.push(error));
  }

  /** Takes the line that it was given last, and is given the next one. */
  async take(): Promise<void> {
    this.release?.take();
    await settled();
  }

  async leave(error: unknown): Promise<void> {
    this.release?.leave(error);
    await settled();
  }

  /** Takes everything. */
  async takeAll(): Promise<void> {
    for (let seen = -1; seen !== this.lines.length; await this.take()) seen = this.lines.length;
  }

  get messages(): unknown[] {
    return this.lines.map((line) => JSON.parse(line) as unknown);
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const progress = (progressToken: string | number, value: number) => ({
  jsonrpc: '2.0' as const,
  method: 'notifications/progress',
  params: { progressToken, progress: value },
});

describe('the writer of lines', () => {
  it('writes each message as one line, at once while they are taken, with no newline inside (S1)', () => {
    const lines: string[] = [];
    const writer = new McpLineWriter(
      (line) => void lines.push(line),
      100,
      () => undefined,
    );
    writer.send({ text: 'two\nlines\u2028' }, 1);
    writer.notify(progress('p', 1), 1);
    expect(lines).toEqual([
      '{"text":"two\\nlines\u2028"}\n',
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1}}\n',
    ]);
  });

  it('hands over the next line only once the one before was taken, in order', async () => {
    const reader = new SlowReader();
    const writer = reader.writer();
    for (const id of [1, 2, 3]) writer.send({ id }, id);
    expect(reader.messages).toEqual([{ id: 1 }]);
    await reader.take();
    expect(reader.messages).toEqual([{ id: 1 }, { id: 2 }]);
    await reader.takeAll();
    expect(reader.messages).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });

  it('lets waiting progress give way to newer progress of its token, in its place (G6)', async () => {
    const reader = new SlowReader();
    const writer = reader.writer(10_000);
    writer.send({ id: 0 }, 0);
    for (let value = 1; value <= 1_000; value += 1) {
      writer.notify(progress('a', value), 1);
      writer.notify(progress(1, value), 2);
    }
    writer.send({ id: 1 }, 1);
    expect(writer.isFull).toBe(false);
    await reader.takeAll();
    expect(reader.messages).toEqual([{ id: 0 }, progress('a', 1_000), progress(1, 1_000), { id: 1 }]);
    writer.notify(progress('a', 1_001), 1);
    await reader.takeAll();
    expect(reader.messages.at(-1)).toEqual(progress('a', 1_001));
  });

  it('drops what may be lost while too much waits, and keeps the rest (G6)', async () => {
    const reader = new SlowReader();
    const writer = reader.writer(100);
    const log = (data: string) => ({ jsonrpc: '2.0' as const, method: 'notifications/message', params: { data } });
    writer.send({ id: 0 }, 0);
    for (let at = 0; at < 100; at += 1) writer.notify(log(`${at}`), 1);
    writer.notify(progress('a', 1), 1);
    writer.send({ id: 1 }, 1);
    await reader.takeAll();
    expect(reader.messages).toEqual([{ id: 0 }, log('0'), log('1'), progress('a', 1), { id: 1 }]);
    writer.notify(log('later'), 1);
    await reader.takeAll();
    expect(reader.messages.at(-1)).toEqual(log('later'));
  });

  it('forgets what waits of one request, and nothing else (R4)', async () => {
    const reader = new SlowReader();
    const writer = reader.writer(10_000);
    writer.send({ id: 0 }, 0);
    writer.notify(progress('a', 1), 1);
    writer.notify(progress('b', 1), '1');
    writer.send({ id: 1 }, 1);
    writer.send({ batch: true });
    writer.forget(1);
    writer.notify(progress('a', 2), 7);
    await reader.takeAll();
    expect(reader.messages).toEqual([{ id: 0 }, progress('b', 1), { batch: true }, progress('a', 2)]);
  });

  it('is full above its limit, and says when there is room again', async () => {
    const reader = new SlowReader();
    const writer = reader.writer(20);
    const told: string[] = [];
    writer.send({ id: 'taken and on its way' });
    writer.whenRoom(() => told.push('empty'));
    writer.send({ id: 'waits: 24 letters' });
    expect(writer.isFull).toBe(true);
    writer.whenRoom(() => told.push('room'));
    writer.whenFlushed(() => told.push('flushed'));
    expect(told).toEqual(['empty']);
    await reader.take();
    expect(told).toEqual(['empty', 'room']);
    await reader.take();
    expect(told).toEqual(['empty', 'room', 'flushed']);
  });

  it('has room again when what waited is forgotten', () => {
    const reader = new SlowReader();
    const writer = reader.writer(5);
    const told: string[] = [];
    writer.send({ id: 0 });
    writer.send({ id: 'long enough' }, 1);
    writer.whenRoom(() => told.push('room'));
    writer.forget(1);
    expect([told, writer.isFull]).toEqual([['room'], false]);
  });

  it.each([
    ['rejects', async (reader: SlowReader) => reader.leave(new Error('gone'))],
    ['throws', async () => undefined],
  ])('drops everything once the sink %s, says so once, and lets nobody wait', async (how, leave) => {
    const reader = new SlowReader();
    const sink: McpLineSink = how === 'throws' ? thrower : reader.sink;
    const writer = new McpLineWriter(sink, 5, (error) => reader.failures.push(error));
    const told: string[] = [];
    writer.send({ id: 1 });
    writer.send({ id: 'waits long enough' });
    writer.whenRoom(() => told.push('room'));
    writer.whenFlushed(() => told.push('flushed'));
    await leave(reader);
    writer.send({ id: 3 });
    expect(told).toEqual(['room', 'flushed']);
    expect(reader.failures).toEqual([new Error('gone')]);
    expect(reader.lines.length).toBeLessThan(2);
  });

  it.each([
    ['is taken', (reader: SlowReader) => reader.take()],
    ['fails', (reader: SlowReader) => reader.leave(new Error('gone'))],
  ])('drops everything once it is closed, and minds no more whether the last line %s', async (_, end) => {
    const reader = new SlowReader();
    const writer = reader.writer();
    const told: string[] = [];
    for (const id of [1, 2]) writer.send({ id });
    writer.whenFlushed(() => told.push('flushed'));
    writer.close();
    writer.send({ id: 3 });
    await end(reader);
    expect([told, reader.messages, reader.failures, writer.taken]).toEqual([['flushed'], [{ id: 1 }], [], 0]);
  });

  it('counts what was taken', async () => {
    const reader = new SlowReader();
    const writer = reader.writer();
    for (const id of [1, 2]) writer.send({ id });
    expect(writer.taken).toBe(0);
    await reader.take();
    expect(writer.taken).toBe(1);
    await reader.takeAll();
    expect(writer.taken).toBe(2);
  });
});

const thrower: McpLineSink = () => {
  throw new Error('gone');
};
