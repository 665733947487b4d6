/** What a slow reader has not had yet. */
import { McpHeldEvents } from '../../src/gate/held-events.js';

describe('messages that wait for a slow reader', () => {
  it('come out in their order, with the newest of those that supersede each other', () => {
    const held = new McpHeldEvents();
    held.hold('a1', 'a');
    held.hold('log 1');
    held.hold('a2', 'a');
    held.keep('question');
    held.hold('log 2');
    expect(held.isEmpty).toBe(false);
    expect(held.next()).toBe('a2');
    expect(held.rest()).toBe('log 1questionlog 2');
    expect(held.isEmpty).toBe(true);
    expect(held.next()).toBeUndefined();
  });

  it('are dropped above a bound, but for those that must not be lost (G6)', () => {
    const held = new McpHeldEvents();
    const line = 'x'.repeat(1_000);
    for (let at = 0; at < 1_000; at += 1) held.hold(line);
    held.keep('question');
    held.hold('progress', 'token');
    const rest = held.rest();
    expect(rest.length).toBeLessThan(300_000);
    expect(rest).toMatch(/questionprogress$/);
    held.hold('after');
    expect(held.rest()).toBe('after');
  });

  it('make room as they are taken', () => {
    const held = new McpHeldEvents();
    const half = 'x'.repeat(150_000);
    held.hold(half);
    held.hold(half);
    expect(held.next()).toBe(half);
    expect(held.next()).toBeUndefined();
    held.hold(half);
    expect(held.next()).toBe(half);
  });
});
