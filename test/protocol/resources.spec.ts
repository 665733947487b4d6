/** Resources by the protocol alone: what clients of each revision are told of them, and read (A2–A4, P8, P15, T8, T12, R1). */
import { MCP_SUPPORTED_VERSIONS, type McpVersion } from '../../src/protocol/revisions.js';
import type { McpResource, McpResourceTemplate } from '../../src/resources/resource.js';
import type { McpOpenRun } from '../../src/runs/open-run.js';
import { McpToolFailure } from '../../src/tools/failure.js';
import { account } from '../support/callers.js';
import { ask, refusal, resultOf, type Surroundings } from '../support/protocol.js';
import { makeTool } from '../support/tools.js';

const MODERN = '2026-07-28';
const each = it.each(MCP_SUPPORTED_VERSIONS);
const notFound = (version: McpVersion) => (version === MODERN ? -32602 : -32002);

const catalogue: McpResource = { uri: 'shop://catalogue', name: 'catalogue', read: () => 'all of it' };
const product: McpResourceTemplate = {
  uriTemplate: 'shop://products/{sku}',
  name: 'product',
  read: ({ sku }) => ({ sku }),
};
const read = (version: McpVersion, uri: unknown, around: Surroundings = {}) =>
  ask(version, 'resources/read', { uri }, { resources: [catalogue, product], ...around });
const reading = (value: unknown, parts: Partial<McpResource> = {}): Surroundings => ({
  resources: [{ ...catalogue, ...parts, read: typeof value === 'function' ? (value as () => unknown) : () => value }],
});

describe('a gate without resources', () => {
  each('in %s has no method that asks for one, and offers none', async (version) => {
    for (const method of ['resources/list', 'resources/templates/list', 'resources/read']) {
      expect(await ask(version, method, { uri: 'shop://x' })).toMatchObject(refusal(404, -32601, /Method not found/)!);
    }
    const method = version === MODERN ? 'server/discover' : 'initialize';
    const params = version === MODERN ? {} : { protocolVersion: version };
    expect(resultOf(await ask(version, method, params))['capabilities']).toEqual({ tools: {}, logging: {} });
    const offering = resultOf(await ask(version, method, params, { resources: [catalogue] }));
    expect(offering['capabilities']).toEqual({ tools: {}, resources: {}, logging: {} });
  });
});

describe('resources/list and resources/templates/list', () => {
  const rich = {
    name: 'catalogue',
    title: 'Catalogue',
    description: 'All products.',
    mimeType: 'application/json',
    icons: [{ src: 'https://shop.test/icon.png' }],
    annotations: { audience: ['assistant' as const], priority: 0.5, lastModified: '2026-01-01T00:00:00Z' },
    _meta: { 'shop.test/x': 1 },
  };
  const secret = { scopes: ['shop:none'].slice(1), requiresAuth: false, size: 12, secret: 'do not publish' };
  const { icons: _, title, _meta, ...base } = rich;

  it.each<[McpVersion, object]>([
    ['2025-03-26', base],
    ['2025-06-18', { ...base, title, _meta }],
    ['2025-11-25', rich],
    [MODERN, rich],
  ])('P8, T11: say in %s what that revision knows, and nothing else', async (version, expected) => {
    const resources = [
      { ...catalogue, ...rich, ...secret },
      { ...product, ...rich, ...secret },
    ];
    const listed = resultOf(await ask(version, 'resources/list', {}, { resources }));
    expect(listed['resources']).toEqual([{ uri: 'shop://catalogue', ...expected, size: 12 }]);
    const templates = resultOf(await ask(version, 'resources/templates/list', {}, { resources }));
    expect(templates['resourceTemplates']).toEqual([{ uriTemplate: 'shop://products/{sku}', ...expected }]);
  });

  it('carry caching hints in 2026-07-28 alone, as reading does', async () => {
    const hints = { ttlMs: 60_000, cacheScope: 'private', resultType: 'complete' };
    for (const [method, params] of [
      ['resources/list', {}],
      ['resources/templates/list', {}],
      ['resources/read', { uri: 'shop://catalogue' }],
    ] as const) {
      // prettier-ignore
      expect(resultOf(await ask(MODERN, method, params, { resources: [catalogue, product] }))).toMatchObject(hints);
      const legacy = resultOf(await ask('2025-11-25', method, params, { resources: [catalogue, product] }));
      expect(Object.keys(legacy)).toHaveLength(1);
    }
  });

  each('refuse a cursor in %s: none was ever given', async (version) => {
    const answer = await ask(version, 'resources/list', { cursor: 'x' }, { resources: [catalogue] });
    expect(answer).toMatchObject(refusal(400, -32602, /Invalid cursor/)!);
  });
});

