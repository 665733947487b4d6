/** The protocol's part of logging: who is heard, from where on, and what is refused. */
import { ANONYMOUS_CALLER } from '../../src/caller.js';
import { MCP_LOG_LEVELS, type McpLogLevel } from '../../src/runs/log.js';
import type { McpResource } from '../../src/resources/resource.js';
import { META_KEY } from '../../src/protocol/read.js';
import { MCP_SUPPORTED_VERSIONS, type McpVersion } from '../../src/protocol/revisions.js';
import { answerOf, ask, refusal, resultOf, type Surroundings } from '../support/protocol.js';
import { makeTool } from '../support/tools.js';

const MODERN: McpVersion = '2026-07-28';
const LEGACY = MCP_SUPPORTED_VERSIONS.filter((version) => version !== MODERN);
const ALL = 'debug, info, notice, warning, error, critical, alert, emergency';

const loud = makeTool({
  name: 'loud',
  async handler(_, __, run) {
    run.log('debug', 'begins');
    await Promise.resolve();
    run.log('error', { code: 7 }, 'disk');
    return 'done';
  },
});
const quiet = makeTool({ name: 'quiet', handler: (_, __, run) => run.log('alert', 'said at once') });
const tools = [loud, quiet];

const call = (version: McpVersion, name: string, level?: unknown, around: Surroundings = {}) =>
  ask(
    version,
    'tools/call',
    { name, ...(level !== undefined && { _meta: { [META_KEY.logLevel]: level } }) },
    { tools, ...around },
  );
const message = (level: McpLogLevel, data: unknown, logger?: string) => ({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level, ...(logger && { logger }), data },
});

describe('a modern request', () => {
  it('hears from the level on that it names', async () => {
    const { notifications } = await call(MODERN, 'loud', 'debug');
    expect(notifications).toEqual([message('debug', 'begins'), message('error', { code: 7 }, 'disk')]);
    expect((await call(MODERN, 'loud', 'notice')).notifications).toEqual([message('error', { code: 7 }, 'disk')]);
    expect((await call(MODERN, 'loud', 'critical')).notifications).toEqual([]);
    expect((await call(MODERN, 'quiet', 'info')).notifications).toEqual([message('alert', 'said at once')]);
  });

  it('hears nothing without it, whatever others have asked for', async () => {
    const exchange = await call(MODERN, 'loud', undefined, { levelSet: 'debug' });
    expect(exchange.notifications).toEqual([]);
    expect(resultOf(exchange)).toMatchObject({ content: [{ text: 'done' }] });
  });

  it.each(['loud', '', 'INFO', 'warn', 7, null, {}])('with the level %j is refused', async (level) => {
    for (const method of ['tools/list', 'server/discover']) {
      expect(answerOf(await ask(MODERN, method, { _meta: { [META_KEY.logLevel]: level } }))).toEqual(
        refusal(400, -32602, new RegExp(`^"_meta" "${META_KEY.logLevel}" is one of ${ALL}\\.$`)),
      );
    }
  });

  it('cannot set a level for others: there is no such method', async () => {
    const answer = await ask(MODERN, 'logging/setLevel', { level: 'debug' });
    expect(answerOf(answer)).toEqual(refusal(404, -32601, /^Method not found: logging\/setLevel$/));
    expect(answer.levels).toEqual([]);
  });

  it('hears of prompts, resources and completions too', async () => {
    const _meta = { [META_KEY.logLevel]: 'info' };
    const logged: McpResource['read'] = (_, __, run) => (run.log('info', 'resource'), 'text');
    const around: Surroundings = {
      prompts: [{ name: 'p', handler: (_, __, run) => (run.log('info', 'prompt'), 'text') }],
      resources: [
        { uri: 'shop://r', name: 'r', read: logged },
        { uriTemplate: 'shop://{id}/t', name: 't', read: () => 'text' },
      ],
      completions: [
        {
          template: 'shop://{id}/t',
          variable: 'id',
          complete: (_, __, ___, run) => (run.log('info', 'completion'), []),
        },
      ],
    };
    const asked = [
      await ask(MODERN, 'prompts/get', { name: 'p', _meta }, around),
      await ask(MODERN, 'resources/read', { uri: 'shop://r', _meta }, around),
      await ask(
        MODERN,
        'completion/complete',
        { ref: { type: 'ref/resource', uri: 'shop://{id}/t' }, argument: { name: 'id', value: '' }, _meta },
        around,
      ),
    ];
    expect(asked.map(({ notifications }) => notifications)).toEqual([
      [message('info', 'prompt')],
      [message('info', 'resource')],
      [message('info', 'completion')],
    ]);
  });
});

describe.each(LEGACY)('a client of %s', (version) => {
  it.each(MCP_LOG_LEVELS)('sets the level "%s"', async (level) => {
    const exchange = await ask(version, 'logging/setLevel', { level });
    expect(resultOf(exchange)).toEqual({});
    expect(exchange.levels).toEqual([level]);
  });

  it.each([undefined, null, 'loud', 'Info', 7, ['info']])('sets no level %j', async (level) => {
    const exchange = await ask(version, 'logging/setLevel', { level });
    expect(answerOf(exchange)).toEqual(
      refusal(400, -32602, new RegExp(`^"level" of "logging/setLevel" is one of ${ALL}\\.$`)),
    );
    expect(exchange.levels).toEqual([]);
  });

  it('hears from the level on that it has set before, and nothing when it has set none', async () => {
    expect((await call(version, 'loud', undefined, { levelSet: 'error' })).notifications).toEqual([
      message('error', { code: 7 }, 'disk'),
    ]);
    expect((await call(version, 'loud')).notifications).toEqual([]);
  });

  it('is answered where nothing remembers levels', async () => {
    const around = { context: { setLogLevel: undefined as never } };
    expect(resultOf(await ask(version, 'logging/setLevel', { level: 'info' }, around))).toEqual({});
  });

  it('is not asked by what a modern client writes into its requests', async () => {
    expect((await call(version, 'loud', 'debug')).notifications).toEqual([]);
    expect((await call(version, 'loud', 'nonsense')).status).toBe(200);
  });
});

it('is declared by every gate, in both eras: any tool may log (2026-07-28, logging, capabilities)', async () => {
  const introductions = [
    await ask(MODERN, 'server/discover', {}, { caller: ANONYMOUS_CALLER }),
    await ask('2025-11-25', 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '0' },
    }),
  ];
  for (const introduction of introductions) {
    expect(resultOf(introduction)['capabilities']).toMatchObject({ logging: {} });
  }
});
