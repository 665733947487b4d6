/** P5–P7, P11, P12: which revision a request is spoken in, and the headers that mirror a modern one. */
import { decodeHeaderValue } from '../../src/protocol/headers.js';
import { META_KEY } from '../../src/protocol/read.js';
import {
  checkProtocolVersion,
  MCP_SUPPORTED_VERSIONS,
  negotiateVersion,
  type McpVersion,
} from '../../src/protocol/revisions.js';
import { answerOf, ask, refusal, request, resultOf, say } from '../support/protocol.js';
import { makeTool } from '../support/tools.js';

const MODERN = '2026-07-28';
const LEGACY = MCP_SUPPORTED_VERSIONS.filter((version) => version !== MODERN);

describe('initialize (P7)', () => {
  const initialize = (protocolVersion: unknown, versions: readonly McpVersion[], headers = {}) =>
    say(
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion, capabilities: {}, clientInfo: {} } },
      { server: { versions }, headers },
    );
  const SERVED: McpVersion[][] = [
    ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'],
    ['2025-11-25', '2025-06-18', '2025-03-26'],
    ['2026-07-28', '2025-06-18'],
    ['2025-03-26'],
  ];
  const asked = [...LEGACY, '2024-11-05', '2099-01-01', MODERN, 'nonsense', ''];
  const table = SERVED.flatMap((served) => asked.map((version) => [version, served] as const));

  it.each(table)(
    'that asks for %p of a gate that serves %j gets it, or the newest legacy one',
    async (wanted, served) => {
      const legacy = served.filter((version) => version !== MODERN);
      const expected = legacy.find((version) => version === wanted) ?? legacy[0];
      const result = resultOf(await initialize(wanted, served));
      expect(result).toEqual({
        protocolVersion: expected,
        capabilities: { tools: {}, logging: {} },
        serverInfo: { name: 'shop', version: '1.2.3' },
      });
    },
  );

  it('is refused by a modern gate, which names what it serves', async () => {
    expect(answerOf(await initialize('2025-11-25', [MODERN]))).toEqual(
      refusal(400, -32022, /This server speaks 2026-07-28: send one of these/, 1, {
        supported: [MODERN],
        requested: '2025-11-25',
      }),
    );
  });

  it.each([undefined, null, 20250618, {}])('is refused with -32602 when it asks for %p', async (wanted) => {
    expect(answerOf(await initialize(wanted, LEGACY))).toEqual(
      refusal(400, -32602, /"protocolVersion" of "initialize"/),
    );
  });

  it.each(['2025-03-26', '2025-11-25', '2024-11-05'])(
    'answers the revision asked for also when a header, not yet agreed on, says %s',
    async (header) => {
      const answer = await initialize('2025-06-18', LEGACY, { 'mcp-protocol-version': header });
      expect(resultOf(answer)['protocolVersion']).toBe('2025-06-18');
    },
  );

  it('works without headers as well (S1)', async () => {
    const message = request('2025-06-18', 'initialize', { protocolVersion: '2025-06-18' }).message;
    expect(resultOf(await say(message, { headers: null }))['protocolVersion']).toBe('2025-06-18');
  });

  it('negotiates by a function of its own, newest first', () => {
    expect(negotiateVersion('2025-06-18', MCP_SUPPORTED_VERSIONS)).toBe('2025-06-18');
    expect(negotiateVersion('1999-01-01', MCP_SUPPORTED_VERSIONS)).toBe('2025-11-25');
    expect(checkProtocolVersion('2025-06-18', MCP_SUPPORTED_VERSIONS)).toBe('2025-06-18');
  });
});

