/** P8, P10, P13, P15, T5–T12, A2–A4, R1, R4: what clients of each revision are told of tools, and by them. */
import { establishCaller } from '../../src/caller.js';
import { META_KEY } from '../../src/protocol/read.js';
import { MCP_SUPPORTED_VERSIONS, type McpVersion } from '../../src/protocol/revisions.js';
import type { McpAbortCause, McpOpenRun } from '../../src/runs/open-run.js';
import { McpToolFailure } from '../../src/tools/failure.js';
import { mcpText } from '../../src/tools/text.js';
import type { McpTool } from '../../src/tools/tool.js';
import { account } from '../support/callers.js';
import { answerOf, ask, refusal, resultOf, say, type Surroundings } from '../support/protocol.js';
import { makeEntry, makeTool } from '../support/tools.js';

const MODERN = '2026-07-28';
const info = { [META_KEY.serverInfo]: { name: 'shop', version: '1.2.3' } };
const each = it.each(MCP_SUPPORTED_VERSIONS);

const call = (version: McpVersion, tool: Partial<McpTool>, around: Surroundings = {}, params: object = {}) =>
  ask(version, 'tools/call', { name: 'shop_stock', ...params }, { tools: [makeTool(tool)], ...around });

describe('tools/list', () => {
  const rich = makeTool({
    title: 'Stock',
    annotations: { readOnlyHint: true },
    outputSchema: { type: 'object' },
    icons: [{ src: 'https://shop.test/icon.png', sizes: ['48x48'] }],
    _meta: { 'shop.test/group': 'stock' },
  });
  const base = {
    name: 'shop_stock',
    description: 'Stock of a product.',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
  };
  const since2025June = {
    ...base,
    title: 'Stock',
    outputSchema: { type: 'object' },
    _meta: { 'shop.test/group': 'stock' },
  };
  const icons = [{ src: 'https://shop.test/icon.png', sizes: ['48x48'] }];

  it.each<[McpVersion, object]>([
    ['2025-03-26', { tools: [base] }],
    ['2025-06-18', { tools: [since2025June] }],
    ['2025-11-25', { tools: [{ ...since2025June, icons }] }],
    [
      '2026-07-28',
      {
        resultType: 'complete',
        tools: [{ ...since2025June, icons }],
        ttlMs: 60_000,
        cacheScope: 'private',
        _meta: info,
      },
    ],
  ])('P8, T11: says in %s what that revision knows of a tool, and nothing else', async (version, expected) => {
    const answer = await ask(version, 'tools/list', {}, { tools: [rich] });
    expect(resultOf(answer)).toEqual(expected);
  });

  it('P8: says an output schema that is not an object to modern clients only', async () => {
    const tools = [makeTool({ outputSchema: { type: 'array' } })];
    for (const version of MCP_SUPPORTED_VERSIONS) {
      const [tool] = resultOf(await ask(version, 'tools/list', {}, { tools }))['tools'] as object[];
      expect('outputSchema' in tool!).toBe(version === MODERN);
    }
  });

  each('P13: gives the same tools in the same order each time, in %s', async (version) => {
    const tools = ['c', 'a', 'b'].map((name) => makeTool({ name }));
    const first = await ask(version, 'tools/list', {}, { tools });
    const second = await ask(version, 'tools/list', {}, { tools });
    expect(second.body).toEqual(first.body);
    expect((resultOf(first)['tools'] as McpTool[]).map(({ name }) => name)).toEqual(['c', 'a', 'b']);
  });

  each('gives everything on one page, and refuses a cursor that it never gave, in %s', async (version) => {
    const tools = Array.from({ length: 250 }, (_, at) => makeTool({ name: `tool_${at}` }));
    const result = resultOf(await ask(version, 'tools/list', {}, { tools }));
    expect(result['tools']).toHaveLength(250);
    expect(result).not.toHaveProperty('nextCursor');
    const refused = await ask(version, 'tools/list', { cursor: 'x' }, { tools });
    expect(answerOf(refused)).toEqual(refusal(400, -32602, /^Invalid cursor: this server gives none/));
  });

  each('A2: holds what the caller may have, in %s', async (version) => {
    const tools = [makeTool({ name: 'open' }), makeTool({ name: 'closed', scopes: ['read'] })];
    const names = async (around: Surroundings) =>
      (resultOf(await ask(version, 'tools/list', {}, { tools, ...around }))['tools'] as McpTool[]).map(
        ({ name }) => name,
      );
    expect(await names({})).toEqual(['open']);
    expect(await names({ caller: account('ada', 'read') })).toEqual(['open', 'closed']);
  });
});

