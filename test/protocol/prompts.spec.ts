/** Prompts by the protocol alone: listed, filled in and refused (A2, A3, P8, P15, T6–T8, T12). */
import { z } from 'zod';
import { MCP_SUPPORTED_VERSIONS, type McpVersion } from '../../src/protocol/revisions.js';
import type { McpPrompt } from '../../src/prompts/prompt.js';
import { McpToolFailure } from '../../src/tools/failure.js';
import type { McpOpenRun } from '../../src/runs/open-run.js';
import { account } from '../support/callers.js';
import { ask, refusal, resultOf, type Surroundings } from '../support/protocol.js';

const MODERN = '2026-07-28';
const EMPTY_FOREVER = new Promise(() => undefined);
const each = it.each(MCP_SUPPORTED_VERSIONS);

const review: McpPrompt = {
  name: 'review',
  description: 'Reviews an order.',
  inputSchema: {
    type: 'object',
    properties: { order: { type: 'string', description: 'Its number', title: 'Order' }, days: { type: 'integer' } },
    required: ['order'],
  },
  handler: ({ order, days }) => `Review ${order as string} ${typeof days}.`,
};
const get = (version: McpVersion, params: object, around: Surroundings = {}) =>
  ask(version, 'prompts/get', { name: 'review', ...params }, { prompts: [review], ...around });
const giving = (value: unknown): Surroundings => ({
  prompts: [{ name: 'review', handler: typeof value === 'function' ? (value as () => unknown) : () => value }],
});

describe('prompts/list', () => {
  each('is unknown in %s to a gate without prompts, and offered by one with', async (version) => {
    for (const method of ['prompts/list', 'prompts/get']) {
      expect(await ask(version, method, { name: 'x' })).toMatchObject(refusal(404, -32601, /Method not found/)!);
    }
    const method = version === MODERN ? 'server/discover' : 'initialize';
    const params = version === MODERN ? {} : { protocolVersion: version };
    const { capabilities } = resultOf(await ask(version, method, params, { prompts: [review] }));
    expect(capabilities).toEqual({ tools: {}, prompts: {}, logging: {} });
  });

  it.each<[McpVersion, object, object]>([
    ['2025-03-26', {}, {}],
    ['2025-06-18', { title: 'R', _meta: { a: 1 } }, { title: 'Order' }],
    ['2025-11-25', { title: 'R', _meta: { a: 1 }, icons: [] }, { title: 'Order' }],
    [MODERN, { title: 'R', _meta: { a: 1 }, icons: [] }, { title: 'Order' }],
  ])('P8, T11: says in %s what that revision knows, and nothing else', async (version, facts, argument) => {
    const rich = { ...review, title: 'R', _meta: { a: 1 }, icons: [], scopes: [], secret: 'x' };
    const listed = resultOf(await ask(version, 'prompts/list', {}, { prompts: [rich] }));
    const order = { name: 'order', description: 'Its number', required: true, ...argument };
    const base = { name: 'review', description: 'Reviews an order.', arguments: [order, { name: 'days' }] };
    expect(listed['prompts']).toEqual([{ ...base, ...facts }]);
    expect('ttlMs' in listed).toBe(version === MODERN);
  });

  it('refuses a cursor', async () => {
    const answer = await ask(MODERN, 'prompts/list', { cursor: 'x' }, { prompts: [review] });
    expect(answer).toMatchObject(refusal(400, -32602, /Invalid cursor/)!);
  });
});

