/** One client and what it is told: only what makes a difference to it, and of a burst only that there was one (A2, G6). */
import { inspect } from 'node:util';
import * as fc from 'fast-check';
import type { Awaitable } from '../../src/awaitable.js';
import type { McpEvent, McpListKind } from '../../src/events/event.js';
import { fingerprint } from '../../src/events/fingerprint.js';
import { McpSubscription, type McpView } from '../../src/events/subscription.js';
import { HandClock } from '../support/hand-clock.js';

/** What a client sees, as the test changes it. */
class Sight implements McpView {
  lists: Record<McpListKind, string> = { tools: 't0', prompts: 'p0', resources: 'r0' };
  uris = new Set<string>();
  looks = 0;
  /** What stands before every look. */
  before: () => Awaitable<void> = () => undefined;

  async list(kind: McpListKind): Promise<string> {
    this.looks += 1;
    await this.before();
    return this.lists[kind];
  }

  spelling(uri: string): string {
    return uri.toLowerCase();
  }

  async sees(uri: string): Promise<boolean> {
    this.looks += 1;
    await this.before();
    return this.uris.has(uri);
  }
}

const settled = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};
const TOOLS: McpEvent = { kind: 'tools' };
const at = (uri: string): McpEvent => ({ kind: 'resource', uri });

async function following(kinds: McpListKind[] = ['tools'], uris: string[] = []) {
  const sight = new Sight();
  const told: string[] = [];
  /** The list of tools as it was when something was told. */
  const states: string[] = [];
  const failures: unknown[] = [];
  const clock = new HandClock();
  const subscription = new McpSubscription(sight, {
    tell(event) {
      told.push(event.kind === 'resource' ? event.uri : event.kind);
      states.push(sight.lists.tools);
    },
    fail: (error) => failures.push(error),
    after: (ms, work) => clock.after(ms, work),
  });
  for (const kind of kinds) await subscription.follow(kind);
  for (const uri of uris) {
    sight.uris.add(uri);
    subscription.watch(uri);
  }
  subscription.begin();
  sight.looks = 0;
  return { sight, told, states, failures, clock, subscription };
}

