/** Completion by the protocol alone (A2, P15, T12). */
import { MCP_SUPPORTED_VERSIONS, type McpVersion } from '../../src/protocol/revisions.js';
import type { McpCompletion } from '../../src/completions/completion.js';
import { declareMcpCompletions } from '../../src/completions/declare.js';
import { declareMcpPrompts } from '../../src/prompts/declare.js';
import { declareMcpResources } from '../../src/resources/declare.js';
import type { McpOpenRun } from '../../src/runs/open-run.js';
import { McpToolFailure } from '../../src/tools/failure.js';
import { account } from '../support/callers.js';
import { ask, refusal, resultOf, type Surroundings } from '../support/protocol.js';

const MODERN = '2026-07-28';
const each = it.each(MCP_SUPPORTED_VERSIONS);

const prompts = [
  {
    name: 'review',
    inputSchema: {
      type: 'object',
      properties: { order: { type: 'string' }, focus: { enum: ['Prices', 'people', 7] }, loud: { type: 'boolean' } },
    },
    handler: () => 'x',
  },
  { name: 'reserved', inputSchema: { type: 'object', properties: { a: { enum: ['x'] } } }, scopes: ['shop:read'], handler: () => 'x' }, // prettier-ignore
];
const resources = [{ uriTemplate: 'shop://products/{sku}', name: 'product', read: () => 'x' }];
const orders = (complete: McpCompletion['complete']): McpCompletion => ({
  prompt: 'review',
  argument: 'order',
  complete,
});
const skus: McpCompletion = {
  template: 'shop://products/{sku}',
  variable: 'sku',
  complete: (value, context) => [`${value}-${context.arguments['lang']}`],
};
const offered = { prompts, resources, completions: [orders((value) => [`${value}1`, `${value}2`]), skus] };
const PROMPT = { type: 'ref/prompt', name: 'review' };

const complete = (version: McpVersion, name: string, value = '', ref: object = PROMPT, around: Surroundings = {}) =>
  ask(version, 'completion/complete', { ref, argument: { name, value } }, { ...offered, ...around });
const completing = (value: unknown) => ({
  completions: [orders(typeof value === 'function' ? (value as () => unknown) : () => value)],
});

describe('completion/complete', () => {
  each('is unknown in %s where nothing completes, and offered where something does', async (version) => {
    expect(await ask(version, 'completion/complete', {}, { resources })).toMatchObject(refusal(404, -32601, /./)!);
    const method = version === MODERN ? 'server/discover' : 'initialize';
    const params = version === MODERN ? {} : { protocolVersion: version };
    const capabilities = async (around: Surroundings) =>
      resultOf(await ask(version, method, params, around))['capabilities'];
    expect(await capabilities({ resources })).not.toHaveProperty('completions');
    expect(await capabilities({ prompts })).toHaveProperty('completions');
    expect(await capabilities({ resources, completions: [skus] })).toHaveProperty('completions');
  });

  each('proposes in %s what a completion gives, with the other arguments', async (version) => {
    expect(resultOf(await complete(version, 'order', 'O-'))).toMatchObject({
      completion: { values: ['O-1', 'O-2'], total: 2, hasMore: false },
    });
    const ref = { type: 'ref/resource', uri: 'shop://products/{sku}' };
    const params = { ref, argument: { name: 'sku', value: 'A' }, context: { arguments: { lang: 'de' } } };
    expect(resultOf(await ask(version, 'completion/complete', params, offered))).toMatchObject({
      completion: { values: ['A-de'] },
    });
  });

  it.each([
    ['focus', 'p', ['Prices', 'people']],
    ['focus', '', ['Prices', 'people', '7']],
    ['focus', 'x', []],
    ['loud', 't', ['true']],
  ])('proposes of %s by its schema what begins with "%s"', async (name, value, values) => {
    expect(resultOf(await complete(MODERN, name, value))['completion']).toMatchObject({ values });
  });

  it('sends a hundred values, and says how many there are', async () => {
    const many = Array.from({ length: 250 }, (_, at) => String(at));
    const sent = { values: many.slice(0, 100), total: 250, hasMore: true };
    expect(resultOf(await complete(MODERN, 'order', '', PROMPT, completing(many)))['completion']).toEqual(sent);
    const ready = completing(Promise.resolve({ values: ['a'], total: 9 }));
    const one = { values: ['a'], total: 9, hasMore: true };
    expect(resultOf(await complete(MODERN, 'order', '', PROMPT, ready))['completion']).toEqual(one);
    const miscounted = completing({ values: ['a', 'b'], total: 1 });
    const two = { values: ['a', 'b'], total: 2, hasMore: false };
    expect(resultOf(await complete(MODERN, 'order', '', PROMPT, miscounted))['completion']).toEqual(two);
  });

  // oxlint-disable-next-line no-new-array -- an array with holes
  it.each([undefined, 'x', [1], new Array(2), { values: 'x' }, { values: [], total: 'x' }])(
    'P15: takes %j for a fault of the server',
    async (value) => {
      const answer = await complete(MODERN, 'order', '', PROMPT, completing(value));
      expect(answer).toMatchObject(refusal(200, -32603, /^The completion failed\. .* log-1/)!);
    },
  );

  it('refuses in the application’s words', async () => {
    const refusing = completing(() => {
      throw new McpToolFailure('Type more.');
    });
    expect(await complete(MODERN, 'order', '', PROMPT, refusing)).toMatchObject(refusal(200, -32602, /^Type more\.$/)!);
  });

  each('T12: answers in %s for what the caller does not have as for what does not exist', async (version) => {
    for (const name of ['reserved', 'nothing']) {
      const answer = await complete(version, 'a', '', { type: 'ref/prompt', name });
      expect(answer).toMatchObject(refusal(200, -32602, new RegExp(`^Unknown prompt: ${name}$`))!);
    }
    const caller = account('ann', 'shop:read');
    const known = await complete(version, 'a', '', { type: 'ref/prompt', name: 'reserved' }, { caller });
    expect(resultOf(known)).toMatchObject({ completion: { values: ['x'] } });
    const template = await complete(version, 'a', '', { type: 'ref/resource', uri: 'shop://{x}' });
    expect(template).toMatchObject(refusal(200, -32602, /^Unknown resource template: shop:\/\/\{x\}$/)!);
  });

  it('A2: proposes nothing by a completion that the caller does not have', async () => {
    const completions = [{ ...orders(() => ['secret']), scopes: ['shop:read'] }];
    expect(resultOf(await complete(MODERN, 'order', '', PROMPT, { completions }))['completion']).toMatchObject({ values: [] }); // prettier-ignore
    const caller = account('ann', 'shop:read');
    expect(resultOf(await complete(MODERN, 'order', '', PROMPT, { completions, caller }))['completion']).toMatchObject({ values: ['secret'] }); // prettier-ignore
  });

  it('R1: begins nothing of what was aborted before', async () => {
    let begun = false;
    const around = { ...completing(() => (begun = true)), onRun: (run: McpOpenRun) => run.abort('shutdown') };
    const answer = await complete(MODERN, 'order', '', PROMPT, around);
    expect(answer).toMatchObject(refusal(200, -32603, /^The completion was stopped: the server is shutting down/)!);
    expect(begun).toBe(false);
  });

  it('names the arguments that there are', async () => {
    const answer = await complete(MODERN, 'colour');
    expect(answer).toMatchObject(refusal(200, -32602, /^Unknown argument: colour\. There are: order, focus, loud\.$/)!);
  });

  const argument = { name: 'order', value: '' };
  it.each<[string, object]>([
    ['no ref', { argument }],
    ['a ref of another type', { ref: { type: 'ref/tool', name: 'x' }, argument }],
    ['no argument', { ref: PROMPT }],
    ['a value that is no text', { ref: PROMPT, argument: { name: 'order', value: 1 } }],
    ['a context that is none', { ref: PROMPT, argument, context: { arguments: { a: 1 } } }],
  ])('refuses %s', async (_, params) => {
    const answer = await ask('2025-11-25', 'completion/complete', { ...params }, offered);
    expect(answer).toMatchObject(refusal(400, -32602, /^Invalid parameters of "completion\/complete"/)!);
  });
});

