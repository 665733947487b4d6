/**
 * Who is served at a gate that serves strangers too, what a token grants there, and what a single call may need besides
 * (A1, A4, A8, A10).
 */
import {
  Annotations,
  Caller,
  McpModule,
  McpRequestContext,
  McpSettingsError,
  McpTool,
  RequireScopes,
  ScopesFor,
  type McpCaller,
} from 'nestjs-mcp-gate';
import { LocalIssuer } from '../oauth/local-issuer.js';
import { PLATFORMS, type Answer, type Served } from '../nest/serve.js';
import { request } from '../support/protocol.js';
import { judgeTheLog, logFromNow, open } from './log-watch.js';
import { protectedGate, READS, ShopTools } from './shop.js';
import { bearing, keep, KEYS, STRANGE_KEYS, tokenFor, unsigned } from './tokens.js';

const FREE = { type: 'object', additionalProperties: true };
const ran: string[] = [];

class CallTools {
  @McpTool({ name: 'whoami', description: 'Tells who calls.', inputSchema: FREE })
  @Annotations(READS)
  whoami(_args: object, caller: McpCaller) {
    const frozen = [caller, caller.scopes, caller.roles].every((part) => Object.isFrozen(part));
    return { ...caller, frozen, same: McpRequestContext.caller() === caller };
  }

  @McpTool({ name: 'publish', description: 'Has scopes, and a call may need more.', inputSchema: FREE })
  @Annotations(READS)
  @RequireScopes('shop:read')
  @ScopesFor<{ to?: string[] }>(({ to = [] }) => to)
  publish(_args: object, @Caller() caller: McpCaller) {
    ran.push('publish');
    return `published by ${caller.subject}`;
  }

  @McpTool({ name: 'ask', description: 'Everybody has it, a call may need more.', inputSchema: FREE })
  @Annotations(READS)
  @ScopesFor<{ to?: string[] }>(({ to = [] }) => to)
  ask() {
    ran.push('ask');
    return 'asked';
  }

  @McpTool({ name: 'faulty', description: 'Cannot say what a call needs.', inputSchema: FREE })
  @Annotations(READS)
  @ScopesFor<{ by: keyof typeof FAULTS }>(({ by }) => FAULTS[by]() as never)
  faulty() {
    ran.push('faulty');
  }
}

const FAULTS = {
  throwing: () => {
    throw new Error(`no scopes, and the secret is ${keep('a-secret-that-is-only-for-the-tool')}`.slice(0, 9));
  },
  promising: () => Promise.resolve([]),
  rejecting: () => Promise.reject(new Error('too late')),
  'giving nothing': () => undefined,
  'giving null': () => null,
  'giving a text': () => 'shop:read',
  'giving numbers': () => [1],
  'giving an empty text': () => [''],
  'giving a set': () => new Set(['shop:read']),
  'giving a hole': () => [undefined],
} as const;

