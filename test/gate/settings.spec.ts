/** G1, G2, A10: settings that cannot be used stop the boot with a sentence that mends them; the others get defaults. */
import { createMcpEventBus } from '../../src/events/bus.js';
import { defineMcpGate } from '../../src/gate/gate.js';
import { nearestName } from '../../src/tools/nearest-name.js';
import { MCP_STREAM_GRACE_MS, resolveGateSettings, type McpGateSettings } from '../../src/gate/settings.js';
import { McpSettingsError } from '../../src/gate/settings-check.js';
import { McpDeclarationError } from '../../src/tools/declarations.js';
import { makeTool } from '../support/tools.js';

function faultsOf(settings: unknown): readonly string[] {
  try {
    resolveGateSettings(settings as McpGateSettings);
    return [];
  } catch (error) {
    if (error instanceof McpSettingsError) return error.faults;
    throw error;
  }
}

describe('the settings of a gate', () => {
  it('G2: get every default', () => {
    expect(resolveGateSettings({ name: 'shop' })).toEqual({
      name: 'shop',
      version: '0.0.0',
      tools: 'discovered',
      resources: [],
      prompts: [],
      completions: [],
      path: '/mcp',
      allowRemote: false,
      allowedOrigins: [],
      unprotectedRoles: [],
      protocol: { versions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'], discover: true },
      cache: { ttlMs: 0, scope: 'private' },
      enabled: true,
      stream: { graceMs: 5_000, heartbeatMs: 15_000 },
      answerWithinMs: 600_000,
      subscriptions: { perCaller: 64, total: 10_000 },
      bodyLimit: 4_194_304,
    });
    expect(MCP_STREAM_GRACE_MS).toBe(5_000);
  });

  it('G2: are kept as they are given, each', () => {
    const given: McpGateSettings = {
      name: 'shop',
      version: '1.2.3',
      title: 'The Shop',
      instructions: 'Stock and orders.',
      tools: [],
      resources: [],
      prompts: [],
      completions: [],
      path: '/agents/mcp',
      allowRemote: true,
      allowedOrigins: ['https://app.test', 'http://localhost:5173'],
      allowedHosts: ['shop.test', '[::1]'],
      unprotectedRoles: ['reader'],
      protocol: { versions: ['2025-06-18', '2026-07-28'], discover: false },
      cache: { ttlMs: 1_000, scope: 'public' },
      enabled: false,
      stream: { graceMs: 0, heartbeatMs: 1 },
      maxRunMs: 60_000,
      answerWithinMs: 5,
      subscriptions: { perCaller: 0, total: 1 },
      events: createMcpEventBus(),
      pageSize: 50,
      secrets: ['a secret of at least thirty-two characters'],
      bodyLimit: 1,
    };
    expect(resolveGateSettings(given)).toEqual({
      ...given,
      protocol: { versions: ['2026-07-28', '2025-06-18'], discover: false }, // newest first
    });
  });

  it('G2: are filled in setting by setting, and undefined is as if it were not there', () => {
    const resolved = resolveGateSettings({
      name: 'shop',
      version: undefined,
      cache: { ttlMs: 5 },
      stream: { heartbeatMs: 7 },
      protocol: {},
    });
    expect(resolved).toMatchObject({
      version: '0.0.0',
      cache: { ttlMs: 5, scope: 'private' },
      stream: { graceMs: 5_000, heartbeatMs: 7 },
      protocol: { discover: true },
    });
  });

  it('are not changed, and hosts are compared without case', () => {
    const given = Object.freeze({ name: 'shop', allowedHosts: Object.freeze(['Shop.TEST']) });
    expect(resolveGateSettings(given).allowedHosts).toEqual(['shop.test']);
  });
});

describe('a setting that does not exist (G1)', () => {
  it.each<[object, string]>([
    [{ alowRemote: true }, '"alowRemote" is not a setting of a gate. Did you mean "allowRemote"?'],
    [{ allowedorigins: [] }, '"allowedorigins" is not a setting of a gate. Did you mean "allowedOrigins"?'],
    [{ instruction: 'x' }, '"instruction" is not a setting of a gate. Did you mean "instructions"?'],
    [{ pth: '/x' }, '"pth" is not a setting of a gate. Did you mean "path"?'],
    [{ protocol: { version: [] } }, '"version", which it does not know. Did you mean "versions"?'],
    [{ stream: { grace: 1 } }, '"grace", which it does not know. '],
    [{ cache: { ttl: 1 } }, '"ttl", which it does not know. '],
    [{ toString: 1 }, '"toString" is not a setting of a gate.'],
    [{ subscriptions: { percaller: 1 } }, '"percaller", which it does not know. Did you mean "perCaller"?'],
  ])('%j is named with the nearest that does', (settings, fault) => {
    expect(faultsOf({ name: 'shop', ...settings }).join('\n')).toContain(fault);
  });

  it('is asked about in a sentence with one mark at its end', () => {
    expect(faultsOf({ name: 'shop', protocol: { version: [] } })).toEqual([
      '"protocol" holds "version", which it does not know. Did you mean "versions"?',
    ]);
  });

  it('is named with all that do, when none is near', () => {
    expect(faultsOf({ name: 'shop', colour: 'red' })).toEqual([
      expect.stringMatching(/^"colour" is not a setting of a gate\. The settings are name, version, .*bodyLimit\.$/),
    ]);
  });

  it('is nearest to what was most likely meant', () => {
    const known = ['name', 'path', 'allowRemote', 'allowedHosts'];
    expect(['Name', 'pats', 'allowRemot', 'allowHosts', 'zzzzzz', ''].map((name) => nearestName(name, known))).toEqual([
      'name',
      'path',
      'allowRemote',
      'allowedHosts',
      undefined,
      undefined,
    ]);
  });
});

describe('a setting that cannot be used (G1)', () => {
  it.each<[string, object, RegExp]>([
    ['no name', { name: undefined }, /^"name" is missing: clients show it/],
    ['an empty name', { name: ' ' }, /^"name" must be a text that is not empty/],
    ['a version that is a number', { version: 1 }, /^"version" must be a text/],
    ['a title that is no text', { title: {} }, /^"title" must be a text/],
    ['empty instructions', { instructions: '' }, /^"instructions" must be a text/],
    ['tools that are a text', { tools: 'all' }, /^"tools" must be "discovered", or an array of/],
    [
      'a bus that cannot be listened to',
      { events: { publish() {} } },
      /^"events" must be a bus: an object with publish/,
    ],
    ['a bus that is none', { events: 'redis://localhost' }, /^"events" must be a bus/],
    ['half a subscription', { subscriptions: { perCaller: 0.5 } }, /"perCaller" must be a whole number, 0 or more/],
    ['no subscription in total', { subscriptions: { total: 0 } }, /"total" must be a whole number, 1 or more/],
    ['subscriptions as a number', { subscriptions: 16 }, /^"subscriptions" must be an object with perCaller/],
    ['a path without slash', { path: 'mcp' }, /^"path" must be a path that starts with "\/"/],
    ['a path with a query', { path: '/mcp?x=1' }, /^"path" must be a path/],
    ['a path with a space', { path: '/m cp' }, /^"path" must be a path/],
    ['a flag that is a text', { allowRemote: 'yes' }, /^"allowRemote" must be true or false/],
    ['a flag that is null', { enabled: null }, /^"enabled" must be true or false/],
    ['origins that are a text', { allowedOrigins: 'https://a.test' }, /^"allowedOrigins" must be an array; each entry/],
    [
      'an origin with a path',
      { allowedOrigins: ['https://a.test/'] },
      /holds "https:\/\/a\.test\/" at 0; each entry is/,
    ],
    ['an origin with its default port', { allowedOrigins: ['https://a.test:443'] }, /at 0; each entry is an origin/],
    ['an origin in capitals', { allowedOrigins: ['https://A.test'] }, /at 0; each entry is an origin/],
    ['an origin without scheme', { allowedOrigins: ['a.test'] }, /at 0; each entry is an origin/],
    ['the origin null', { allowedOrigins: ['null'] }, /at 0; each entry is an origin/],
    ['every origin', { allowedOrigins: ['https://a.test', '*'] }, /holds "\*" at 1; each entry is an origin/],
    [
      'a host with a port',
      { allowedHosts: ['a.test:80'] },
      /^"allowedHosts" holds "a\.test:80" at 0; each entry is a host/,
    ],
    ['a host with a scheme', { allowedHosts: ['http://a.test'] }, /each entry is a host name without port/],
    ['an IPv6 host without brackets', { allowedHosts: ['::1'] }, /each entry is a host name without port/],
    [
      'a role that is empty',
      { unprotectedRoles: [''] },
      /^"unprotectedRoles" holds "" at 0; each entry is the name of a/,
    ],
    [
      'a revision that does not exist',
      { protocol: { versions: ['2024-11-05'] } },
      /"2024-11-05" at 0; each entry is one of/,
    ],
    [
      'no revision at all',
      { protocol: { versions: [] } },
      /"versions" is empty: name at least one revision, or leave it/,
    ],
    ['a protocol that is a list', { protocol: ['2026-07-28'] }, /"protocol" /],
    ['a protocol that is null', { protocol: null }, /"protocol" must be an object with versions, discover/],
    ['a negative delay', { cache: { ttlMs: -1 } }, /"ttlMs" must be a number of milliseconds, 0 or more/],
    [
      'a delay that is no number',
      { stream: { graceMs: '5s' } },
      /"graceMs" must be a number of milliseconds, 0 or more/,
    ],
    [
      'no time between heartbeats',
      { stream: { heartbeatMs: 0 } },
      /"heartbeatMs" must be a number of milliseconds above 0/,
    ],
    ['an infinite deadline', { maxRunMs: Infinity }, /^"maxRunMs" must be a number of milliseconds above 0/],
    ['another cache scope', { cache: { scope: 'shared' } }, /"scope" must be "public" or "private"/],
    ['pages of nothing', { pageSize: 0 }, /^"pageSize" must be a whole number of entries, 1 or more/],
    ['pages and a half', { pageSize: 1.5 }, /^"pageSize" must be a whole number of entries/],
    ['pages without end', { pageSize: Infinity }, /^"pageSize" must be a whole number of entries/],
    ['pages by a text', { pageSize: '50' }, /^"pageSize" must be a whole number of entries/],
    ['half a byte', { bodyLimit: 1.5 }, /^"bodyLimit" must be a whole number of bytes above 0/],
    ['no bytes', { bodyLimit: 0 }, /^"bodyLimit" must be a whole number of bytes above 0/],
  ])('is %s; the sentence names it and says how to mend it', (_, settings, fault) => {
    const faults = faultsOf({ name: 'shop', ...settings });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(fault);
    expect(faults[0]).toMatch(/[.?]$/);
  });

  it.each<[string, object, RegExp]>([
    ['remote without a list of tools', { allowRemote: true }, /^"allowRemote" without an explicit "tools": .*List the/],
    [
      'remote with what is discovered',
      { allowRemote: true, tools: 'discovered' },
      /^"allowRemote" without an explicit/,
    ],
    [
      'unprotected roles beside authorization (A10)',
      { authorization: { issuer: 'https://issuer.test' }, unprotectedRoles: ['admin'] },
      /^"unprotectedRoles" beside "authorization": roles of a protected gate come from scopes\. Map them in/,
    ],
    ['accounts without authorization', { accounts: () => undefined }, /^"accounts" without "authorization": /],
  ])('is a contradiction: %s', (_, settings, fault) => {
    const faults = faultsOf({ name: 'shop', ...settings });
    expect(faults.filter((sentence) => fault.test(sentence))).toHaveLength(1);
  });

  it('is named together with all the others', () => {
    const faults = faultsOf({ pth: '/', version: 1, allowRemote: true });
    expect(faults).toHaveLength(4);
    expect(new McpSettingsError(faults).message.split('\n')).toHaveLength(5);
  });

  it.each([[undefined], [null], ['shop'], [[]], [7]])('may be none at all: %p', (settings) => {
    expect(faultsOf(settings)).toEqual(['they must be an object with at least a name: { name: "shop" }.']);
  });
});

describe('a gate without Nest', () => {
  it('needs its tools as a list of objects', () => {
    for (const tools of [undefined, 'discovered', [class StockTools {}]] as const) {
      expect(() => defineMcpGate({ name: 'shop', ...(tools && { tools }) })).toThrow(
        /"tools" must be an array of tools/,
      );
    }
  });

  it('G1, T4: is stopped by a malformed tool, named with its place', () => {
    const tools = [makeTool(), makeTool({ name: 'empty', description: '' })];
    expect(() => defineMcpGate({ name: 'shop', tools })).toThrow(McpDeclarationError);
    expect(() => defineMcpGate({ name: 'shop', tools })).toThrow(
      /^settings\.tools\[1\] \(tool "empty"\): its description/,
    );
    expect(() => defineMcpGate({ name: 'shop', tools: [makeTool(), makeTool()] })).toThrow(
      /name is taken by settings\.tools\[0\]/,
    );
    expect(() => defineMcpGate({ name: 'shop', tools: [null as never] })).toThrow(
      /settings\.tools\[0\]: a tool is an object/,
    );
  });
});