describe('resources/read', () => {
  each('gives in %s what is under a URI, and under that of a template', async (version) => {
    expect(resultOf(await read(version, 'shop://catalogue'))['contents']).toEqual([
      { uri: 'shop://catalogue', mimeType: 'text/plain', text: 'all of it' },
    ]);
    expect(resultOf(await read(version, 'shop://products/a%20b'))['contents']).toEqual([
      { uri: 'shop://products/a%20b', mimeType: 'application/json', text: '{"sku":"a b"}' },
    ]);
  });

  it.each<[string, unknown, object]>([
    ['a string', 'text', { mimeType: 'text/plain', text: 'text' }],
    ['an empty string', '', { text: '' }],
    ['bytes', new Uint8Array([1, 2, 255]), { mimeType: 'application/octet-stream', blob: 'AQL/' }],
    ['a Buffer', Buffer.from('hi'), { blob: 'aGk=' }],
    ['an ArrayBuffer', new Uint8Array([1]).buffer, { blob: 'AQ==' }],
    ['an object', { a: 1 }, { mimeType: 'application/json', text: '{"a":1}' }],
    ['an array', [1, 2], { mimeType: 'application/json', text: '[1,2]' }],
    ['an empty array', [], { text: '[]' }],
    // oxlint-disable-next-line no-new-array -- an array with holes
    ['an array with holes', new Array(2), { text: '[null,null]' }],
    ['bytes beside what is no text', { uri: 'a:b', text: 7, blob: new Uint8Array([1]) }, { uri: 'a:b', blob: 'AQ==' }],
    ['a number', 7, { text: '7' }],
    ['false', false, { text: 'false' }],
    ['data that looks like contents', { text: 'x', contents: [] }, { text: '{"text":"x","contents":[]}' }],
    ['a promise', Promise.resolve('late'), { text: 'late' }],
    ['ready contents', { uri: 'shop://other', mimeType: 'a/b', text: 'x' }, { uri: 'shop://other', mimeType: 'a/b' }],
    ['ready bytes', { uri: 'shop://other', blob: new Uint8Array([1]) }, { uri: 'shop://other', blob: 'AQ==' }],
    ['a result', { contents: [{ uri: 'shop://x', text: 'x' }] }, { uri: 'shop://x', text: 'x' }],
  ])('makes contents of %s', async (_, value, expected) => {
    const [contents, ...more] = resultOf(await read(MODERN, 'shop://catalogue', reading(value)))[
      'contents'
    ] as object[];
    expect(more).toEqual([]);
    expect(contents).toMatchObject({ uri: 'shop://catalogue', ...expected });
    expect(typeof (contents as { text?: unknown }).text).not.toBe('number');
  });

  it('gives several contents, each under its own URI, with the media type that is declared', async () => {
    const list = [{ uri: 'shop://a', text: 'a' }, { uri: 'shop://b', blob: 'AQ==', mimeType: 'image/png' }]; // prettier-ignore
    const answer = await read(MODERN, 'shop://catalogue', reading(list, { mimeType: 'text/csv' }));
    expect(resultOf(answer)['contents']).toEqual([{ mimeType: 'text/csv', ...list[0] }, list[1]]);
  });

  it.each([
    ['text/markdown', '# x', 'text/markdown'],
    ['image/png', new Uint8Array([1]), 'image/png'],
    ['application/ld+json', { a: 1 }, 'application/ld+json'],
    ['text/plain', { a: 1 }, 'application/json'],
  ])('says the declared media type %s where the value is of it', async (mimeType, value, said) => {
    const answer = await read(MODERN, 'shop://catalogue', reading(value, { mimeType }));
    expect(resultOf(answer)['contents']).toMatchObject([{ mimeType: said }]);
  });

  it('never summarises: a resource is read whole', async () => {
    const answer = await read(MODERN, 'shop://catalogue', reading('x'.repeat(100_000)));
    expect(resultOf(answer)['contents']).toMatchObject([{ text: 'x'.repeat(100_000) }]);
  });

  it('takes the exact resource before a template, and the first template of two', async () => {
    const resources = [
      { ...product, uriTemplate: 'shop://products/{id}', read: () => 'first' },
      product,
      { ...catalogue, uri: 'shop://products/A', read: () => 'exact' },
    ];
    const text = async (uri: string) => (resultOf(await read(MODERN, uri, { resources }))['contents'] as any)[0].text;
    expect(await text('shop://products/A')).toBe('exact');
    expect(await text('shop://products/B')).toBe('first');
  });
});