describe('a list that a client follows', () => {
  it('is told of when it has become another for this client, and then not again', async () => {
    const { sight, told, subscription } = await following();
    sight.lists.tools = 't1';
    subscription.hear(TOOLS);
    await settled();
    subscription.hear(TOOLS);
    await settled();
    expect(told).toEqual(['tools']);
    sight.lists.tools = 't0'; // back again is a change, too
    subscription.hear(TOOLS);
    await settled();
    expect(told).toEqual(['tools', 'tools']);
  });

  it('A2: is not told of when nothing has changed that this client can see', async () => {
    const { sight, told, subscription } = await following();
    subscription.hear(TOOLS);
    await settled();
    expect([told, sight.looks]).toEqual([[], 1]);
  });

  it('is looked at for its own events alone', async () => {
    const { sight, told, subscription } = await following(['prompts']);
    sight.lists = { tools: 't1', prompts: 'p1', resources: 'r1' };
    for (const kind of ['tools', 'resources'] as const) subscription.hear({ kind });
    subscription.hear(at('shop://x'));
    await settled();
    expect([told, sight.looks]).toEqual([[], 0]);
  });

  it('G6: of which a thousand changes are said at once is looked at once', async () => {
    const { sight, told, subscription } = await following();
    for (let change = 0; change < 1_000; change += 1) {
      sight.lists.tools = `t${change + 1}`;
      subscription.hear(TOOLS);
    }
    await settled();
    expect([told, sight.looks]).toEqual([['tools'], 1]);
  });

  it('that changes while it is being looked at is looked at once more, however often it does', async () => {
    const { sight, told, subscription } = await following();
    let go: () => void = () => undefined;
    sight.before = () => new Promise((resolve) => (go = resolve));
    sight.lists.tools = 't1';
    subscription.hear(TOOLS);
    await settled();
    for (let more = 0; more < 5; more += 1) subscription.hear(TOOLS);
    go();
    await settled();
    sight.lists.tools = 't2';
    go();
    await settled();
    expect([told, sight.looks]).toEqual([['tools', 'tools'], 2]);
  });

  it('G6: that is said to have changed by whoever is asked for it is looked at more and more seldom, and rests in between', async () => {
    const { sight, clock, subscription } = await following();
    sight.before = () => subscription.hear(TOOLS);
    subscription.hear(TOOLS);
    await settled();
    expect([sight.looks, clock.pending]).toEqual([2, 1]);
    for (const ms of [1, 2, 4, 8, 16, 32, 64, 100, 100]) {
      const { looks } = sight;
      clock.turn(ms - 0.5);
      await settled();
      expect(sight.looks).toBe(looks);
      clock.turn(0.5);
      await settled();
      expect(sight.looks).toBe(looks + 1);
    }
    subscription.end();
    expect(clock.pending).toBe(0);
  });

  it('that changed while it rests is told of behind the rest, and does not rest when it changes later', async () => {
    const { sight, told, clock, subscription } = await following();
    sight.before = () => subscription.hear(TOOLS);
    subscription.hear(TOOLS);
    await settled();
    sight.before = () => undefined;
    sight.lists.tools = 't1';
    subscription.hear(TOOLS);
    await settled();
    expect(told).toEqual([]);
    clock.turn(1);
    await settled();
    expect(told).toEqual(['tools']);
    sight.lists.tools = 't2';
    subscription.hear(TOOLS);
    await settled();
    expect([told, clock.pending]).toEqual([['tools', 'tools'], 0]);
  });

  it('that changes while it is looked at for the first time is compared with what it was then', async () => {
    const { sight, told, subscription } = await following([]);
    const gates: (() => void)[] = [];
    sight.before = () => new Promise((resolve) => gates.push(resolve));
    const followed = subscription.follow('tools');
    subscription.hear(TOOLS);
    await settled();
    expect(sight.looks).toBe(1);
    gates[0]!();
    await followed;
    await settled();
    gates[1]!();
    await settled();
    expect([told, sight.looks]).toEqual([[], 2]); // it was as it is
  });

  it('that cannot be looked at for the first time is followed, and told of as soon as it can', async () => {
    const { sight, told, failures, subscription } = await following([]);
    sight.before = () => Promise.reject(new Error('no database'));
    await expect(subscription.follow('tools')).rejects.toThrow('no database');
    sight.before = () => undefined;
    subscription.hear(TOOLS);
    await settled();
    expect([told, failures]).toEqual([['tools'], []]);
  });

  it('is not told of before the beginning; what comes in between is looked at then', async () => {
    const sight = new Sight();
    const told: unknown[] = [];
    const subscription = new McpSubscription(sight, { tell: (event) => told.push(event), fail, after: fail });
    await subscription.follow('tools');
    sight.lists.tools = 't1';
    subscription.hear(TOOLS);
    await settled();
    expect(told).toEqual([]);
    subscription.begin();
    await settled();
    expect(told).toEqual([TOOLS]);
  });

  it('whose look never ends holds up no other', async () => {
    const { sight, told, subscription } = await following(['tools', 'prompts'], ['shop://x']);
    sight.before = () => new Promise(() => undefined);
    subscription.hear(TOOLS);
    await settled();
    sight.before = () => undefined;
    sight.lists.prompts = 'p1';
    subscription.hear({ kind: 'prompts' });
    subscription.hear(at('shop://x'));
    await settled();
    expect(told.toSorted()).toEqual(['prompts', 'shop://x']);
  });

  it('whose look fails is reported, and followed on', async () => {
    const { sight, told, failures, subscription } = await following();
    sight.before = () => Promise.reject(new Error('no database'));
    subscription.hear(TOOLS);
    await settled();
    expect([failures, told]).toEqual([[new Error('no database')], []]);
    sight.before = () => undefined;
    sight.lists.tools = 't1';
    subscription.hear(TOOLS);
    await settled();
    expect(told).toEqual(['tools']);
  });

  it('is as it was at last: whatever happens in whatever order, the last news are of the last state', async () => {
    const step = fc.oneof(fc.record({ become: fc.constantFrom('t0', 't1', 't2') }), fc.constant('wait' as const));
    await fc.assert(
      fc.asyncProperty(fc.array(step), async (steps) => {
        const { sight, states, subscription } = await following();
        for (const one of steps) {
          if (one === 'wait') await settled();
          else {
            sight.lists.tools = one.become;
            subscription.hear(TOOLS);
          }
        }
        await settled();
        const seen = ['t0', ...states];
        expect(seen.at(-1)).toBe(sight.lists.tools);
        expect(seen.some((state, place) => state === seen[place - 1])).toBe(false);
      }),
    );
  });
});