describe('the result of a call', () => {
  const content = [
    { type: 'text', text: 'hello', annotations: { priority: 1 } },
    { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    { type: 'resource', resource: { uri: 'shop://a', text: 'x' } },
    { type: 'resource_link', uri: 'shop://b', name: 'b', description: 'More.' },
  ];
  const ready = { content, structuredContent: { stock: 3 }, _meta: { 'shop.test/ms': 4 } };

  it.each<[McpVersion, object]>([
    [
      '2025-03-26',
      { content: [...content.slice(0, 3), { type: 'text', text: 'b: shop://b' }], _meta: { 'shop.test/ms': 4 } },
    ],
    ['2025-06-18', ready],
    ['2025-11-25', ready],
    ['2026-07-28', { resultType: 'complete', ...ready, _meta: { 'shop.test/ms': 4, ...info } }],
  ])('P8: has in %s the shape of that revision', async (version, expected) => {
    expect(resultOf(await call(version, { handler: () => ready }))).toEqual(expected);
  });

  it('P8: keeps structured content that is not an object for modern clients only; the text is for all', async () => {
    const tool = { outputSchema: { type: 'array' }, handler: () => [1, 2] };
    for (const version of MCP_SUPPORTED_VERSIONS) {
      const result = resultOf(await call(version, tool));
      expect(result['content']).toEqual([{ type: 'text', text: '[1,2]' }]);
      expect(result['structuredContent']).toEqual(version === MODERN ? [1, 2] : undefined);
    }
  });

  it('P8: never shows a legacy client what is modern, though a tool says it', async () => {
    const said = { ...ready, resultType: 'complete' };
    for (const version of MCP_SUPPORTED_VERSIONS) {
      const result = resultOf(await call(version, { handler: () => said }));
      expect('resultType' in result).toBe(version === MODERN);
      for (const key of ['ttlMs', 'cacheScope']) expect(result).not.toHaveProperty(key);
    }
  });

  it('P8: of every method carries resultType and serverInfo in the modern era, and in no legacy one', async () => {
    const methods = [
      ['tools/list', {}],
      ['tools/call', { name: 'shop_stock' }],
    ] as const;
    for (const version of MCP_SUPPORTED_VERSIONS) {
      for (const [method, params] of methods) {
        const result = resultOf(await ask(version, method, params, { tools: [makeTool()] }));
        expect(result['resultType']).toBe(version === MODERN ? 'complete' : undefined);
        expect(result['_meta']).toEqual(version === MODERN ? info : undefined);
      }
    }
  });

  it('P8: carries the title of the server where the revision knows one', async () => {
    const server = { title: 'The Shop' };
    const modern = resultOf(await ask(MODERN, 'tools/list', {}, { server }));
    expect(modern).toMatchObject({ _meta: { [META_KEY.serverInfo]: { title: 'The Shop' } } });
    for (const [version, title] of [
      ['2025-11-25', 'The Shop'],
      ['2025-06-18', 'The Shop'],
      ['2025-03-26', undefined],
    ] as const) {
      const result = resultOf(await ask(version, 'initialize', { protocolVersion: version }, { server }));
      expect((result['serverInfo'] as { title?: string }).title).toBe(title);
    }
  });

  each('T8: is an isError result for a business failure, in %s', async (version) => {
    const handler = () => {
      throw new McpToolFailure('Sold out.');
    };
    expect(resultOf(await call(version, { handler }))).toMatchObject({
      content: [{ type: 'text', text: 'Sold out.' }],
      isError: true,
    });
    expect(resultOf(await call(version, { handler: () => mcpText('No.', true) }))).toMatchObject({ isError: true });
  });

  each("T8, P15: is -32603 with the tool's name and an id of the log for any other failure, in %s", async (version) => {
    const error = new Error('connect ECONNREFUSED /var/run/db.sock');
    const answer = await call(version, { handler: () => Promise.reject(error) });
    expect(answerOf(answer)).toEqual(
      refusal(200, -32603, /^Tool shop_stock failed\. The server's log has the cause under log-1\.$/),
    );
    expect(answer.reports).toEqual([{ where: 'tool shop_stock', error }]);
    expect(answer.ends).toBe(1);
  });

  each('T6, T7: is an isError result for arguments that do not fit, in %s', async (version) => {
    const inputSchema = { type: 'object', properties: { sku: { type: 'string' } } };
    const wrong = resultOf(await call(version, { inputSchema }, {}, { arguments: { sku: 1, colour: 'red' } }));
    expect(wrong['isError']).toBe(true);
    expect(JSON.stringify(wrong['content'])).toMatch(/colour/);
  });

  each('T10: is a fault of the server when it breaks its output schema, in %s', async (version) => {
    const answer = await call(version, { outputSchema: { type: 'object', required: ['a'] }, handler: () => ({}) });
    expect(answer.body).toMatchObject({ error: { code: -32603 } });
    expect(answer.reports).toHaveLength(1);
  });
});

describe('the params of tools/call', () => {
  const tools = [makeTool()];
  it.each<[string, Record<string, unknown>, RegExp]>([
    ['no name', {}, /"name" of "tools\/call" must be a string that names a tool/],
    ['a name that is a number', { name: 7 }, /"name" of "tools\/call"/],
    ['a name that is null', { name: null }, /"name" of "tools\/call"/],
    ['an empty name', { name: '' }, /"name" of "tools\/call"/],
    ['arguments that are an array (T5)', { name: 'shop_stock', arguments: [] }, /"arguments".*must be an object/],
    ['arguments that are a text (T5)', { name: 'shop_stock', arguments: '{}' }, /"arguments".*must be an object/],
    ['arguments that are a number (T5)', { name: 'shop_stock', arguments: 0 }, /"arguments".*must be an object/],
    ['arguments that are false (T5)', { name: 'shop_stock', arguments: false }, /"arguments".*must be an object/],
  ])('are refused with -32602 in both eras when they have %s', async (_, params, said) => {
    for (const version of MCP_SUPPORTED_VERSIONS) {
      const headers = params['name'] === '' ? { 'mcp-name': '' } : {};
      expect(answerOf(await ask(version, 'tools/call', params, { tools, headers }))).toEqual(
        refusal(400, -32602, said),
      );
    }
  });

  it.each([undefined, null, {}])('may say %p when there is nothing to say', async (args) => {
    const seen: unknown[] = [];
    for (const version of MCP_SUPPORTED_VERSIONS) {
      await call(version, { handler: (given) => seen.push(given) }, {}, args === undefined ? {} : { arguments: args });
    }
    expect(seen).toEqual([{}, {}, {}, {}]);
  });
});

describe('a tool that a caller does not have (T12)', () => {
  const withheld = (name: string) => [
    [makeTool({ name, scopes: ['read'] })],
    [makeTool({ name, requiresAuth: true })],
    [makeTool({ name, scopes: ['me'], actsForUser: true })],
    [makeEntry(makeTool({ name }), () => false)],
    [
      makeEntry(makeTool({ name }), () => {
        throw new Error('no');
      }),
    ],
  ];

  it.each(
    MCP_SUPPORTED_VERSIONS.flatMap((version) => (['http', 'stdio'] as const).map((over) => [version, over] as const)),
  )('is unknown, to the byte, in %s over %s', async (version, over) => {
    const around = over === 'http' ? {} : { headers: null, context: { assumedVersion: version } };
    const unknown = await ask(version, 'tools/call', { name: 'secret' }, around);
    expect(answerOf(unknown)).toEqual(refusal(200, -32602, /^Unknown tool: secret$/));
    for (const tools of withheld('secret')) {
      const answer = await ask(version, 'tools/call', { name: 'secret' }, { ...around, tools });
      expect(JSON.stringify(answerOf(answer))).toBe(JSON.stringify(answerOf(unknown)));
      expect(answer.reports).toEqual([]);
      expect(answer.ends).toBe(0); // no run was opened
    }
  });

  it('is unknown also to one who sends headers for its arguments, or wrong arguments', async () => {
    const inputSchema = { type: 'object', properties: { a: { type: 'string', 'x-mcp-header': 'A' } } };
    const tools = [makeTool({ name: 'secret', scopes: ['read'], inputSchema })];
    const params = { name: 'secret', arguments: { a: 'x', no: 1 } };
    for (const headers of [{}, { 'mcp-param-a': 'y' }]) {
      const answer = await ask(MODERN, 'tools/call', params, { tools, headers });
      expect(answerOf(answer)).toEqual(refusal(200, -32602, /^Unknown tool: secret$/));
    }
  });

  it.each(['toString', '__proto__', 'constructor', 'x'.repeat(5_000), 'a\nb'])('may be called %p', async (name) => {
    const answer = await ask('2025-11-25', 'tools/call', { name }, { tools: [makeTool()] });
    expect(answer.body).toMatchObject({ error: { code: -32602, message: `Unknown tool: ${name}` } });
  });
});

describe('what an agent is told of tools that it does not have (A3)', () => {
  const reserved = (count: number) =>
    Array.from({ length: count }, (_, at) => makeTool({ name: `hidden_${at}`, scopes: ['secret:scope'] }));
  const introduce = async (version: McpVersion, around: Surroundings) =>
    version === MODERN
      ? resultOf(await ask(version, 'server/discover', {}, around))
      : resultOf(await ask(version, 'initialize', { protocolVersion: version }, around));

  each('is how many there are, and never a name or a scope, in %s', async (version) => {
    const result = await introduce(version, { tools: [makeTool(), ...reserved(3)] });
    expect(result['instructions']).toBe('3 more tools are available with authorization.');
    expect(JSON.stringify(result)).not.toMatch(/hidden|secret/);
  });

  each('follows the instructions of the gate, in %s', async (version) => {
    const around = { tools: reserved(1), server: { instructions: 'Stock and orders.' } };
    expect((await introduce(version, around))['instructions']).toBe(
      'Stock and orders.\n\n1 more tool is available with authorization.',
    );
  });

  each('is nothing when it has them all, in %s', async (version) => {
    const around = { tools: reserved(3), caller: account('ada', 'secret:scope') };
    expect(await introduce(version, around)).not.toHaveProperty('instructions');
  });
});

describe('scopes that one call needs (A4)', () => {
  const tool: Partial<McpTool> = { scopes: ['orders'], scopesFor: () => ['orders:all'] };
  const said = 'Tool shop_stock needs more authorization for this call: the scopes orders, orders:all.';

  each('are asked for in an isError result where no challenge can be made, in %s', async (version) => {
    const result = resultOf(await call(version, tool, { caller: account('ada', 'orders') }));
    expect(result).toMatchObject({ content: [{ type: 'text', text: said }], isError: true });
  });

  each('are 403 with all scopes for the challenge where one can be made, in %s', async (version) => {
    const answer = await call(version, tool, { caller: account('ada', 'orders'), context: { challenges: true } });
    expect(answerOf(answer)).toMatchObject({
      status: 403,
      body: { id: 1, error: { message: said } },
      insufficientScopes: ['orders', 'orders:all'],
    });
    expect(answer.ends).toBe(1);
  });

  each('refuse the call when they cannot be told, and the log hears of it, in %s', async (version) => {
    for (const scopesFor of [async () => ['orders'], () => 'orders', () => Promise.reject(new Error('no'))]) {
      const answer = await call(version, { scopesFor: scopesFor as never }, { caller: account('ada', 'orders') });
      expect(answer.body).toMatchObject({ error: { code: -32603 } });
      expect(answer.reports).toHaveLength(1);
    }
  });
});

describe('progress (P10)', () => {
  const reporting: Partial<McpTool> = {
    handler: (_, __, run) => {
      for (const value of [1, 1, 0, 2, 3]) run.progress(value, 3, `${value} of 3`);
      return 'done';
    },
  };
  const asking = (progressToken: unknown) => ({ _meta: { progressToken } });

  each('goes to the token that the request supplied, the last of a burst before the result, in %s', async (version) => {
    for (const token of ['a', 7, 0, '']) {
      const answer = await call(version, reporting, {}, asking(token));
      expect(answer.notifications).toEqual([
        {
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: token, progress: 1, total: 3, message: '1 of 3' },
        },
        {
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: token, progress: 3, total: 3, message: '3 of 3' },
        },
      ]);
    }
  });

  each('goes nowhere without a token, in %s', async (version) => {
    const answer = await call(version, reporting);
    expect(answer.notifications).toEqual([]);
    expect(answer.body).toMatchObject({ result: { content: [{ text: 'done' }] } });
  });

  each('is silent once the call has ended, in %s', async (version) => {
    let late: () => void = () => undefined;
    const handler: McpTool['handler'] = (_, __, run) => {
      late = () => run.progress(99);
      return 'done';
    };
    const answer = await call(version, { handler }, {}, asking('a'));
    late();
    expect(answer.notifications).toEqual([]);
  });
});

