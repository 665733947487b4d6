/** P1–P4, P9, P14, P15: what a message must be, one row a rule, without any server. */
import * as fc from 'fast-check';
import { META_KEY } from '../../src/protocol/read.js';
import { MCP_SUPPORTED_VERSIONS } from '../../src/protocol/revisions.js';
import { makeTool } from '../support/tools.js';
import { answerOf, ask, NO_ID, refusal, request, resultOf, say } from '../support/protocol.js';

const MODERN = '2026-07-28';
const modernHeaders = (method: string) => ({ 'mcp-protocol-version': MODERN, 'mcp-method': method });
const anyone = { headers: { 'mcp-protocol-version': '2025-11-25' } };

describe('a message that is no request', () => {
  it.each<[string, string, unknown, RegExp]>([
    ['P14', 'JSON null', null, /A message is a JSON object/],
    ['P14', 'a number', 7, /A message is a JSON object/],
    ['P14', 'a text', 'tools/list', /A message is a JSON object/],
    ['P14', 'a boolean', true, /A message is a JSON object/],
    ['P14', 'an empty object', {}, /"jsonrpc" must be "2.0"/],
    ['P14', 'another JSON-RPC', { jsonrpc: '1.0', method: 'ping' }, /"jsonrpc" must be "2.0"/],
    ['P14', 'no method', { jsonrpc: '2.0' }, /"method" must be a string/],
    ['P14', 'an empty method', { jsonrpc: '2.0', method: '' }, /"method" must be a string/],
    ['P14', 'a method that is a number', { jsonrpc: '2.0', method: 1 }, /"method" must be a string/],
    ['P14', 'a response that nobody awaits', { jsonrpc: '2.0', result: {} }, /No request of this server awaits/],
    ['P14', 'an error that nobody awaits', { jsonrpc: '2.0', error: {} }, /No request of this server awaits/],
  ])('%s: %s is refused with 400 and -32600, without id', async (_, __, message, said) => {
    expect(answerOf(await say(message, anyone))).toEqual(refusal(400, -32600, said, NO_ID));
  });

  it('P14: says `null` for the unreadable id before revision 2025-11-25, as JSON-RPC 2.0 has it', async () => {
    for (const version of ['2025-06-18', '2025-03-26']) {
      const answer = await say(null, { headers: { 'mcp-protocol-version': version } });
      expect(answer.body).toHaveProperty('id', null);
    }
    for (const version of ['2025-11-25', MODERN]) {
      const answer = await say(null, { headers: { 'mcp-protocol-version': version } });
      expect(answer.body).not.toHaveProperty('id');
    }
  });
});

describe('the id of a request (P3)', () => {
  it.each<[string, unknown]>([
    ['null', null],
    ['1.5', 1.5],
    ['true', true],
    ['{}', {}],
    ['[]', []],
    ['NaN, which no JSON holds', Number.NaN],
    ['an integer that arrives as another one', 2 ** 53],
    ['a text of 1 MB', 'x'.repeat(1_048_576)],
    ['a text of 1,001 characters', 'x'.repeat(1_001)],
  ])('%s is refused with 400 and -32600 in both eras, and not echoed', async (_, id) => {
    const said = /A request id is a string of at most 1000 characters or an integer/;
    const legacy = request('2025-11-25', 'tools/list', {}, id);
    expect(answerOf(await say(legacy.message, legacy))).toEqual(refusal(400, -32600, said, NO_ID));
    const modern = request(MODERN, 'tools/list', {}, id);
    expect(answerOf(await say(modern.message, modern))).toEqual(refusal(400, -32600, said, NO_ID));
  });

  it('is refused before anything else is looked at', async () => {
    const answer = await say({ jsonrpc: '1.0', id: null, method: 7, params: [] }, anyone);
    expect(answerOf(answer)).toEqual(refusal(400, -32600, /A request id is/, NO_ID));
  });

  it.each([0, 1, -1, 2 ** 53 - 1, '', 'a', 'x'.repeat(1_000), '1'])('%p is echoed as it came', async (id) => {
    const { message } = request('2025-11-25', 'ping', {}, id);
    expect((await say(message, anyone)).body).toEqual({ jsonrpc: '2.0', id, result: {} });
  });

  it('P14: is echoed by an error when it could be read', async () => {
    const answer = await say({ jsonrpc: '2.0', id: 'abc', method: 7 }, anyone);
    expect(answerOf(answer)).toEqual(refusal(400, -32600, /"method" must be/, 'abc'));
  });
});