describe('a revision that is not served (P6)', () => {
  const rows: [string, readonly McpVersion[]][] = [
    ['1999-01-01', MCP_SUPPORTED_VERSIONS],
    ['2024-11-05', MCP_SUPPORTED_VERSIONS],
    ['2027-01-01', MCP_SUPPORTED_VERSIONS],
    ['nonsense', MCP_SUPPORTED_VERSIONS],
    ['', MCP_SUPPORTED_VERSIONS],
    ['2025-06-18', ['2025-11-25']],
    ['2025-11-25', [MODERN]],
    [MODERN, ['2025-11-25', '2025-03-26']],
  ];

  it.each(rows)('%p in the header is refused with 400, -32022 and what is served: %j', async (version, versions) => {
    const { message } = request('2025-11-25', 'tools/list');
    const answer = await say(message, { headers: { 'mcp-protocol-version': version }, server: { versions } });
    const data = { supported: [...versions], requested: version };
    expect(answerOf(answer)).toEqual(refusal(400, -32022, /^Unsupported protocol version\./, 1, data));
  });

  it.each(rows)('%p in _meta and header is refused as well', async (version, versions) => {
    const { message, headers } = request(version as McpVersion, 'tools/list');
    message.params = { _meta: { [META_KEY.version]: version, [META_KEY.capabilities]: {} } };
    for (const sent of [{ ...headers, 'mcp-protocol-version': version, 'mcp-method': 'tools/list' }, null]) {
      const answer = await say(message, { headers: sent, server: { versions } });
      expect(answer).toMatchObject({
        status: 400,
        body: { id: 1, error: { code: -32022, data: { supported: [...versions], requested: version } } },
      });
    }
  });

  it('is refused before the method is looked for', async () => {
    const { message } = request('2025-11-25', 'no/such');
    const answer = await say(message, { headers: { 'mcp-protocol-version': '1999-01-01' } });
    expect(answer.body).toMatchObject({ error: { code: -32022 } });
  });

  it('is what a header sent twice is', async () => {
    const { message } = request('2025-11-25', 'ping');
    const answer = await say(message, { headers: { 'mcp-protocol-version': ['2025-11-25', '2025-11-25'] } });
    expect(answer.body).toMatchObject({ error: { code: -32022 } });
  });
});

describe('a request that names no revision', () => {
  const { message } = request('2025-03-26', 'tools/list');

  it('is spoken in 2025-03-26', async () => {
    const tools = [makeTool({ title: 'Stock' })];
    const result = resultOf(await say(message, { headers: {}, tools }));
    expect(result['tools']).toEqual([
      { name: 'shop_stock', description: 'Stock of a product.', inputSchema: { type: 'object' } },
    ]);
  });

  it('is spoken in what the transport has agreed on, where it has (S1)', async () => {
    const tools = [makeTool({ title: 'Stock' })];
    const result = resultOf(await say(message, { headers: null, tools, context: { assumedVersion: '2025-11-25' } }));
    expect(result).toMatchObject({ tools: [{ title: 'Stock' }] });
  });

  it('is refused with the missing header named when 2025-03-26 is not served', async () => {
    const answer = await say(message, { headers: {}, server: { versions: [MODERN, '2025-11-25'] } });
    expect(answerOf(answer)).toEqual(
      refusal(400, -32020, /MCP-Protocol-Version is missing\. This server speaks 2026-07-28, 2025-11-25/),
    );
  });
});

