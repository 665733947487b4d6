import { AsyncLocalStorage } from 'node:async_hooks';
import { McpAudience } from '../../src/events/audience.js';
import { createMcpEventBus, type McpEventBus } from '../../src/events/bus.js';
import type { McpEvent } from '../../src/events/event.js';
import { McpNotifier } from '../../src/events/notifier.js';

const TOOLS: McpEvent = { kind: 'tools' };

describe('the bus of a process', () => {
  it('tells everybody who listens, and nobody who has left', () => {
    const bus = createMcpEventBus();
    const heard: string[] = [];
    const leave = bus.subscribe(({ kind }) => heard.push(`a ${kind}`));
    bus.subscribe(({ kind }) => heard.push(`b ${kind}`));
    void bus.publish(TOOLS);
    leave();
    leave();
    void bus.publish({ kind: 'prompts' });
    expect(heard).toEqual(['a tools', 'b tools', 'b prompts']);
  });

  it('tells a listener that has subscribed twice twice, until it has left twice', () => {
    const bus = createMcpEventBus();
    let heard = 0;
    const listener = () => void (heard += 1);
    const leave = [bus.subscribe(listener), bus.subscribe(listener)];
    void bus.publish(TOOLS);
    leave[0]!();
    void bus.publish(TOOLS);
    expect(heard).toBe(3);
  });

  it('does not tell of an event whoever comes while it is told', () => {
    const bus = createMcpEventBus();
    let heard = 0;
    const once = (): void => {
      heard += 1;
      leave();
      if (heard < 10) leave = bus.subscribe(once);
    };
    let leave = bus.subscribe(once);
    void bus.publish(TOOLS);
    expect(heard).toBe(1);
    void bus.publish(TOOLS);
    expect(heard).toBe(2);
  });

  it('tells the others of what one listener fails at', () => {
    const bus = createMcpEventBus();
    let heard = false;
    bus.subscribe(() => {
      throw new Error('deaf');
    });
    bus.subscribe(() => (heard = true));
    expect(() => bus.publish(TOOLS)).toThrow('deaf');
    expect(heard).toBe(true);
  });
});

describe('McpNotifier', () => {
  it('says each change to every bus', () => {
    const said: unknown[] = [];
    const bus: McpEventBus = { publish: (event) => void said.push(event), subscribe: () => () => undefined };
    const notifier = new McpNotifier([bus, bus], (error) => said.push(error));
    notifier.toolsChanged();
    notifier.promptsChanged();
    notifier.resourcesChanged();
    notifier.resourceUpdated('shop://catalogue');
    const events = [TOOLS, { kind: 'prompts' }, { kind: 'resources' }, { kind: 'resource', uri: 'shop://catalogue' }];
    expect(said).toEqual(events.flatMap((event) => [event, event]));
  });

  it('never throws at the service that calls it: a bus that fails, now or later, is reported, and the others are told', async () => {
    const failures: unknown[] = [];
    let told = 0;
    const buses: McpEventBus[] = [
      { publish: () => Promise.reject(new Error('later')), subscribe: () => () => undefined },
      {
        publish() {
          throw new Error('now');
        },
        subscribe: () => () => undefined,
      },
      { publish: () => void (told += 1), subscribe: () => () => undefined },
    ];
    new McpNotifier(buses, (error) => failures.push((error as Error).message)).toolsChanged();
    expect(told).toBe(1);
    await Promise.resolve();
    await Promise.resolve();
    expect(failures).toEqual(['now', 'later']);
  });

  it.each(['catalogue', '', '/catalogue', undefined, new URL('shop://catalogue')])(
    'tells nobody of %p, which no client can follow, and says so in the log',
    (uri) => {
      const said: unknown[] = [];
      const bus: McpEventBus = { publish: (event) => void said.push(event), subscribe: () => () => undefined };
      new McpNotifier([bus], (error, what) => said.push(`${what}: ${String(error)}`)).resourceUpdated(uri as string);
      expect(said).toEqual([
        expect.stringMatching(/^Nobody hears of a change: .* is no URI: say it as clients read it/),
      ]);
    },
  );
});

