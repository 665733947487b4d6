/** A client whose body is refused still reads the refusal, also when its connection closes with it (P14). */
import { serve, type ServedGate } from '../support/gates.js';
import { dial, postText } from '../support/http.js';

const half = 'x'.repeat(2_000);
const ANSWER = /HTTP\/1\.1 413 [\s\S]*is larger than the 1000 bytes/;

let served: ServedGate;
beforeEach(async () => {
  served = await serve({ bodyLimit: 1_000 });
});
afterEach(() => served.close());

/** The first half of a body that is too large. */
async function sayHalf(headers: Record<string, string>) {
  const wire = await dial(served.port);
  const length = String(2 * half.length);
  wire.socket.write(postText(half, { 'content-length': length, ...headers }));
  await served.ask('2025-11-25', 'ping'); // by then the gate has heard it
  return wire;
}

it('a connection that closes is heard out first', async () => {
  const wire = await sayHalf({ connection: 'close' });
  expect(wire.text).toBe('');
  wire.socket.write(half);
  expect(await wire.until(ANSWER)).toMatch(/connection: close/i);
});

it('but not for ever: two seconds', async () => {
  const wire = await sayHalf({ connection: 'Close' });
  served.clock.turn(1_999);
  await served.ask('2025-11-25', 'ping');
  expect(wire.text).toBe('');
  served.clock.turn(1);
  await wire.until(ANSWER);
  wire.socket.destroy();
});

it('one that stays open is answered at once', async () => {
  const wire = await sayHalf({});
  await wire.until(ANSWER);
  wire.socket.destroy();
});

it('nothing is kept for a client that leaves meanwhile', async () => {
  const wire = await sayHalf({ connection: 'close' });
  expect(served.clock.pending).toBe(1);
  const { req } = served.exchanges[0]!;
  const gone = new Promise((resolve) => req.once('close', resolve));
  wire.socket.destroy();
  await gone;
  expect(served.clock.pending).toBe(0);
});