describe('a call that is aborted (R1)', () => {
  const never: Partial<McpTool> = { handler: () => new Promise(() => undefined) };
  const aborted = (version: McpVersion, cause: McpAbortCause, tool = never) =>
    call(version, tool, { onRun: (run) => queueMicrotask(() => run.abort(cause)) }, { _meta: { progressToken: 1 } });

  it.each(
    MCP_SUPPORTED_VERSIONS.flatMap((version) => [[version, 'cancelled'] as const, [version, 'disconnected'] as const]),
  )('R4: in %s because it was %s is answered by nothing at all', async (version, cause) => {
    const answer = await aborted(version, cause);
    expect(answerOf(answer)).toEqual({ status: 202 });
    expect(answer.notifications).toEqual([]);
    expect(answer.ends).toBe(1);
    expect(answer.reports).toEqual([]);
  });

  each('in %s by its deadline is an isError result that says what to do', async (version) => {
    expect(resultOf(await aborted(version, 'deadline'))).toMatchObject({
      content: [{ text: expect.stringMatching(/^Tool shop_stock was stopped: .*Ask for less at a time\.$/) as string }],
      isError: true,
    });
  });

  it.each(
    MCP_SUPPORTED_VERSIONS.flatMap((version) => [
      [version, 'shutdown', /was stopped: the server is shutting down\. Call it again later/] as const,
      [version, 'expired', /was stopped: the token expired\. Call it again with a new one/] as const,
    ]),
  )('in %s by %s is -32603 that says what to do, and no line of the log', async (version, cause, said) => {
    const answer = await aborted(version, cause);
    expect(answerOf(answer)).toEqual(refusal(200, -32603, said));
    expect(answer.reports).toEqual([]);
  });

  it('R4: is answered by nothing also when its tool obeys the signal and fails, or finishes late', async () => {
    const obeying: Partial<McpTool> = {
      handler: (_, __, run) =>
        new Promise((_resolve, reject) =>
          run.signal.addEventListener('abort', () => reject(run.signal.reason as Error)),
        ),
    };
    expect(answerOf(await aborted('2025-11-25', 'cancelled', obeying))).toEqual({ status: 202 });
    const late: Partial<McpTool> = { handler: async () => 'too late' };
    const answer = await call('2025-11-25', late, { onRun: (run) => queueMicrotask(() => run.abort('cancelled')) });
    expect(answerOf(answer)).toEqual({ status: 202 });
  });

  it('does not begin when its run was aborted before: its client would call again, and the work be done twice', async () => {
    let ran = false;
    const onRun = (run: McpOpenRun) => run.abort('shutdown');
    const answer = await call('2025-11-25', { handler: () => (ran = true) }, { onRun });
    expect(answer.body).toMatchObject({ error: { code: -32603 } });
    expect(ran).toBe(false);
    expect(answer.ends).toBe(1);
  });

  it('does not begin when its run is aborted while its arguments are checked', async () => {
    let ran = false;
    const inputSchema = {
      '~standard': {
        version: 1 as const,
        vendor: 'slow',
        jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
        validate: (value: unknown) =>
          new Promise<{ value: unknown }>((resolve) => setImmediate(() => resolve({ value }))),
      },
    };
    let run: McpOpenRun | undefined;
    const answer = await call(
      '2025-11-25',
      { inputSchema, handler: () => (ran = true) },
      { onRun: (opened) => ((run = opened), queueMicrotask(() => opened.abort('cancelled'))) },
    );
    expect(answerOf(answer)).toEqual({ status: 202 });
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect(run?.abortedBy).toBe('cancelled');
    expect(ran).toBe(false);
  });
});