describe('prompts/get', () => {
  each('fills in a prompt in %s, with texts read as what the schema says', async (version) => {
    const answer = await get(version, { arguments: { order: 'O-1', days: '3' } });
    expect(resultOf(answer)).toMatchObject({
      description: 'Reviews an order.',
      messages: [{ role: 'user', content: { type: 'text', text: 'Review O-1 number.' } }],
    });
    expect('ttlMs' in resultOf(answer)).toBe(false);
  });

  const image = { type: 'image', data: 'AQ==', mimeType: 'image/png' };
  const link = { type: 'resource_link', uri: 'shop://a', name: 'a' };
  it.each<[string, unknown, object[]]>([
    ['a string', 'hi', [{ role: 'user', content: { type: 'text', text: 'hi' } }]],
    ['a content block', image, [{ role: 'user', content: image }]],
    ['a message', { role: 'assistant', content: 'hi' }, [{ role: 'assistant', content: { type: 'text', text: 'hi' } }]],
    ['a list', ['hi', { role: 'assistant', content: link }], [{ role: 'user' }, { role: 'assistant', content: link }]],
    ['an empty list', [], []],
    ['a result', { messages: [{ role: 'user', content: image }], description: 'own' }, [{ content: image }]],
    ['audio', { type: 'audio', data: 'AQ==', mimeType: 'audio/wav' }, [{ content: { type: 'audio' } }]],
    ['a resource', { type: 'resource', resource: { uri: 'a:b', text: 'x' } }, [{ content: { type: 'resource' } }]],
    ['a promise', Promise.resolve('late'), [{ content: { text: 'late' } }]],
  ])('makes messages of %s', async (_, value, messages) => {
    const result = resultOf(await get(MODERN, {}, giving(value)));
    expect(result['messages']).toHaveLength(messages.length);
    expect(result['messages']).toMatchObject(messages);
  });

  each('P8: gives in %s of a result what a prompt has to say, and no more', async (version) => {
    const value = { messages: ['hi'], description: 'own', _meta: { 'shop.test/a': 1 }, resultType: 'input_required', requestState: 'x' }; // prettier-ignore
    const { messages, description, _meta, resultType, ...more } = resultOf(await get(version, {}, giving(value)));
    expect({ messages, description, _meta }).toMatchObject({
      messages: [{}],
      description: 'own',
      _meta: { 'shop.test/a': 1 },
    });
    expect(resultType).toBe(version === MODERN ? 'complete' : undefined);
    expect(more).toEqual({});
    const bare = resultOf(await get(version, {}, giving({ messages: ['hi'], description: 7, _meta: 'no' })));
    expect(bare['description']).toBeUndefined();
    expect(bare['_meta']).not.toBe('no');
  });

  it('says a link in words to a revision that has none', async () => {
    const result = resultOf(await get('2025-03-26', {}, giving(link)));
    expect(result['messages']).toEqual([{ role: 'user', content: { type: 'text', text: 'a: shop://a' } }]);
  });

  it.each([
    undefined,
    null,
    7,
    {},
    [7],
    // oxlint-disable-next-line no-new-array -- an array with holes
    new Array(2),
    { role: 'system', content: 'x' },
    { messages: [{ role: 'user' }] },
  ])('P15: takes %j for a fault of the server', async (value) => {
    const answer = await get(MODERN, {}, giving(value));
    expect(answer).toMatchObject(refusal(200, -32603, /^Prompt review failed\. .* log-1/)!);
    expect(answer.reports).toMatchObject([{ where: 'prompt review' }]);
  });

  it('T6, T7: refuses arguments by name, all at once', async () => {
    const answer = await get(MODERN, { arguments: { days: 'x', colour: 'red' } });
    expect(answer).toMatchObject(refusal(200, -32602, /order(.|\n)*colour|colour(.|\n)*order/)!);
    expect(JSON.stringify(answer.body)).toMatch(/days/);
    expect(await get(MODERN, { arguments: [] })).toMatchObject(refusal(400, -32602, /must be an object/)!);
    expect(await ask('2025-11-25', 'prompts/get', {}, { prompts: [review] })).toMatchObject(refusal(400, -32602, /"name"/)!); // prettier-ignore
  });

  it.each<[string, object, string, unknown]>([
    ['a number or null', { type: ['number', 'null'] }, '2.5', 2.5],
    ['an integer or null, as zod has it', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, '-3', -3],
    ['one of booleans', { oneOf: [{ type: 'boolean' }, { type: 'null' }] }, 'true', true],
    ['a number of a list', { enum: ['all', 7] }, '7', 7],
    ['a text of a list', { enum: ['7', 7] }, '7', '7'],
    ['a text or a number', { type: ['string', 'number'] }, '7', '7'],
    ['no type', {}, '7', '7'],
  ])('T7: reads a text as %s', async (_, property, text, value) => {
    const inputSchema = { type: 'object', properties: { a: property } };
    const prompts = [{ name: 'review', inputSchema, handler: (args: unknown) => JSON.stringify(args) }];
    const result = resultOf(await get(MODERN, { arguments: { a: text } }, { prompts }));
    expect(result['messages']).toMatchObject([{ content: { text: JSON.stringify({ a: value }) } }]);
  });

  it('T13: checks and parses with a Standard Schema', async () => {
    const inputSchema = z.object({ n: z.int().max(5), loud: z.boolean().default(false) });
    const prompts = [{ name: 'review', inputSchema, handler: (args: unknown) => JSON.stringify(args) }];
    const result = resultOf(await get(MODERN, { arguments: { n: '5' } }, { prompts }));
    expect(result['messages']).toMatchObject([{ content: { text: '{"n":5,"loud":false}' } }]);
    const refused = await get(MODERN, { arguments: { n: '6', loud: 'maybe' } }, { prompts });
    expect(refused).toMatchObject(refusal(200, -32602, /n(.|\n)*loud/)!);
  });

  it('T8: refuses in the application’s words, and keeps its faults to the log', async () => {
    const failing = (error: Error) =>
      giving(() => {
        throw error;
      });
    const refused = await get(MODERN, {}, failing(new McpToolFailure('No such order.')));
    expect(refused).toMatchObject(refusal(200, -32602, /^No such order\.$/)!);
    const faulty = await get(MODERN, {}, failing(new Error('secret')));
    expect(faulty).toMatchObject(refusal(200, -32603, /log-1/)!);
    expect(JSON.stringify(faulty.body)).not.toContain('secret');
  });

  it('R1: is a run that a deadline ends', async () => {
    let opened: McpOpenRun | undefined;
    const endless = giving(() => {
      setImmediate(() => opened!.abort('deadline'));
      return EMPTY_FOREVER;
    });
    const answer = await get(MODERN, {}, { ...endless, onRun: (run) => (opened = run) });
    expect(answer).toMatchObject(refusal(200, -32603, /^Prompt review was stopped: it took longer/)!);
  });
});

describe('a prompt that is withheld', () => {
  const prompts = [
    { ...review, name: 'scoped', scopes: ['shop:read'] },
    { ...review, name: 'known', requiresAuth: true },
    { prompt: { ...review, name: 'guarded' }, origin: 'P.p', admits: () => false },
  ];

  each('T12: is answered in %s as one that does not exist, and not listed (A2)', async (version) => {
    for (const name of ['scoped', 'known', 'guarded', 'nothing']) {
      const answer = await ask(version, 'prompts/get', { name, arguments: { order: '1' } }, { prompts });
      expect(answer).toMatchObject(refusal(200, -32602, new RegExp(`^Unknown prompt: ${name}$`))!);
    }
    expect(resultOf(await ask(version, 'prompts/list', {}, { prompts }))['prompts']).toEqual([]);
    const listed = resultOf(await ask(version, 'prompts/list', {}, { prompts, caller: account('ann', 'shop:read') }));
    expect(listed['prompts']).toMatchObject([{ name: 'scoped' }, { name: 'known' }]);
  });

  it('A3: is counted', async () => {
    const { instructions } = resultOf(await ask(MODERN, 'server/discover', {}, { prompts }));
    expect(instructions).toBe('2 more prompts are available with authorization.');
  });
});