describe('the params of a message (P4)', () => {
  const withParams = (params: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'ping', params });
  it.each<[string, unknown, number, RegExp]>([
    ['an array', [], -32602, /"params" is an object: name the parameters/],
    ['an array of something', [1], -32602, /"params" is an object: name the parameters/],
    ['a text', 'x', -32600, /"params" is an object when it is present/],
    ['a number', 0, -32600, /"params" is an object when it is present/],
    ['false', false, -32600, /"params" is an object when it is present/],
    ['null', null, -32600, /"params" is an object when it is present/],
    ['a _meta that is a text', { _meta: 'x' }, -32602, /"_meta" is an object when it is present/],
    ['a _meta that is null', { _meta: null }, -32602, /"_meta" is an object when it is present/],
    ['a _meta that is an array', { _meta: [] }, -32602, /"_meta" is an object when it is present/],
    ['a progress token that is null', { _meta: { progressToken: null } }, -32602, /progressToken" is a string or/],
    ['a progress token of 1.5', { _meta: { progressToken: 1.5 } }, -32602, /progressToken" is a string or an int/],
    ['a progress token that is an object', { _meta: { progressToken: {} } }, -32602, /progressToken" is a string/],
  ])('are refused when they are %s', async (_, params, code, said) => {
    expect(answerOf(await say(withParams(params), anyone))).toEqual(refusal(400, code, said));
  });

  it('may be absent', async () => {
    expect(resultOf(await say({ jsonrpc: '2.0', id: 1, method: 'ping' }, anyone))).toEqual({});
  });

  it('named __proto__ or constructor are parameters like others', async () => {
    const message: unknown = JSON.parse(
      '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"__proto__":{"_meta":1},"constructor":1}}',
    );
    expect(resultOf(await say(message, anyone))).toEqual({});
  });
});

describe('a method', () => {
  it.each(['resources/list', 'logging/setlevel', 'nonsense', 'toString', '__proto__', 'TOOLS/LIST', 'tools/list '])(
    'P9: %p is answered with 404 and -32601 in both eras',
    async (method) => {
      for (const version of MCP_SUPPORTED_VERSIONS) {
        const answer = await ask(version, method, {});
        expect(answerOf(answer)).toEqual(refusal(404, -32601, /^Method not found: /));
        expect(answer.reports).toEqual([]);
      }
    },
  );

  it.each([
    ['ping', MODERN],
    ['initialize', MODERN],
    ['server/discover', '2025-11-25'],
    ['server/discover', '2025-03-26'],
  ] as const)('P9: %s is no method of %s', async (method, version) => {
    const answer = await ask(
      version,
      method,
      { protocolVersion: version },
      { headers: modernHeadersIf(version, method) },
    );
    expect(answerOf(answer)).toEqual(refusal(404, -32601, /^Method not found: /));
  });

  it('P9: the name of an unknown method is echoed, and nothing is logged', async () => {
    const answer = await ask(MODERN, 'no/such', {});
    expect(answerOf(answer)).toEqual(refusal(404, -32601, /^Method not found: no\/such$/));
  });
});

describe('a notification (P2)', () => {
  const notice = (method: string, params?: unknown) => ({
    jsonrpc: '2.0',
    method,
    ...(params !== undefined && { params }),
  });

  it.each(['notifications/initialized', 'notifications/cancelled', 'notifications/roots/list_changed', 'anything'])(
    '%s is accepted with 202 and no body in both eras',
    async (method) => {
      for (const version of MCP_SUPPORTED_VERSIONS) {
        const answer = await say(notice(method), { headers: { 'mcp-protocol-version': version } });
        expect(answerOf(answer)).toEqual({ status: 202 });
      }
    },
  );

  it('that names a method of requests does not call it', async () => {
    let ran = false;
    const tools = [makeTool({ handler: () => (ran = true) })];
    const answer = await say(notice('tools/call', { name: 'shop_stock' }), { ...anyone, tools });
    expect(answerOf(answer)).toEqual({ status: 202 });
    expect(ran).toBe(false);
  });

  it('that is malformed is refused', async () => {
    expect(answerOf(await say(notice('notifications/cancelled', []), anyone))).toEqual(
      refusal(400, -32602, /"params" is an object/, NO_ID),
    );
  });

  it('in an unknown revision is refused with what is served', async () => {
    const answer = await say(notice('notifications/initialized'), {
      headers: { 'mcp-protocol-version': '1999-01-01' },
    });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: { code: -32022 } });
  });
});