describe.each(PLATFORMS)('Gates that know callers on %s', (platform) => {
  let gate: Served;
  let issuer: LocalIssuer;
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);

  beforeAll(async () => {
    process.on('unhandledRejection', note);
    issuer = await LocalIssuer.start();
    const tools = [CallTools, ShopTools];
    const authorization = {
      issuers: [issuer.url],
      roles: { 'shop:admin': ['admin', 'clerk'], 'shop:read': ['reader'], 'shop:write': ['clerk'] },
      scopeHierarchy: {
        'shop:admin': ['shop:write'],
        'shop:write': ['shop:read'],
        circle: ['round'],
        round: ['circle'],
      },
    };
    const imports = [
      McpModule.forRoot({ name: 'open', path: '/open', tools, unprotectedRoles: ['guest'] }),
      McpModule.forRoot({ name: 'plain', path: '/plain', tools }),
      protectedGate({ name: 'protected', path: '/protected', tools, authorization }),
      protectedGate({ name: 'mixed', path: '/mixed', tools, authorization: { ...authorization, anonymous: true } }),
    ];
    gate = await open({ imports, providers: tools }, { platform });
  });
  afterAll(async () => {
    process.off('unhandledRejection', note);
    await gate.close();
    await issuer.stop();
  });
  beforeEach(() => ran.splice(0));

  const at = async (path: string, ...scopes: string[]) => ({
    path,
    ...bearing(await tokenFor(gate.url + path, { scopes })),
  });
  const whoami = async (init: RequestInit & { path?: string }, args = {}) =>
    JSON.parse(await gate.text('whoami', args, init));
  const document = (path: string) => `resource_metadata="${gate.url}/.well-known/oauth-protected-resource${path}"`;
  const callTo = (name: string, to: string[], init: RequestInit & { path?: string }): Promise<Answer> =>
    gate.rpc('tools/call', { name, arguments: { to } }, init);

  describe('a mixed gate', () => {
    test('serves public tools to a stranger, and no others (A8)', async () => {
      expect(await gate.list({ path: '/mixed' })).toEqual(['whoami', 'ask', 'faulty', 'shop_stock', 'shop_report']);
      expect(await whoami({ path: '/mixed' })).toEqual({
        authenticated: false,
        scopes: [],
        roles: [],
        frozen: true,
        same: true,
      });
      expect((await gate.rpc('tools/list', {}, { path: '/mixed' })).headers.get('www-authenticate')).toBeNull();
    });

    test('serves whoever has a token with what it grants (A8)', async () => {
      expect(await gate.list(await at('/mixed', 'shop:read', 'shop:billing'))).toEqual([
        'whoami',
        'publish',
        'ask',
        'faulty',
        'shop_stock',
        'shop_known',
        'shop_refund',
        'shop_report',
      ]);
    });

    test('serves a rejected token as a stranger, never better, and tells the log why (A8)', async () => {
      const stranger = await gate.list({ path: '/mixed' });
      const scopes = ['shop:read', 'shop:billing', 'shop:orders'];
      const granted = { aud: `${gate.url}/mixed`, scope: scopes.join(' ') };
      const tokens: [string, string][] = [
        ['key-unknown', await tokenFor(`${gate.url}/mixed`, { scopes, key: STRANGE_KEYS })],
        ['audience-other', await tokenFor(`${gate.url}/protected`, { scopes })],
        ['algorithm-refused', unsigned(`${gate.url}/mixed`)],
        ['expired', keep(await issuer.sign({ ...granted, exp: Math.floor(Date.now() / 1000) - 60 }))],
        ['subject-missing', keep(await issuer.sign({ ...granted, sub: undefined }))],
        ['token-unknown', 'an-opaque-token-of-nobody'],
      ];
      for (const [reason, token] of tokens) {
        const logged = logFromNow(gate);
        const init = { ...bearing(token), path: '/mixed' };
        expect(await gate.list(init)).toEqual(stranger);
        expect(logged('warn')).toEqual([`warn [mixed] a token was refused: ${reason}.`]);
        expect((await whoami(init)).authenticated).toBe(false);
        expect((await gate.call('shop_refund', {}, init)).error.message).toBe('Unknown tool: shop_refund');
        expect((await gate.call('shop_known', {}, init)).error.message).toBe('Unknown tool: shop_known');
      }
    });
  });

  describe('a caller (A1)', () => {
    test('is what the token establishes, and nothing that the request claims', async () => {
      const claims = {
        aud: `${gate.url}/mixed`,
        scope: 'shop:read',
        azp: 'desk',
        roles: ['admin'],
        authenticated: 'yes',
      };
      const token = keep(await issuer.sign({ ...claims, realm_access: { roles: ['admin'] }, sub: 'ada' }));
      const exp = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()).exp * 1000;
      const headers = { ...bearing(token).headers, 'x-user': 'root', 'x-roles': 'admin', cookie: 'user=root' };
      const claimed = { caller: { subject: 'root', roles: ['admin'] }, scopes: ['shop:admin'], subject: 'root' };
      expect(await whoami({ path: '/mixed', headers }, claimed)).toEqual({
        authenticated: true,
        issuer: issuer.url,
        subject: 'ada',
        clientId: 'desk',
        scopes: ['shop:read'],
        roles: ['reader'],
        expiresAt: exp,
        frozen: true,
        same: true,
      });
      const { message, headers: modern } = request('2026-07-28', 'tools/call', {
        name: 'whoami',
        arguments: claimed,
        _meta: { caller: claimed, subject: 'root', scopes: ['shop:admin'] },
      });
      const answer = await gate.send({ path: '/mixed', body: JSON.stringify(message), headers: modern as never });
      expect(JSON.parse(answer.body.result.content[0].text)).toMatchObject({
        authenticated: false,
        scopes: [],
        roles: [],
      });
    });

    test('of a gate without authorization is nobody, whatever it brings', async () => {
      const path = '/plain';
      expect(await whoami({ ...(await at(path, 'shop:admin')), path })).toMatchObject({
        authenticated: false,
        scopes: [],
        roles: [],
      });
    });

    test('has the roles that its scopes stand for, contained ones too, each once (A10)', async () => {
      expect((await whoami(await at('/protected', 'shop:read'))).roles).toEqual(['reader']);
      const admin = await whoami(await at('/protected', 'shop:admin'));
      expect(admin.roles.toSorted()).toEqual(['admin', 'clerk', 'reader']);
      expect((await whoami(await at('/protected', 'shop:other'))).roles).toEqual([]);
      expect((await whoami({ path: '/mixed' })).roles).toEqual([]);
    });

    test('of a gate without authorization has no roles but those of unprotectedRoles (A10)', async () => {
      expect((await whoami({ path: '/plain' })).roles).toEqual([]);
      expect(await whoami({ path: '/open' })).toMatchObject({ authenticated: false, scopes: [], roles: ['guest'] });
      const both = { name: 'x', authorization: { ownKeys: KEYS }, unprotectedRoles: ['guest'] };
      expect(() => McpModule.forRoot(both)).toThrow(McpSettingsError);
      expect(() => McpModule.forRoot(both)).toThrow('"unprotectedRoles" beside "authorization"');
    });

    test('has the scopes that its own contain, transitively, and circles end (scope hierarchy)', async () => {
      const scopesOf = async (scope: string) => (await whoami(await at('/protected', scope))).scopes.toSorted();
      expect(await scopesOf('shop:admin')).toEqual(['shop:admin', 'shop:read', 'shop:write']);
      expect(await scopesOf('shop:read')).toEqual(['shop:read']);
      expect(await scopesOf('round')).toEqual(['circle', 'round']);
      expect(await gate.list(await at('/protected', 'shop:write'))).toContain('publish');
      const answer = await callTo('publish', ['shop:read', 'shop:write'], await at('/protected', 'shop:admin'));
      expect(answer.body.result.content[0].text).toBe('published by ada');
    });
  });

  describe('a call that needs more scopes (A4)', () => {
    test('gets 403 with every scope of the operation in one challenge, in either era', async () => {
      const reader = await at('/protected', 'shop:read');
      const refused = await callTo('publish', ['shop:write', 'shop:billing'], reader);
      const challenge = [
        'Bearer error="insufficient_scope"',
        'scope="shop:read shop:write shop:billing"',
        document('/protected'),
      ].join(', ');
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([403, challenge]);
      expect(refused.body.error).toEqual({
        code: -32600,
        message: 'Tool publish needs more authorization for this call: the scopes shop:read, shop:write, shop:billing.',
      });
      expect(refused.body.id).toEqual(expect.any(Number));
      const params = { name: 'publish', arguments: { to: ['shop:write', 'shop:billing'] } };
      const { message, headers } = request('2026-07-28', 'tools/call', params);
      const modern = { path: '/protected', body: JSON.stringify(message), headers: { ...headers, ...reader.headers } };
      const again = await gate.send(modern as never);
      expect([again.status, again.headers.get('www-authenticate')]).toEqual([403, challenge]);
      expect(ran).toEqual([]);
    });

    test('goes on with a token that reaches, and needs nothing more where nothing is added', async () => {
      expect((await callTo('publish', [], await at('/protected', 'shop:read'))).status).toBe(200);
      const stepped = await at('/protected', 'shop:read', 'shop:write', 'shop:billing');
      const answer = await callTo('publish', ['shop:write', 'shop:billing'], stepped);
      expect([answer.status, answer.body.result.content[0].text]).toEqual([200, 'published by ada']);
      expect(ran).toEqual(['publish', 'publish']);
    });

    test('gets 401 without an error code from a mixed gate when it brought no token, or a bad one (A8)', async () => {
      const challenge = `Bearer scope="shop:read shop:write", ${document('/mixed')}`;
      const bad = bearing(
        await tokenFor(`${gate.url}/mixed`, { scopes: ['shop:read', 'shop:write'], key: STRANGE_KEYS }),
      );
      for (const init of [{}, bad]) {
        const refused = await callTo('ask', ['shop:read', 'shop:write'], { ...init, path: '/mixed' });
        expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, challenge]);
      }
      const known = await callTo('ask', ['shop:read', 'shop:write'], await at('/mixed', 'shop:read'));
      expect([known.status, known.headers.get('www-authenticate')]).toEqual([
        403,
        `Bearer error="insufficient_scope", scope="shop:read shop:write", ${document('/mixed')}`,
      ]);
      expect(ran).toEqual([]);
    });

    test('gets a result for the agent from a gate without authorization, with the same words', async () => {
      const answer = await callTo('ask', ['shop:read', 'shop:write'], { path: '/open' });
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([200, null]);
      expect(answer.body.result).toEqual({
        content: [
          { type: 'text', text: 'Tool ask needs more authorization for this call: the scopes shop:read, shop:write.' },
        ],
        isError: true,
      });
      expect(ran).toEqual([]);
    });

    test('is asked about its arguments only once they are sound', async () => {
      const init = await at('/protected', 'shop:read');
      const call = (args: object) => gate.rpc('tools/call', { name: 'shop_report', arguments: args }, init);
      const unsound = await call({ publish: 'yes' });
      expect([unsound.status, unsound.body.result.isError]).toEqual([200, true]);
      expect((await call({ publish: true })).status).toBe(403);
      expect((await call({ publish: false })).body.result.content[0].text).toBe('drafted');
    });

    test('is never let through by a scope that no header can carry, nor is the header broken', async () => {
      for (const odd of ['with space', 'quo"te', 'line\r\nx-injected: 1', 'ünicode', 'offline_access']) {
        const refused = await callTo('publish', [odd], await at('/protected', 'shop:read'));
        expect([odd, refused.status, refused.headers.get('x-injected')]).toEqual([odd, 403, null]);
        expect(refused.headers.get('www-authenticate')).toBe(
          `Bearer error="insufficient_scope", scope="shop:read", ${document('/protected')}`,
        );
      }
      expect(ran).toEqual([]);
    });

    test.each(Object.keys(FAULTS))(
      'is refused by a scopesFor %s, on every gate, and never served unbounded',
      async (by) => {
        const holder = { scopes: ['shop:read', 'shop:write', 'shop:admin'] };
        for (const path of ['/open', '/plain', '/protected', '/mixed']) {
          const logged = logFromNow(gate);
          const init = { path, ...bearing(await tokenFor(gate.url + path, holder)) };
          const answer = await gate.rpc('tools/call', { name: 'faulty', arguments: { by } }, init);
          expect([path, answer.status, answer.body.error?.code]).toEqual([path, 200, -32603]);
          expect(answer.body.error.message).toMatch(
            /^Tool faulty failed\. The server's log has the cause under [\w-]+\.$/,
          );
          expect(logged('error')).toHaveLength(1);
        }
        expect(ran).toEqual([]);
        await new Promise((done) => setImmediate(done));
        expect(unhandled).toEqual([]);
      },
    );
  });
});

judgeTheLog();