describe('a caller', () => {
  each('A1: reaches the tool as the gate established it, whatever the request claims, in %s', async (version) => {
    const ada = establishCaller({ authenticated: true, subject: 'ada' });
    let seen: unknown;
    const claims = { _meta: { caller: { subject: 'root' } }, caller: { subject: 'root' }, subject: 'root' };
    await call(version, { handler: (_, caller) => (seen = caller.subject) }, { caller: ada }, claims);
    expect(seen).toBe('ada');
  });

  it('can be served by a batch that calls, fails and lists (P14)', async () => {
    const tools = [makeTool(), makeTool({ name: 'broken', handler: () => Promise.reject(new Error('x')) })];
    const callOf = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });
    const answer = await say([callOf(1, 'shop_stock'), callOf(2, 'broken'), callOf(3, 'none')], { tools, headers: {} });
    expect(answer.body).toMatchObject([
      { id: 1, result: {} },
      { id: 2, error: { code: -32603 } },
      { id: 3, error: { code: -32602 } },
    ]);
  });
});

it('a result is handed on whatever its members are called: none becomes its prototype, or says what it is not', async () => {
  const text = '{"content":[{"type":"text","text":"x"}],"__proto__":{"_meta":{"a":1}},"resultType":"input_required"}';
  const result = resultOf(await call(MODERN, { handler: () => JSON.parse(text) as object }));
  const said = '"__proto__":{"_meta":{"a":1}},"resultType":"complete"';
  expect(JSON.stringify(result)).toBe(
    `{"content":[{"type":"text","text":"x"}],${said},"_meta":${JSON.stringify(info)}}`,
  );
});