describe('notifications/cancelled (R1, R4)', () => {
  const cancel = (requestId: unknown) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });

  it.each([7, '7', '', 0])('of request %p reaches the run, by id and type', async (requestId) => {
    expect((await say(cancel(requestId), anyone)).cancelled).toEqual([requestId]);
  });

  it.each([undefined, null, {}, [], true])('of %p reaches nothing', async (requestId) => {
    const answer = await say(cancel(requestId), anyone);
    expect(answer.cancelled).toEqual([]);
    expect(answer.status).toBe(202);
  });

  it('of a modern client reaches nothing over HTTP, where it closes the stream instead', async () => {
    expect((await say(cancel(7), { headers: modernHeaders('notifications/cancelled') })).cancelled).toEqual([]);
  });

  it('of a modern client reaches the run on a transport without headers (S4)', async () => {
    const context = { assumedVersion: MODERN } as const;
    expect((await say(cancel(7), { headers: null, context })).cancelled).toEqual([7]);
  });

  it('is accepted by a transport that cancels nothing', async () => {
    const answer = await say(cancel(7), { ...anyone, context: { cancel: undefined } });
    expect(answer.status).toBe(202);
  });
});

describe('a batch (P14)', () => {
  const ping = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'ping' });
  const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const old = { headers: { 'mcp-protocol-version': '2025-03-26' } };
  const pong = (id: unknown) => ({ jsonrpc: '2.0', id, result: {} });

  it('is answered by a batch in revision 2025-03-26', async () => {
    const answer = await say([ping(1), initialized, ping('b')], old);
    expect(answerOf(answer)).toEqual({ status: 200, body: [pong(1), pong('b')] });
  });

  it('is answered when no revision is named: 2025-03-26 is assumed', async () => {
    expect(answerOf(await say([ping(1)], { headers: {} }))).toEqual({ status: 200, body: [pong(1)] });
  });

  it.each(['2025-06-18', '2025-11-25', MODERN])('is refused with -32600 in revision %s', async (version) => {
    const answer = await say([ping(1)], { headers: { 'mcp-protocol-version': version } });
    const id = version === '2025-06-18' ? null : NO_ID;
    expect(answerOf(answer)).toEqual(refusal(400, -32600, /exists in revision 2025-03-26 only: send one/, id));
  });

  it('is refused by a gate that does not serve 2025-03-26', async () => {
    const answer = await say([ping(1)], { ...old, server: { versions: ['2026-07-28', '2025-11-25'] } });
    expect(answerOf(answer)).toEqual(refusal(400, -32600, /exists in revision 2025-03-26 only/, null));
  });

  it('of notifications only is accepted with 202 and no body', async () => {
    expect(answerOf(await say([initialized, initialized], old))).toEqual({ status: 202 });
  });

  it.each([0, 101])('of %i messages is refused with -32600', async (length) => {
    const batch = Array.from({ length }, (_, id) => ping(id));
    expect(answerOf(await say(batch, old))).toEqual(refusal(400, -32600, /A batch holds 1 to 100 messages/, null));
  });

  it('of 100 messages is answered', async () => {
    const answer = await say(
      Array.from({ length: 100 }, (_, id) => ping(id)),
      old,
    );
    expect(answer.body).toHaveLength(100);
  });

  it('must not hold `initialize`; what else it holds is answered', async () => {
    const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-03-26' } };
    const answer = await say([initialize, ping(2)], old);
    expect(answer).toMatchObject({
      status: 200,
      body: [{ id: 1, error: { code: -32600, message: '"initialize" must not be part of a batch.' } }, pong(2)],
    });
  });

  it('holds no message of another revision, which over a pipe nothing else would contradict', async () => {
    const named = (version: unknown, id: number) => ({
      ...ping(id),
      params: { _meta: { 'io.modelcontextprotocol/protocolVersion': version } },
    });
    const batch = [
      request(MODERN, 'server/discover', {}, 1).message,
      named('2025-11-25', 2),
      named(7, 3),
      named('2025-03-26', 4),
    ];
    const body = [1, 2, 3].map((id): unknown => ({
      id,
      error: { code: -32600, message: expect.stringMatching(/names another\. Send this message by itself/) as string },
    }));
    for (const around of [old, { headers: null, context: { assumedVersion: '2025-03-26' as const } }]) {
      expect(await say(batch, around)).toMatchObject({ status: 200, body: [...body, pong(4)] });
    }
  });

  it('answers each faulty message by itself', async () => {
    const answer = await say([null, ping(null), [ping(1)], { jsonrpc: '2.0', id: 3, method: 'no' }, ping(4)], old);
    expect(answer).toMatchObject({
      status: 200,
      body: [
        { id: null, error: { code: -32600 } },
        { id: null, error: { code: -32600 } },
        { id: null, error: { code: -32600 } },
        { id: 3, error: { code: -32601 } },
        pong(4),
      ],
    });
  });

  it('cancels, calls and lists like single messages', async () => {
    const tools = [makeTool()];
    const answer = await say(
      [
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'shop_stock' } },
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9 } },
        { jsonrpc: '2.0', id: 2, method: 'tools/list' },
      ],
      { ...old, tools },
    );
    expect(answer.cancelled).toEqual([9]);
    expect(answer.body).toMatchObject([
      { id: 1, result: { content: [{ text: 'done' }] } },
      { id: 2, result: { tools: [{ name: 'shop_stock' }] } },
    ]);
  });
});