describe('header and _meta (P5)', () => {
  it.each([
    [MODERN, '2025-11-25', /MCP-Protocol-Version does not match/],
    ['2025-11-25', MODERN, /MCP-Protocol-Version does not match/],
    ['2025-11-25', '2025-06-18', /MCP-Protocol-Version does not match/],
    [MODERN, undefined, /MCP-Protocol-Version is missing/],
    [MODERN, ` ${MODERN}`, /MCP-Protocol-Version does not match/],
    ['2027-01-01', MODERN, /MCP-Protocol-Version does not match/],
  ])('that say %p and %p are refused with 400 and -32020', async (meta, header, said) => {
    const { message } = request(MODERN, 'tools/list', { _meta: { [META_KEY.version]: meta } });
    const headers = { 'mcp-protocol-version': header, 'mcp-method': 'tools/list' };
    expect(answerOf(await say(message, { headers }))).toEqual(refusal(400, -32020, said));
  });

  it('may agree on a legacy revision, or the header may be absent', async () => {
    const message = request('2025-11-25', 'ping', { _meta: { [META_KEY.version]: '2025-11-25' } }).message;
    for (const headers of [{ 'mcp-protocol-version': '2025-11-25' }, {}]) {
      expect(resultOf(await say(message, { headers }))).toEqual({});
    }
  });

  it.each([null, 7, {}])('a version in _meta that is %p is refused with -32602', async (version) => {
    const { message, headers } = request(MODERN, 'tools/list', { _meta: { [META_KEY.version]: version } });
    expect(answerOf(await say(message, { headers }))).toEqual(refusal(400, -32602, /protocolVersion" is a string/));
  });
});

describe('_meta of a modern request (P11)', () => {
  const metaOf = (changes: Record<string, unknown>) => {
    const { message, headers } = request(MODERN, 'tools/list');
    const meta = { ...(message.params as { _meta: object })._meta, ...changes };
    for (const key of Object.keys(changes))
      if (changes[key] === undefined) delete (meta as Record<string, unknown>)[key];
    return { message: { ...message, params: { _meta: meta } }, headers };
  };

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['the version', { [META_KEY.version]: undefined }, /must carry "io\.modelcontextprotocol\/protocolVersion"/],
    ['the capabilities', { [META_KEY.capabilities]: undefined }, /must carry "io\.modelcontextprotocol\/clientCap/],
    ['sound capabilities', { [META_KEY.capabilities]: 'all' }, /must carry "io\.modelcontextprotocol\/clientCap/],
    ['capabilities but null', { [META_KEY.capabilities]: null }, /must carry "io\.modelcontextprotocol\/clientCap/],
    ['capabilities but an array', { [META_KEY.capabilities]: [] }, /must carry "io\.modelcontextprotocol\/clientCap/],
    ['a sound client info', { [META_KEY.clientInfo]: 'me' }, /clientInfo" is an object when it is present/],
  ])('without %s is refused with 400 and -32602', async (_, changes, said) => {
    const { message, headers } = metaOf(changes);
    expect(answerOf(await say(message, { headers }))).toEqual(refusal(400, -32602, said));
  });

  it('is missing altogether: the same', async () => {
    const { message, headers } = request(MODERN, 'tools/list');
    const bare = { jsonrpc: '2.0', id: 1, method: message.method };
    expect(answerOf(await say(bare, { headers }))).toEqual(refusal(400, -32602, /must carry/));
    expect(answerOf(await say({ ...bare, params: {} }, { headers }))).toEqual(refusal(400, -32602, /must carry/));
  });

  it('needs no client info', async () => {
    const { message, headers } = metaOf({ [META_KEY.clientInfo]: undefined });
    expect(resultOf(await say(message, { headers }))).toHaveProperty('tools');
  });

  it('is checked on a transport without headers too (S1)', async () => {
    const { message } = metaOf({ [META_KEY.capabilities]: undefined });
    expect(answerOf(await say(message, { headers: null }))).toEqual(refusal(400, -32602, /must carry/));
  });
});

describe('headers that mirror a modern request (P11)', () => {
  const tools = [makeTool()];
  const call = (headers: Record<string, string | string[] | undefined>, name: unknown = 'shop_stock') =>
    ask(MODERN, 'tools/call', { name }, { headers, tools });

  it.each<[string, Record<string, string | string[] | undefined>, RegExp]>([
    ['Mcp-Method is missing', { 'mcp-method': undefined }, /Mcp-Method is missing/],
    ['Mcp-Method contradicts', { 'mcp-method': 'tools/list' }, /Mcp-Method does not match the body/],
    ['Mcp-Method differs in case', { 'mcp-method': 'Tools/Call' }, /Mcp-Method does not match/],
    ['Mcp-Method is sent twice', { 'mcp-method': ['tools/call', 'tools/call'] }, /Mcp-Method does not match/],
    ['Mcp-Method is sent twice and joined', { 'mcp-method': 'tools/call, tools/call' }, /Mcp-Method does not match/],
    ['Mcp-Method is Base64, which it may not be', { 'mcp-method': base64('tools/call') }, /Mcp-Method does not match/],
    ['Mcp-Name is missing', { 'mcp-name': undefined }, /Mcp-Name is missing/],
    ['Mcp-Name contradicts', { 'mcp-name': 'other' }, /Mcp-Name does not match the body/],
    ['Mcp-Name is empty', { 'mcp-name': '' }, /Mcp-Name does not match/],
    ['Mcp-Name is sent twice', { 'mcp-name': ['shop_stock', 'shop_stock'] }, /Mcp-Name does not match/],
    ['Mcp-Name is Base64 of another name', { 'mcp-name': base64('other') }, /Mcp-Name does not match/],
    ['Mcp-Name is broken Base64', { 'mcp-name': '=?base64?c2hvcF9zdG9jaw?=' }, /Mcp-Name holds Base64 that is not/],
    ['Mcp-Name is not ASCII', { 'mcp-name': 'shöp' }, /Mcp-Name holds characters outside ASCII/],
  ])('%s: 400 and -32020', async (_, headers, said) => {
    expect(answerOf(await call(headers))).toEqual(refusal(400, -32020, said));
  });

  it('may be Base64 in Mcp-Name', async () => {
    expect((await call({ 'mcp-name': base64('shop_stock') })).status).toBe(200);
    expect(answerOf(await call({ 'mcp-name': base64('größe') }, 'größe'))).toEqual(
      refusal(200, -32602, /^Unknown tool: größe$/),
    );
  });

  it.each([
    ['prompts/get', 'name'],
    ['resources/read', 'uri'],
  ])('are checked for %s, though it is not served', async (method, parameter) => {
    const answer = await ask(MODERN, method, { [parameter]: 'a:b' }, { headers: { 'mcp-name': undefined } });
    expect(answerOf(answer)).toEqual(refusal(400, -32020, /Mcp-Name is missing/));
  });

  it('are not asked of a legacy request, nor of a transport without headers', async () => {
    expect((await ask('2025-11-25', 'tools/call', { name: 'shop_stock' }, { tools })).status).toBe(200);
    expect((await ask(MODERN, 'tools/call', { name: 'shop_stock' }, { tools, headers: null })).status).toBe(200);
  });

  it('are looked at before the tool is: a stranger learns nothing of it', async () => {
    const answer = await call({ 'mcp-name': 'other' }, 'no_such_tool');
    expect(answer.body).toMatchObject({ error: { code: -32020 } });
  });
});

describe('Mcp-Param-* headers (P11)', () => {
  const tools = [
    makeTool({
      inputSchema: {
        type: 'object',
        properties: {
          region: { type: ['string', 'null'] },
          count: { type: 'integer', 'x-mcp-header': 'Count' },
          vip: { type: 'boolean', 'x-mcp-header': 'Vip' },
          place: {
            type: 'object',
            properties: { country: { type: 'string', 'x-mcp-header': 'Country' } },
          },
          note: { type: 'string', 'x-mcp-header': 'X-Note' },
        },
      },
    }),
  ];
  const call = (args: unknown, headers: Record<string, string | string[]> = {}, over: 'http' | 'stdio' = 'http') =>
    ask(
      MODERN,
      'tools/call',
      { name: 'shop_stock', ...(args !== undefined && { arguments: args as object }) },
      { tools, headers: over === 'http' ? headers : null },
    );

  it.each<[string, unknown, Record<string, string | string[]>]>([
    ['no argument and no header', undefined, {}],
    ['null arguments and no header', null, {}],
    ['a text', { note: 'eu-west' }, { 'mcp-param-x-note': 'eu-west' }],
    ['an empty text', { note: '' }, { 'mcp-param-x-note': '' }],
    ['a text in Base64', { note: 'größer als 3 €' }, { 'mcp-param-x-note': base64('größer als 3 €') }],
    ['a text with spaces around, in Base64', { note: ' a ' }, { 'mcp-param-x-note': base64(' a ') }],
    [
      'a text that looks like the sentinel',
      { note: '=?base64?eA==?=' },
      { 'mcp-param-x-note': base64('=?base64?eA==?=') },
    ],
    ['plain text that merely begins like it', { note: '=?base64?' }, { 'mcp-param-x-note': '=?base64?' }],
    ['an integer', { count: 42 }, { 'mcp-param-count': '42' }],
    ['an integer written as 42.0', { count: 42 }, { 'mcp-param-count': '42.0' }],
    ['a negative integer', { count: -7 }, { 'mcp-param-count': '-7' }],
    ['an integer in Base64', { count: 42 }, { 'mcp-param-count': base64('42') }],
    ['the largest integer that is exact', { count: 2 ** 53 - 1 }, { 'mcp-param-count': '9007199254740991' }],
    ['the smallest integer that is exact', { count: 1 - 2 ** 53 }, { 'mcp-param-count': '-9007199254740991.0' }],
    ['zero', { count: -0 }, { 'mcp-param-count': '0' }],
    ['a boolean', { vip: false }, { 'mcp-param-vip': 'false' }],
    ['a nested text', { place: { country: 'DE' } }, { 'mcp-param-country': 'DE' }],
    ['a header that no tool declares', {}, { 'mcp-param-other': 'x' }],
  ])('that mirror %s pass', async (_, args, headers) => {
    expect((await call(args, headers)).body).toMatchObject({ result: { content: [{ text: 'done' }] } });
  });

  it.each<[string, unknown, Record<string, string | string[]>, RegExp]>([
    ['are missing', { note: 'x' }, {}, /Mcp-Param-X-Note is missing: it must mirror the argument "note"/],
    ['are missing for an empty text', { note: '' }, {}, /Mcp-Param-X-Note is missing/],
    [
      'are missing for a nested text',
      { place: { country: 'DE' } },
      {},
      /Mcp-Param-Country is missing.*"place\.country"/,
    ],
    ['contradict', { note: 'x' }, { 'mcp-param-x-note': 'y' }, /Mcp-Param-X-Note does not match the argument "note"/],
    ['differ in case', { note: 'x' }, { 'mcp-param-x-note': 'X' }, /does not match/],
    ['are sent twice', { note: 'x' }, { 'mcp-param-x-note': ['x', 'x'] }, /does not match/],
    ['are sent without the argument', {}, { 'mcp-param-x-note': 'x' }, /is sent, but the argument "note" is not/],
    ['are sent for null', { note: null }, { 'mcp-param-x-note': 'null' }, /is sent, but the argument "note" is not/],
    [
      'are sent for a parent that is absent',
      {},
      { 'mcp-param-country': 'DE' },
      /"place\.country" is not\. Leave it out/,
    ],
    ['are sent for a parent that is null', { place: null }, { 'mcp-param-country': 'DE' }, /"place\.country" is not/],
    ['are sent for a parent that is a text', { place: 'DE' }, { 'mcp-param-country': 'DE' }, /"place\.country" is not/],
    ['are another number', { count: 42 }, { 'mcp-param-count': '43' }, /Mcp-Param-Count does not match/],
    ['are no number', { count: 42 }, { 'mcp-param-count': '0x2a' }, /does not match/],
    ['are a number with an exponent', { count: 42 }, { 'mcp-param-count': '4.2e1' }, /does not match/],
    ['are a fraction', { count: 42 }, { 'mcp-param-count': '42.5' }, /does not match/],
    ['are empty for a number', { count: 0 }, { 'mcp-param-count': '' }, /does not match/],
    ['are missing for an integer', { count: 0 }, {}, /Mcp-Param-Count is missing/],
    ['are missing for false', { vip: false }, {}, /Mcp-Param-Vip is missing/],
    ['are the text of another number', { note: '42' }, { 'mcp-param-x-note': '42.0' }, /does not match/],
    [
      'are of an object',
      { note: {} },
      {},
      /Mcp-Param-X-Note cannot mirror the argument "note": send a text, a boolean/,
    ],
    ['are of an array', { count: [1] }, { 'mcp-param-count': '1' }, /Mcp-Param-Count cannot mirror/],
    ['are of an integer that is not exact', { count: 2 ** 53 }, {}, /cannot mirror.*or an integer within 2\^53 - 1/],
    [
      'are of an integer whose neighbour is the same number here',
      JSON.parse('{"count":9007199254740993}'),
      { 'mcp-param-count': '9007199254740992' },
      /Mcp-Param-Count cannot mirror/,
    ],
    [
      'are of another integer that is the same number here',
      { count: Number.MAX_SAFE_INTEGER },
      { 'mcp-param-count': '9007199254740992' },
      /does not match/,
    ],
    ['are of a very large number', { count: 1e300 }, { 'mcp-param-count': '1e+300' }, /cannot mirror/],
    ['are a boolean otherwise written', { vip: true }, { 'mcp-param-vip': 'TRUE' }, /does not match/],
    [
      'are broken Base64',
      { note: 'x' },
      { 'mcp-param-x-note': '=?base64?%%%?=' },
      /holds Base64 that is not valid UTF-8/,
    ],
    ['are Base64 of no UTF-8', { note: 'x' }, { 'mcp-param-x-note': '=?base64?/w==?=' }, /holds Base64 that is not/],
    [
      'are Base64 with bits that no byte has',
      { note: 'Hello' },
      { 'mcp-param-x-note': '=?base64?SGVsbG9=?=' },
      /holds Base64 that is not/,
    ],
    [
      'are Base64 with a space in it',
      { note: 'Hi!' },
      { 'mcp-param-x-note': '=?base64?SGk h?=' },
      /Base64 that is not/,
    ],
    [
      'are Base64 of URLs',
      { note: '\u03ff\u03ff' },
      { 'mcp-param-x-note': '=?base64?z7_Pvw==?=' },
      /Base64 that is not/,
    ],
    ['are Base64 without padding', { note: 'x' }, { 'mcp-param-x-note': '=?base64?eA?=' }, /holds Base64 that is not/],
    ['are not ASCII', { note: 'ö' }, { 'mcp-param-x-note': 'ö' }, /characters outside ASCII; send them as =\?base64\?/],
    ['hold a control character', { note: 'a\u0001' }, { 'mcp-param-x-note': 'a\u0001' }, /characters outside ASCII/],
  ])('that %s: 400 and -32020', async (_, args, headers, said) => {
    expect(answerOf(await call(args, headers))).toEqual(refusal(400, -32020, said));
  });

  it.each<[string, unknown, Record<string, string>]>([
    ['a text in place of an integer', { count: '42' }, { 'mcp-param-count': '42' }],
    ['a fraction in place of an integer', { count: 4.5 }, { 'mcp-param-count': '4.5' }],
    ['a number in place of a text', { note: 7 }, { 'mcp-param-x-note': '7' }],
    ['a boolean in place of a text', { note: true }, { 'mcp-param-x-note': 'true' }],
  ])('that mirror %s leave the refusal to the tool, whose agent can mend it (T7)', async (_, args, headers) => {
    const result = resultOf(await call(args, headers));
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result['content'])).toMatch(/count|note/);
  });

  it('are never compared with what every object inherits', async () => {
    const property = { toString: { type: 'string', 'x-mcp-header': 'To' } };
    const inheriting = [makeTool({ inputSchema: { type: 'object', properties: property } })];
    expect((await ask(MODERN, 'tools/call', { name: 'shop_stock' }, { tools: inheriting })).status).toBe(200);
    const own = JSON.parse('{"__proto__":{"country":"DE"}}') as unknown;
    expect((await call({ place: own }, { 'mcp-param-country': 'DE' })).body).toMatchObject({ error: { code: -32020 } });
  });

  it('are not asked for without headers (S1)', async () => {
    expect((await call({ note: 'x' }, {}, 'stdio')).status).toBe(200);
  });

  it('are not asked of a legacy client, which knows nothing of them', async () => {
    const answer = await ask('2025-11-25', 'tools/call', { name: 'shop_stock', arguments: { note: 'x' } }, { tools });
    expect(answer.status).toBe(200);
  });

  it('are decoded by a function of its own', () => {
    expect(decodeHeaderValue('X', base64('größe'))).toBe('größe');
    expect(decodeHeaderValue('X', '=?base64??=')).toBe('');
    expect(decodeHeaderValue('X', base64('\uFEFFa'))).toBe('\uFEFFa');
    expect(decodeHeaderValue('X', 'plain text')).toBe('plain text');
  });
});

describe('server/discover (P12)', () => {
  it('says what is spoken and offered', async () => {
    expect(resultOf(await ask(MODERN, 'server/discover'))).toEqual({
      resultType: 'complete',
      supportedVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'],
      capabilities: { tools: {}, logging: {} },
      ttlMs: 60_000,
      cacheScope: 'private',
      _meta: { [META_KEY.serverInfo]: { name: 'shop', version: '1.2.3' } },
    });
  });

  it('says only what this gate serves', async () => {
    const result = resultOf(await ask(MODERN, 'server/discover', {}, { server: { versions: [MODERN, '2025-06-18'] } }));
    expect(result['supportedVersions']).toEqual([MODERN, '2025-06-18']);
  });

  it('is -32601 where an operator has turned it off', async () => {
    const answer = await ask(MODERN, 'server/discover', {}, { server: { discover: false } });
    expect(answerOf(answer)).toEqual(refusal(404, -32601, /^Method not found: server\/discover$/));
  });
});

function base64(text: string): string {
  return `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
