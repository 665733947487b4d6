/** Lists page by page: joined they are the list, whatever its size and whatever changes meanwhile; and no cursor but ours. */
import { jest } from '@jest/globals';
import * as fc from 'fast-check';
import { createMcpSeal } from '../../src/gate/seal.js';
import type { McpMessageContext } from '../../src/protocol/context.js';
import { inPages } from '../../src/protocol/pages.js';
import { readMessage, type McpCall } from '../../src/protocol/read.js';
import { McpOpenRun } from '../../src/runs/open-run.js';
import type { McpResource, McpResourceTemplate } from '../../src/resources/resource.js';
import { MCP_SUPPORTED_VERSIONS, type McpVersion } from '../../src/protocol/revisions.js';
import { account } from '../support/callers.js';
import { answerOf, ask, refusal, request, resultOf, SERVER, type Surroundings } from '../support/protocol.js';
import { makeTool } from '../support/tools.js';

const MODERN: McpVersion = '2026-07-28';
/** One gate asks and answers again and again: its seal stays. */
const seal = createMcpSeal('shop', ['the secret of a gate that is long enough']);

/** A list that a gate gives: its method, where it stands in the result, and a gate that has it. */
interface List {
  readonly method: string;
  readonly member: string;
  readonly key: 'name' | 'uri' | 'uriTemplate';
  readonly offer: (names: readonly string[]) => Surroundings;
}

const resource = (name: string): McpResource => ({ uri: uri(name), name, read: () => name });
const template = (name: string): McpResourceTemplate => ({ uriTemplate: `${uri(name)}/{id}`, name, read: () => name });
const uri = (name: string) => `shop://${name}`;

const LISTS: readonly List[] = [
  {
    method: 'tools/list',
    member: 'tools',
    key: 'name',
    offer: (names) => ({ tools: names.map((name) => makeTool({ name })) }),
  },
  {
    method: 'prompts/list',
    member: 'prompts',
    key: 'name',
    offer: (names) => ({ prompts: names.map((name) => ({ name, handler: () => name })) }),
  },
  {
    method: 'resources/list',
    member: 'resources',
    key: 'uri',
    offer: (names) => ({ resources: [template('other'), ...names.map(resource)] }),
  },
  {
    method: 'resources/templates/list',
    member: 'resourceTemplates',
    key: 'uriTemplate',
    offer: (names) => ({ resources: [resource('other'), ...names.map(template)] }),
  },
];
const [TOOLS] = LISTS as [List];

const names = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9_]{0,11}$/), { maxLength: 40 });
const version = fc.constantFrom(...MCP_SUPPORTED_VERSIONS);

interface Page {
  readonly entries: readonly unknown[];
  readonly nextCursor?: string;
}

/** One page of a gate that gives `size` entries on each, or none at all when it is `undefined`. */
async function page(
  { method, member }: List,
  spoken: McpVersion,
  around: Surroundings,
  size: number | undefined,
  cursor?: unknown,
): Promise<Page> {
  const result = resultOf(await turn(method, spoken, around, size, cursor));
  return { entries: result[member] as unknown[], nextCursor: result['nextCursor'] as string | undefined };
}

function turn(method: string, spoken: McpVersion, around: Surroundings, size: number | undefined, cursor?: unknown) {
  return ask(
    spoken,
    method,
    { ...(cursor !== undefined && { cursor }) },
    { ...around, server: { ...(size !== undefined && { pageSize: size }) }, context: { seal } },
  );
}

/** Every page of a list. `around` is asked anew for each: what it offers may change. */
async function walk(list: List, spoken: McpVersion, around: (at: number) => Surroundings, size: number) {
  const pages: (readonly unknown[])[] = [];
  let cursor: string | undefined;
  do {
    const { entries, nextCursor } = await page(list, spoken, around(pages.length), size, cursor);
    pages.push(entries);
    cursor = nextCursor;
  } while (cursor !== undefined);
  return pages;
}

/** The cursor behind the first two of four entries. */
async function someCursor(list: List, around = list.offer(['a', 'b', 'c', 'd'])): Promise<string> {
  return (await page(list, MODERN, around, 2)).nextCursor!;
}