describe('a fault of the server (P15)', () => {
  it('that nobody foresaw is 500 and -32603 with nothing but the id under which the log has it', async () => {
    const error = new Error('connect ECONNREFUSED 10.0.0.7');
    const catalogue = {
      list: () => Promise.reject(error),
      find: () => Promise.reject(error),
      reserved: () => Promise.reject(error),
    };
    for (const method of ['tools/list', 'tools/call', 'initialize']) {
      const answer = await ask(
        '2025-11-25',
        method,
        { name: 'x', protocolVersion: '2025-11-25' },
        { context: { catalogue } },
      );
      expect(answerOf(answer)).toEqual(
        refusal(500, -32603, /^The server failed\. Its log has the cause under log-1\.$/),
      );
      expect(answer.reports).toEqual([{ where: 'the protocol', error }]);
    }
  });
});

describe('whatever is said', () => {
  const json = fc.jsonValue({ maxDepth: 3 });
  const mostly = (arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
    fc.oneof({ weight: 4, arbitrary }, { weight: 1, arbitrary: json });
  const version = mostly(fc.constantFrom(...MCP_SUPPORTED_VERSIONS));
  const method = fc.constantFrom(
    'initialize',
    'ping',
    'tools/list',
    'tools/call',
    'server/discover',
    'notifications/x',
  );
  const params = fc.record(
    {
      name: mostly(fc.constantFrom('shop_stock', 'other')),
      arguments: mostly(fc.dictionary(fc.string(), json)),
      protocolVersion: version,
      cursor: json,
      _meta: mostly(
        fc.record(
          { [META_KEY.version]: version, [META_KEY.capabilities]: mostly(fc.constant({})), progressToken: json },
          { requiredKeys: [] },
        ),
      ),
    },
    { requiredKeys: [] },
  );
  const message = fc.record(
    { jsonrpc: mostly(fc.constant('2.0')), id: mostly(fc.nat()), method: mostly(method), params: mostly(params) },
    { requiredKeys: [] },
  );
  const headers = fc.option(
    fc.record(
      {
        'mcp-protocol-version': fc.oneof(fc.constantFrom(...MCP_SUPPORTED_VERSIONS), fc.string()),
        'mcp-method': fc.oneof(method, fc.string()),
        'mcp-name': fc.oneof(fc.constant('shop_stock'), fc.string()),
      },
      { requiredKeys: [] },
    ),
  );

  it('P1, P14, P15: is answered in the shape of the specification, without a fault of the server', async () => {
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(
        fc.oneof({ weight: 9, arbitrary: message }, { weight: 1, arbitrary: json }),
        headers,
        async (said, sent) => {
          const answer = await say(said, { headers: sent, tools: [makeTool()] });
          statuses.add(answer.status);
          expect(answer.reports).toEqual([]);
          expect([200, 202, 400, 404]).toContain(answer.status);
          expect(() => JSON.stringify(answer.body)).not.toThrow();
        },
      ),
      { numRuns: 500 },
    );
    expect(statuses).toEqual(new Set([200, 202, 400, 404])); // all of it was reached
  });
});

function modernHeadersIf(version: string, method: string): Record<string, string> {
  return version === MODERN ? modernHeaders(method) : { 'mcp-protocol-version': version };
}