describe('a resource that is not there', () => {
  const reserved = [
    { ...catalogue, uri: 'shop://products/secret', scopes: ['shop:secret'] },
    { ...catalogue, uri: 'shop://me', requiresAuth: true },
    { resource: { ...catalogue, uri: 'shop://guarded' }, origin: 'X.x', admits: () => false },
    product,
  ];
  const uris = ['shop://nothing', 'shop://products/secret', 'shop://me', 'shop://guarded'];

  each('T12: and one that is withheld are one answer in %s, with the URI', async (version) => {
    for (const uri of uris) {
      const answer = await read(version, uri, { resources: reserved });
      expect(answer).toMatchObject(refusal(200, notFound(version), /./, 1, { uri })!);
      expect(answer.body).toMatchObject({ error: { message: `Resource not found: ${uri}` } });
    }
  });

  it('T12, A2: is withheld in every spelling of its URI: a template that says it is no way around', async () => {
    const spellings = ['shop://products/s%65cret', 'shop://%70roducts/%73ecre%74'];
    for (const uri of spellings) {
      const refused = await read(MODERN, uri, { resources: reserved });
      expect(refused).toMatchObject(refusal(200, -32602, /^Resource not found/, 1, { uri })!);
      const given = await read(MODERN, uri, { resources: reserved, caller: account('ann', 'shop:secret') });
      expect(resultOf(given)['contents']).toEqual([{ uri, mimeType: 'text/plain', text: 'all of it' }]);
    }
    const vault = { ...product, uriTemplate: 'shop://vault/{name}', requiresAuth: true };
    const wide = { ...product, uriTemplate: 'shop://{+path}' };
    const answer = await read(MODERN, 'shop://va%75lt/gold', { resources: [vault, wide] });
    expect(answer).toMatchObject(refusal(200, -32602, /^Resource not found/)!);
  });

  it('is the first declared of two whose URIs are two spellings of one, and each by its own', async () => {
    const resources = ['shop://a%2db', 'shop://a-b'].map((uri) => ({ ...catalogue, uri, read: () => uri }));
    const text = async (uri: string) => (resultOf(await read(MODERN, uri, { resources }))['contents'] as any)[0].text;
    expect(await text('shop://a%2Db')).toBe('shop://a%2db');
    expect(await text('shop://a-b')).toBe('shop://a-b');
    expect(await text('shop://%61%2db')).toBe('shop://a%2db');
  });

  it('A2: is neither listed, and is both for whoever has enough', async () => {
    const list = async (around: Surroundings) =>
      (resultOf(await ask(MODERN, 'resources/list', {}, { resources: reserved, ...around }))['resources'] as { uri: string }[]).map(({ uri }) => uri); // prettier-ignore
    expect(await list({})).toEqual([]);
    const caller = account('ann', 'shop:secret');
    expect(await list({ caller })).toEqual(['shop://products/secret', 'shop://me']);
    expect((await read(MODERN, 'shop://products/secret', { resources: reserved, caller })).status).toBe(200);
  });

  it('A3: is counted in the introduction when it waits for authorization', async () => {
    const said = async (around: Surroundings) =>
      resultOf(await ask(MODERN, 'server/discover', {}, { resources: reserved, ...around }))['instructions'];
    expect(await said({})).toBe('2 more resources are available with authorization.');
    const tools = [makeTool({ scopes: ['x'] })];
    expect(await said({ tools })).toBe('1 more tool and 2 resources are available with authorization.');
    expect(await said({ caller: account('ann', 'shop:secret') })).toBeUndefined();
  });

  class Refusal extends Error {
    constructor(
      readonly status: number,
      message: string,
    ) {
      super(message);
    }
    getStatus() {
      return this.status;
    }
    getResponse() {
      return this.message;
    }
  }
  const throwing = (error: Error) =>
    reading(() => {
      throw error;
    });

  each('is what a 404 of the application and an absent value say in %s', async (version) => {
    const uri = 'shop://catalogue';
    const told = await read(version, uri, throwing(new Refusal(404, 'Did you mean A-001?')));
    expect(told).toMatchObject(
      refusal(200, notFound(version), /^Resource not found: shop:\/\/catalogue\. Did you mean A-001\?$/, 1, { uri })!,
    );
    for (const value of [undefined, null]) {
      const answer = await read(version, uri, reading(value));
      expect(answer).toMatchObject(refusal(200, notFound(version), /^Resource not found/, 1, { uri })!);
    }
  });

  it('is not what other refusals say: they are -32602 in the application’s words', async () => {
    for (const error of [new Refusal(403, 'Ask the owner.'), new McpToolFailure('Ask the owner.')]) {
      const answer = await read(MODERN, 'shop://catalogue', throwing(error));
      expect(answer).toMatchObject(refusal(200, -32602, /^Ask the owner\.$/, 1, { uri: 'shop://catalogue' })!);
      expect(answer.reports).toEqual([]);
    }
  });

  it('P15, T8: a fault is -32603 with an id for the log, and none of its words', async () => {
    const around = { resources: [{ ...product, read: () => { throw new Error('secret path'); } }] }; // prettier-ignore
    const answer = await read(MODERN, 'shop://products/confidential', around);
    expect(answer).toMatchObject(
      refusal(200, -32603, /^Reading .* failed\. The server's log has the cause under log-1/)!,
    );
    expect(JSON.stringify(answer.body)).not.toMatch(/secret|confidential/);
    expect(answer.reports).toMatchObject([{ where: 'resource template shop://products/{sku}' }]);
  });

  it.each([undefined, '', 7, null, ['shop://x']])('refuses %j for a URI', async (uri) => {
    expect(await read('2025-11-25', uri)).toMatchObject(refusal(400, -32602, /"uri" of "resources\/read"/)!);
  });

  it('is what a text says that is longer than any URI, whatever it would be in another spelling', async () => {
    const long: McpResource = { ...catalogue, uri: `shop://${'a'.repeat(8_000)}` };
    const around = { resources: [long] };
    expect(await read(MODERN, long.uri.replaceAll('a', '%61').slice(0, 7 + 3 * 8_000), around)).toMatchObject(
      refusal(200, -32602, /^Resource not found/)!,
    );
    const other = `shop://${'%61'.repeat(1_000)}${'a'.repeat(7_000)}`;
    expect(resultOf(await read(MODERN, other, around))).toMatchObject({ contents: [{ text: 'all of it' }] });
  });

  it('does not echo what no URI can be', async () => {
    const answer = await read('2025-11-25', 'x'.repeat(100_000));
    expect(JSON.stringify(answer.body).length).toBeLessThan(1_000);
  });
});

describe('reading is a run (R1)', () => {
  it('with a signal that the deadline aborts, and nothing for a client that left', async () => {
    for (const [cause, expected] of [
      ['deadline', /took longer/],
      ['shutdown', /shutting down/],
      ['cancelled', undefined],
    ] as const) {
      // prettier-ignore
      let opened: McpOpenRun | undefined;
      let signal: AbortSignal | undefined;
      const answer = await read(MODERN, 'shop://catalogue', {
        ...reading((_: string, __: unknown, run: { signal: AbortSignal }) => {
          signal = run.signal;
          setImmediate(() => opened!.abort(cause));
          return new Promise(() => undefined);
        }),
        onRun: (run) => (opened = run),
      });
      if (expected === undefined) expect([answer.status, answer.body]).toEqual([202, undefined]);
      else expect(answer).toMatchObject(refusal(200, -32603, expected)!);
      expect([signal!.aborted, answer.ends]).toEqual([true, 1]);
    }
  });

  it('with progress for a client that asked for it', async () => {
    const { notifications } = await ask(
      MODERN,
      'resources/read',
      { uri: 'shop://catalogue', _meta: { progressToken: 'p' } },
      reading((_: string, __: unknown, run: { progress(n: number): void }) => {
        run.progress(1);
        return 'x';
      }),
    );
    expect(notifications).toMatchObject([{ params: { progressToken: 'p', progress: 1 } }]);
  });
});