describe.each(LISTS)('$method', (list) => {
  const { method, key } = list;

  it('joined, the pages are the list, in its order, for any list, size and revision', async () => {
    await fc.assert(
      fc.asyncProperty(names, fc.integer({ min: 1, max: 45 }), version, async (given, size, spoken) => {
        const around = list.offer(given);
        const whole = await page(list, spoken, around, undefined);
        expect(whole.nextCursor).toBeUndefined();
        const pages = await walk(list, spoken, () => around, size);
        expect(pages.flat()).toEqual(whole.entries);
        expect(pages).toHaveLength(Math.max(1, Math.ceil(given.length / size)));
        expect(pages.slice(0, -1).every((one) => one.length === size)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it('neither repeats nor leaves out what stayed, whatever comes and goes between two pages', async () => {
    const change = fc.tuple(
      names.filter((all) => all.length > 0),
      fc.integer({ min: 1, max: 6 }),
      fc.infiniteStream(fc.infiniteStream(fc.boolean())),
    );
    await fc.assert(
      fc.asyncProperty(change, async ([all, size, moods]) => {
        const there: (readonly string[])[] = [];
        const pages = await walk(
          list,
          MODERN,
          () => {
            const mood = moods.next().value;
            there.push(all.filter(() => mood.next().value));
            return list.offer(there.at(-1)!);
          },
          size,
        );
        const seen = pages.flat().map((entry) => (entry as Record<string, string>)[key]!);
        const stayed = all.filter((name) => there.every((some) => some.includes(name)));
        const expected = list.offer(stayed);
        const whole = await page(list, MODERN, expected, undefined);
        const kept = new Set(whole.entries.map((entry) => (entry as Record<string, string>)[key]!));
        expect(seen.filter((name) => kept.has(name))).toEqual([...kept]);
      }),
      { numRuns: 60 },
    );
  });

  it('refuses a cursor of which a single bit was changed', async () => {
    const around = list.offer(['a', 'b', 'c', 'd']);
    const bytes = Buffer.from(await someCursor(list, around));
    const taken: string[] = [];
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      const { body } = await turn(method, MODERN, around, 2, changed.toString('latin1'));
      if (!('error' in (body as object))) taken.push(changed.toString('latin1'));
    }
    expect(taken).toEqual([]);
    expect((await page(list, MODERN, around, 2, bytes.toString())).entries).toHaveLength(2);
  });

  it('refuses the cursor of any other list', async () => {
    const around: Surroundings = Object.assign({}, ...LISTS.map(({ offer }) => offer(['a', 'b', 'c', 'd'])));
    const everything = { ...around, resources: [...['a', 'b', 'c'].map(resource), ...['a', 'b', 'c'].map(template)] };
    for (const other of LISTS.filter((each) => each !== list)) {
      const cursor = await someCursor(other, everything);
      expect(answerOf(await turn(method, MODERN, everything, 2, cursor))).toEqual(
        refusal(
          400,
          -32602,
          /^Invalid cursor: this server has not given it for this list\. List from the first page\.$/,
        ),
      );
    }
  });
});

it('parts of one list are told apart by their size, too', async () => {
  const entries = ['a', 'b', 'c'].map((name) => ({ name }));
  const { message } = request('2025-11-25', 'tools/list');
  const sizes = [1, 2, 3, 1].map(async (pageSize) => {
    const server = { ...SERVER, pageSize };
    const call = readMessage(message, { server, assumedVersion: '2025-11-25' } as McpMessageContext) as McpCall;
    const context = { server, seal, openRun: () => new McpOpenRun({}) };
    return inPages(call, context, entries, (some) => ({ names: some.map(({ name }) => name) }));
  });
  expect((await Promise.all(sizes)).map((page) => page?.['names'])).toEqual([
    ['a'],
    ['a', 'b'],
    ['a', 'b', 'c'],
    ['a'],
  ]);
});

describe('a cursor', () => {
  const FOUR = TOOLS.offer(['a', 'b', 'c', 'd']);
  const onlyOurs = refusal(400, -32602, /^Invalid cursor: this server has not given it/);

  it.each<[string, unknown]>([
    ['a number', 2],
    ['null', null],
    ['an object', { after: 'b' }],
    ['an empty text', ''],
    ['a name', 'b'],
    ['a longer text than any cursor', 'a'.repeat(4_097)],
  ])('that is %s is refused', async (_, cursor) => {
    expect(answerOf(await turn('tools/list', MODERN, FOUR, 2, cursor))).toEqual(onlyOurs);
  });

  it('that is longer than any of ours is not even tried', async () => {
    const open = jest.fn(() => Promise.resolve(['tools/list', 2, ['b', 'a']]));
    const long = {
      ...FOUR,
      server: { pageSize: 2 },
      context: { seal: { open, seal: (purpose: string, content: unknown) => seal.seal(purpose, content) } },
    };
    await ask(MODERN, 'tools/list', { cursor: 'a'.repeat(4_096) }, long);
    expect(open).toHaveBeenCalledTimes(1);
    await ask(MODERN, 'tools/list', { cursor: 'a'.repeat(4_097) }, long);
    expect(open).toHaveBeenCalledTimes(1);
  });

  it('that anybody could write is refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary' }), fc.base64String(), fc.json()), async (cursor) => {
        expect(answerOf(await turn('tools/list', MODERN, FOUR, 2, cursor))).toEqual(onlyOurs);
      }),
    );
  });

  it.each<[string, () => Promise<string>]>([
    [
      'another gate',
      () =>
        createMcpSeal('office', ['the secret of a gate that is long enough']).seal('cursor', [
          'tools/list',
          2,
          ['b', 'a'],
        ]),
    ],
    ['another secret', () => createMcpSeal('shop').seal('cursor', ['tools/list', 2, ['b', 'a']])],
    ['another purpose', () => seal.seal('state', ['tools/list', 2, ['b', 'a']])],
    ['another shape', () => seal.seal('cursor', { list: 'tools/list' })],
    ['a longer shape', () => seal.seal('cursor', ['tools/list', 2, ['b', 'a'], 'more'])],
    ['another shape inside', () => seal.seal('cursor', ['tools/list', 2, [{ a: 1 }]])],
    ['a place that is none', () => seal.seal('cursor', ['tools/list', 1.5, ['b', 'a']])],
  ])('of %s is refused', async (_, make) => {
    expect(answerOf(await turn('tools/list', MODERN, FOUR, 2, await make()))).toEqual(onlyOurs);
  });

  it('shows nothing that its bearer does not see, whoever it was given to (A2)', async () => {
    const tools = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, at) =>
      makeTool({ name, ...(at % 2 === 1 && { scopes: ['admin'] }) }),
    );
    const admin = { tools, caller: account('ada', 'admin') };
    const first = await page(TOOLS, MODERN, admin, 2);
    expect(first.entries).toMatchObject([{ name: 'a' }, { name: 'b' }]);
    const stranger = await walk(TOOLS, MODERN, () => ({ tools }), 1);
    expect(stranger.flat()).toMatchObject([{ name: 'a' }, { name: 'c' }, { name: 'e' }]);
    const borrowed = await page(TOOLS, MODERN, { tools }, 9, first.nextCursor);
    expect(borrowed.entries).toMatchObject([{ name: 'c' }, { name: 'e' }]);
  });

  it('goes on from the first page when nothing of all that was given is left', async () => {
    const cursor = await someCursor(TOOLS);
    expect((await page(TOOLS, MODERN, TOOLS.offer(['c', 'd']), 2, cursor)).entries).toMatchObject([
      { name: 'c' },
      { name: 'd' },
    ]);
  });

  it('leads to an empty last page when nothing is left at all', async () => {
    expect(await page(TOOLS, MODERN, TOOLS.offer([]), 2, await someCursor(TOOLS))).toEqual({ entries: [] });
  });

  it('is refused, rather than guessed from, when nothing that it names is left of many', async () => {
    const many = Array.from({ length: 60 }, (_, at) => `tool_${at}`);
    const { nextCursor } = await page(TOOLS, MODERN, TOOLS.offer(many), 40);
    const gone = TOOLS.offer([...many.slice(0, 10), ...many.slice(40)]);
    expect(answerOf(await turn('tools/list', MODERN, gone, 40, nextCursor))).toEqual(
      refusal(400, -32602, /^Invalid cursor: the list has changed too much since\. List from the first page\.$/),
    );
    const thinned = TOOLS.offer([...many.slice(0, 25), ...many.slice(40)]);
    const { entries } = await page(TOOLS, MODERN, thinned, 40, nextCursor);
    expect(entries.map((entry) => (entry as { name: string }).name)).toEqual(many.slice(40));
  });

  it('is of bounded length, whatever the length of names', async () => {
    const [, , resources] = LISTS as [List, List, List];
    const long = ['a', 'b', 'c', 'd'].map((name) => `${'x'.repeat(8_000)}${name}${'y'.repeat(8_000)}`);
    const cursor = await someCursor(resources, resources.offer(long));
    expect(cursor.length).toBeLessThan(1_200);
    const next = await page(resources, MODERN, resources.offer(long), 2, cursor);
    expect(next.entries).toMatchObject([{ name: long[2] }, { name: long[3] }]);
    const ends = ['xay', 'xbby', 'xcccy', 'xddddy'].map((name) => name.replace(/^x|y$/g, (end) => end.repeat(300)));
    const changed = await page(
      resources,
      MODERN,
      resources.offer(ends.slice(1)),
      2,
      await someCursor(resources, resources.offer(ends)),
    );
    expect(changed.entries).toMatchObject([{ name: ends[2] }, { name: ends[3] }]);
    const many = await page(TOOLS, MODERN, TOOLS.offer(Array.from({ length: 60 }, (_, at) => 't'.repeat(60) + at)), 50);
    expect(many.nextCursor!.length).toBeLessThan(1_000);
  });

  it('is in the result as each era has it', async () => {
    const modern = resultOf(await turn('tools/list', MODERN, FOUR, 3));
    expect(Object.keys(modern)).toEqual(['tools', 'nextCursor', 'resultType', 'ttlMs', 'cacheScope', '_meta']);
    const legacy = resultOf(await turn('tools/list', '2025-11-25', FOUR, 3));
    expect(Object.keys(legacy)).toEqual(['tools', 'nextCursor']);
    const last = resultOf(await turn('tools/list', '2025-11-25', FOUR, 3, legacy['nextCursor']));
    expect(last).toEqual({ tools: [expect.objectContaining({ name: 'd' })] });
  });

  it('of one revision goes on in another: the list is the same', async () => {
    const { nextCursor } = await page(TOOLS, '2025-03-26', FOUR, 3);
    expect((await page(TOOLS, MODERN, FOUR, 3, nextCursor)).entries).toMatchObject([{ name: 'd' }]);
  });
});