describe('a URI that a client follows', () => {
  it('is told of each time, and others are not', async () => {
    const { told, subscription } = await following([], ['shop://a', 'shop://b']);
    for (const uri of ['shop://a', 'shop://c', 'shop://a/b']) {
      subscription.hear(at(uri));
      await settled();
    }
    subscription.hear(at('shop://a'));
    await settled();
    expect(told).toEqual(['shop://a', 'shop://a']);
  });

  it('A2: is not told of while the client cannot see it', async () => {
    const { sight, told, subscription } = await following([], ['shop://a']);
    sight.uris.delete('shop://a');
    subscription.hear(at('shop://a'));
    await settled();
    expect([told, sight.looks]).toEqual([[], 1]);
    sight.uris.add('shop://a');
    subscription.hear(at('shop://a'));
    await settled();
    expect(told).toEqual(['shop://a']);
  });

  it('that is unwatched is told of no more, also when it was being looked at', async () => {
    const { sight, told, subscription } = await following([], ['shop://a']);
    let go: () => void = () => undefined;
    sight.before = () => new Promise((resolve) => (go = resolve));
    subscription.hear(at('shop://a'));
    await settled();
    subscription.unwatch('shop://a');
    go();
    await settled();
    expect([told, subscription.watched, subscription.watches('shop://a')]).toEqual([[], 0, false]);
  });

  it('is the same in every spelling, and told as its client writes it, in each way that it does', async () => {
    const { told, subscription } = await following([], ['shop://A', 'shop://a', 'shop://A']);
    expect(['shop://a', 'SHOP://a', 'shop://b'].map((uri) => subscription.watches(uri))).toEqual([true, false, false]);
    expect(subscription.watched).toBe(2);
    subscription.hear(at('SHOP://a'));
    subscription.hear(at('shop://a'));
    await settled();
    expect(told).toEqual(['shop://A', 'shop://a']);
  });

  it('is unwatched in the spelling that is named, or altogether when it was never watched in that', async () => {
    const { sight, told, subscription } = await following([], ['shop://A', 'shop://a', 'shop://b']);
    subscription.unwatch('shop://A');
    subscription.hear(at('shop://a'));
    await settled();
    expect([told, subscription.watched]).toEqual([['shop://a'], 2]);
    subscription.watch('shop://A');
    subscription.unwatch('SHOP://A');
    subscription.unwatch('SHOP://A');
    subscription.hear(at('shop://a'));
    await settled();
    expect([told, subscription.watched]).toEqual([['shop://a'], 1]);
    sight.uris.clear();
    expect(inspect(subscription, { depth: 5 })).not.toContain('shop://a'); // nothing of it is left
    expect(inspect(subscription, { depth: 5 })).toContain('shop://b');
  });

  it('may be called as a list is', async () => {
    const { told, subscription } = await following(['tools'], ['tools']);
    subscription.hear(at('tools'));
    subscription.hear(TOOLS);
    await settled();
    expect(told).toEqual(['tools']); // the URI: the list is as it was
  });
});

describe('a client that has left', () => {
  it('is told nothing more, though a look was under way', async () => {
    const { sight, told, failures, subscription } = await following(['tools'], ['shop://a']);
    let go: () => void = () => undefined;
    sight.before = () => new Promise((resolve) => (go = resolve));
    sight.lists.tools = 't1';
    subscription.hear(TOOLS);
    await settled();
    subscription.end();
    go();
    subscription.hear(at('shop://a'));
    await settled();
    expect([told, failures, sight.looks]).toEqual([[], [], 1]);
  });
});

describe('a client that has left in the middle of a look', () => {
  it('is no reason to report that the look failed', async () => {
    const { sight, failures, subscription } = await following();
    let refuse: (error: unknown) => void = () => undefined;
    sight.before = () => new Promise((_, reject) => (refuse = reject));
    subscription.hear(TOOLS);
    await settled();
    subscription.end();
    refuse(new Error('no database'));
    await settled();
    expect(failures).toEqual([]);
  });

  it('is not looked for again, nor when it follows that no more', async () => {
    for (const leaves of [true, false]) {
      const { sight, subscription } = await following([], ['shop://a']);
      let go: () => void = () => undefined;
      sight.before = () => new Promise((resolve) => (go = resolve));
      subscription.hear(at('shop://a'));
      await settled();
      subscription.hear(at('shop://a'));
      if (leaves) subscription.end();
      else subscription.unwatch('shop://a');
      go();
      await settled();
      expect(sight.looks).toBe(1);
    }
  });

  it('follows nothing any more, though somebody still wants to', async () => {
    const { sight, told, subscription } = await following([]);
    subscription.end();
    await subscription.follow('tools');
    subscription.watch('shop://a');
    sight.uris.add('shop://a');
    sight.lists.tools = 't1';
    subscription.hear(TOOLS);
    subscription.hear(at('shop://a'));
    await settled();
    expect(told).toEqual([]);
  });
});

describe('the fingerprint of a list', () => {
  it('is the same for what says the same and differs otherwise', () => {
    const list = fc.array(fc.record({ name: fc.string(), description: fc.string() }));
    fc.assert(
      fc.property(list, list, (one, other) => {
        const same = JSON.stringify(one) === JSON.stringify(other);
        return (fingerprint(one) === fingerprint(other)) === same && fingerprint([...one]) === fingerprint(one);
      }),
    );
  });

  it('is small, however long the list', () => {
    expect(fingerprint(Array.from({ length: 1_000 }, (_, at) => ({ name: `tool_${at}` })))).toHaveLength(43);
  });
});

function fail(error: unknown): never {
  throw error;
}
