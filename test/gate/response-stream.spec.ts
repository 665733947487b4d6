/** What a response stream does with a reader that stands still: order is kept, and what must not be lost is not (G6). */
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createMcpResponseStream } from '../../src/gate/response-stream.js';
import { HandClock } from '../support/hand-clock.js';
import { eventsOf } from '../support/http.js';

/** A response whose reader takes nothing until it is told to. */
class StillReader extends EventEmitter {
  writableNeedDrain = false;
  readonly destroyed = false;
  readonly headersSent = false;
  text = '';

  writeHead(): void {}
  flushHeaders(): void {}

  write(text: string): void {
    this.text += text;
  }

  end(text: string): void {
    this.text += text;
  }

  take(): void {
    this.writableNeedDrain = false;
    this.emit('drain');
  }
}

const message = (data: string) => ({ jsonrpc: '2.0' as const, method: 'notifications/message', params: { data } });
/** Longer than what may be left of the room for messages. */
const question = { jsonrpc: '2.0' as const, id: 'ask-1', method: 'roots/list', params: { long: 'x'.repeat(2_000) } };

describe('a response stream whose reader stands still', () => {
  const reader = new StillReader();
  const stream = createMcpResponseStream({
    res: reader as unknown as ServerResponse,
    accept: 'application/json, text/event-stream',
    graceMs: 10,
    heartbeatMs: 10,
    clock: new HandClock(),
  });

  it('holds back, in their order, what comes after, and never loses a question', () => {
    stream.notify(message('first'));
    reader.writableNeedDrain = true;
    for (let at = 0; at < 1_000; at += 1) stream.notify(message('x'.repeat(1_000)));
    stream.ask(question);
    expect(eventsOf(reader.text)).toEqual([message('first')]);
    reader.writableNeedDrain = false; // it takes again, and does not know yet
    stream.notify(message('too late to be first'));
    reader.take();
    const events = eventsOf(reader.text);
    expect(events.length).toBeLessThan(400);
    expect(events.filter((event) => 'id' in event)).toEqual([question]);
    expect(events.findIndex((event) => 'id' in event)).toBeGreaterThan(
      events.findIndex((event) => event === events[1]),
    );
    stream.notify(message('taken'));
    expect(eventsOf(reader.text).at(-1)).toEqual(message('taken'));
    reader.writableNeedDrain = true;
    stream.notify(message('held'));
    stream.finish({ status: 200, body: { jsonrpc: '2.0', id: 1, result: {} } });
    expect(eventsOf(reader.text).slice(-2)).toEqual([message('held'), { jsonrpc: '2.0', id: 1, result: {} }]);
  });
});