describe('the audience of a gate', () => {
  /** A bus that counts who listens. */
  function counted() {
    const inner = createMcpEventBus();
    const counts = { now: 0, ever: 0 };
    const bus: McpEventBus = {
      publish: (event) => inner.publish(event),
      subscribe(listener) {
        counts.now += 1;
        counts.ever += 1;
        const leave = inner.subscribe(listener);
        return () => {
          counts.now -= 1;
          leave();
        };
      },
    };
    return { bus, counts };
  }

  it('G10: is one listener of the bus, and only while somebody listens', () => {
    const { bus, counts } = counted();
    const audience = new McpAudience(bus, () => undefined);
    expect(counts).toEqual({ now: 0, ever: 0 });
    let heard = 0;
    const leave = [1, 2, 3].map(() => audience.join(() => void (heard += 1)));
    expect(counts).toEqual({ now: 1, ever: 1 });
    void bus.publish(TOOLS);
    expect(heard).toBe(3);
    for (const each of leave) each();
    expect(counts.now).toBe(0);
    leave[0]!(); // left already
    audience.join(() => undefined);
    expect(counts).toEqual({ now: 1, ever: 2 });
  });

  it('does not tell of an event whoever joins while it is told', () => {
    const { bus, counts } = counted();
    const audience = new McpAudience(bus, () => undefined);
    let heard = 0;
    audience.join(() => {
      heard += 1;
      if (heard < 10) audience.join(() => void (heard += 1));
    });
    void bus.publish(TOOLS);
    expect([heard, counts.now]).toEqual([1, 1]);
  });

  it('passes over what is no event', () => {
    const { bus } = counted();
    const heard: unknown[] = [];
    new McpAudience(bus, () => undefined).join((event) => heard.push(event));
    for (const said of [undefined, 'tools', { kind: 'weather' }, { kind: 'resource' }])
      void bus.publish(said as McpEvent);
    void bus.publish(TOOLS);
    expect(heard).toEqual([TOOLS]);
  });

  it('hears each event in the async context that it came in, never in that of whoever makes the change', () => {
    const storage = new AsyncLocalStorage<string>();
    const { bus } = counted();
    const audience = new McpAudience(bus, () => undefined);
    const seen: unknown[] = [];
    storage.run('of ada', () => audience.join(() => seen.push(storage.getStore())));
    audience.join(() => seen.push(storage.getStore()));
    storage.run('of eve', () => void bus.publish(TOOLS));
    expect(seen).toEqual(['of ada', undefined]);
  });

  it('reports a bus that does not let go, and listens anew', () => {
    const failures: unknown[] = [];
    let listeners = 0;
    const bus: McpEventBus = {
      publish: () => undefined,
      subscribe: () => {
        listeners += 1;
        return () => {
          throw new Error('stuck');
        };
      },
    };
    const audience = new McpAudience(bus, (error) => failures.push((error as Error).message));
    audience.join(() => undefined)();
    audience.join(() => undefined);
    expect(failures).toEqual(['stuck']);
    expect(listeners).toBe(2);
  });

  it.each([undefined, Promise.resolve(() => undefined)])(
    'listens once, and for good, to a bus that gives %p in place of a way to leave it, and says so',
    async (way) => {
      const failures: string[] = [];
      const hearers: ((event: McpEvent) => void)[] = [];
      const bus: McpEventBus = {
        publish: (event) => hearers.forEach((hear) => hear(event)),
        subscribe: (hear) => (hearers.push(hear), way as never),
      };
      const audience = new McpAudience(bus, (error) => failures.push((error as Error).message));
      const heard: McpEvent[] = [];
      const leave = audience.join((event) => heard.push(event));
      audience.join(() => undefined)();
      leave();
      audience.join((event) => heard.push(event));
      await bus.publish(TOOLS);
      expect(heard).toEqual([TOOLS]);
      expect(failures).toEqual([
        expect.stringMatching(/^subscribe\(\) of the bus must give the function that ends it/),
      ]);
    },
  );

  it('throws what the bus throws when it cannot be listened to, and holds nobody then', () => {
    const bus: McpEventBus = {
      publish: () => undefined,
      subscribe() {
        throw new Error('down');
      },
    };
    const audience = new McpAudience(bus, () => undefined);
    expect(() => audience.join(() => undefined)).toThrow('down');
  });
});