describe('a declaration of a completion (T4)', () => {
  const known = {
    prompts: declareMcpPrompts(prompts.map((prompt) => ({ prompt, origin: 'P' }))),
    resources: declareMcpResources(resources.map((resource) => ({ resource, origin: 'R' }))),
  };
  it.each<[string, object | null, RegExp]>([
    ['nothing', null, /a completion is an object/],
    ['no function', { prompt: 'review', argument: 'order' }, /has no complete/],
    ['no target', { complete: () => [] }, /must say what it completes: prompt and argument, or template and variable/],
    ['half a target', { prompt: 'review', complete: () => [] }, /must say what it completes/],
    ['a target that is no text', { template: 7, variable: 'sku', complete: () => [] }, /must say what it completes/],
    [
      'a prompt whose name is mistyped',
      { ...orders(() => []), prompt: 'rewiev' },
      /prompt "rewiev", which is not served beside it\. Did you mean "review"\?/,
    ],
    ['an unknown prompt', { ...orders(() => []), prompt: 'orders' }, /"orders", .* Serve it, or complete one that is/],
    ['an unknown argument', { ...orders(() => []), argument: 'x' }, /has no argument "x", only order, focus, loud/],
    ['an unknown template', { ...skus, template: 'shop://{x}' }, /template "shop:\/\/\{x\}", which is not served/],
    ['a mistyped template', { ...skus, template: `${skus.template}/` }, /Did you mean "shop:\/\/[^"]*\{sku\}"\?/],
    ['an unknown variable', { ...skus, variable: 'x' }, /has no variable "x", only sku/],
    ['scopes that are none', { ...skus, scopes: 'x' }, /array of strings/],
  ])('with %s is refused', (_, completion, reason) => {
    const entries = [{ completion: completion as McpCompletion, origin: 'C.c' }];
    expect(() => declareMcpCompletions(entries, known)).toThrow(reason);
  });

  it('for an argument that has one is refused', () => {
    const entries = [{ completion: skus, origin: 'A.a' }, { completion: skus, origin: 'B.b' }]; // prettier-ignore
    expect(() => declareMcpCompletions(entries, known)).toThrow(
      'B.b: A.a completes it already, and keeps it: remove one.',
    );
  });
});
