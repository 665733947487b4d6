/**
 * The document that says who issues tokens for a gate: where a client looks for it, and what it says (A7; RFC 9728).
 */
import { RequestMethod, VersioningType, type INestApplication } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import fastifyCors from '@fastify/cors';
import fastifyHelmet from '@fastify/helmet';
import helmet from 'helmet';
import { map } from 'rxjs';
import {
  ActsForUser,
  Annotations,
  McpModule,
  McpTool,
  RequireScopes,
  ScopesFor,
  type McpGateSettings,
  type McpToolProvider,
} from 'nestjs-mcp-gate';
import { rawRequest, type RawAnswer } from '../e2e/raw-request.js';
import { PLATFORMS, type Platform, type Served } from '../nest/serve.js';
import { judgeTheLog, opened } from './log-watch.js';
import { protectedGate, READS, SHOP_SCOPES, ShopTools } from './shop.js';
import { bearing, keep, tokenFor } from './tokens.js';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const PAGE = { origin: 'https://agents.example' };
const PREFLIGHT = {
  ...PAGE,
  'access-control-request-method': 'GET',
  'access-control-request-headers': 'mcp-protocol-version',
};

class FreeTools {
  @McpTool({ name: 'free', description: 'Needs no scope.' })
  @Annotations(READS)
  free() {
    return 'free';
  }
}

const ask = (gate: Served, path: string, headers = {}, method = 'GET'): Promise<RawAnswer> =>
  rawRequest(new URL(gate.url + path), { method, headers: { 'content-type': '', ...headers } });

/** As a client does: from the 401 to its document, and from the document to a token that the gate takes. */
async function follow(gate: Served, path: string, headers: Record<string, string> = {}): Promise<Record<string, any>> {
  const refused = await gate.rpc('tools/list', {}, { path, headers });
  expect(refused.status).toBe(401);
  const url = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1] ?? '';
  const answer = await ask(gate, new URL(url).pathname, headers); // a proxy leads there
  expect([url, answer.status, answer.headers['content-type']]).toEqual([url, 200, 'application/json; charset=utf-8']);
  const document = JSON.parse(answer.text);
  const token = await tokenFor(document.resource);
  const taken = await gate.rpc('tools/list', {}, { path, headers: { ...headers, ...bearing(token).headers } });
  expect(taken.status).toBe(200);
  return { url, ...document };
}

const open = (
  platform: Platform,
  settings: Partial<McpGateSettings>,
  configure: (app: INestApplication) => unknown,
  work: (gate: Served) => Promise<void>,
  version?: string[],
) =>
  opened(
    { imports: [protectedGate({ tools: [ShopTools], ...settings }, version && { version })], providers: [ShopTools] },
    { platform, configure },
    work,
  );

describe.each(PLATFORMS)('The document of a gate on %s', (platform) => {
  test.each<[string, Partial<McpGateSettings>, (app: INestApplication) => unknown, string]>([
    ['at its usual path', {}, () => undefined, '/mcp'],
    ['under a global prefix', {}, (app) => app.setGlobalPrefix('api'), '/api/mcp'],
    [
      'under a prefix of several parts',
      { path: '/agents/mcp' },
      (app) => app.setGlobalPrefix('a/b'),
      '/a/b/agents/mcp',
    ],
    [
      'that a prefix leaves out',
      {},
      (app) => app.setGlobalPrefix('api', { exclude: [{ path: 'mcp', method: RequestMethod.ALL }] }),
      '/mcp',
    ],
    ['at the root', { path: '/' }, () => undefined, '/'],
  ])(
    '%s stands below the well-known path, and at the root too, being the only one (A7)',
    async (_, settings, set, path) => {
      await open(platform, settings, set, async (gate) => {
        const suffix = path === '/' ? '' : path;
        const document = {
          resource: gate.url + path,
          scopes_supported: SHOP_SCOPES,
          bearer_methods_supported: ['header'],
          resource_name: 'shop',
        };
        expect(await follow(gate, path)).toEqual({ url: gate.url + WELL_KNOWN + suffix, ...document });
        expect(JSON.parse((await ask(gate, WELL_KNOWN)).text)).toEqual(document);
        for (const other of ['/elsewhere', '/mcp/mcp', '/api']) {
          expect((await ask(gate, WELL_KNOWN + other)).status).toBe(404);
        }
      });
    },
  );

  test('stands outside prefix and version, once for each version in the URL, and then not at the root (A7)', async () => {
    const set = (app: INestApplication) => app.setGlobalPrefix('api').enableVersioning({ type: VersioningType.URI });
    const work = async (gate: Served) => {
      for (const path of ['/api/v1/mcp', '/api/v2/mcp']) {
        expect((await follow(gate, path)).resource).toBe(gate.url + path);
        expect((await ask(gate, path + WELL_KNOWN)).status).toBe(404);
      }
      expect((await ask(gate, `/api/v1${WELL_KNOWN}/mcp`)).status).toBe(404);
      expect((await ask(gate, `${WELL_KNOWN}/api/mcp`)).status).toBe(404);
      // Which of the two it would be for nobody can say.
      expect((await ask(gate, WELL_KNOWN)).status).toBe(404);
    };
    await open(platform, {}, set, work, ['1', '2']);
  });

  test('is one for versions in a header (A7)', async () => {
    const set = (app: INestApplication) => app.enableVersioning({ type: VersioningType.HEADER, header: 'x-version' });
    const work = async (gate: Served) => {
      expect((await follow(gate, '/mcp', { 'x-version': '1' })).resource).toBe(`${gate.url}/mcp`);
      expect((await ask(gate, `${WELL_KNOWN}/mcp`)).status).toBe(200);
    };
    await open(platform, {}, set, work, ['1', '2']);
  });

  test('under a parameter is one for each value, whose tokens are no good for another (A7, A9)', async () => {
    const set = (app: INestApplication) => app.setGlobalPrefix(':tenant');
    await open(platform, {}, set, async (gate) => {
      for (const tenant of ['acme', 'globex', 'a%20b']) {
        const { url, resource } = await follow(gate, `/${tenant}/mcp`);
        expect([url, resource]).toEqual([`${gate.url}${WELL_KNOWN}/${tenant}/mcp`, `${gate.url}/${tenant}/mcp`]);
      }
      const acme = bearing(await tokenFor(`${gate.url}/acme/mcp`));
      expect((await gate.rpc('tools/list', {}, { ...acme, path: '/acme/mcp' })).status).toBe(200);
      expect((await gate.rpc('tools/list', {}, { ...acme, path: '/globex/mcp' })).status).toBe(401);
      // There is no one gate that the root could speak for.
      expect((await ask(gate, WELL_KNOWN)).status).toBe(404);
      expect((await ask(gate, `${WELL_KNOWN}/mcp`)).status).toBe(404);
    });
  });

  test.each([
    ['another path', 'https://shop.example/agents', '/agents'],
    ['the same path', 'https://shop.example/api/mcp', '/api/mcp'],
    ['no path', 'https://mcp.shop.example', ''],
    ['a port', 'https://shop.example:8443/a/b', '/a/b'],
  ])('behind a proxy that shows the gate at %s names that URL, to the byte (A7)', async (_, publicUrl, path) => {
    const settings = { allowRemote: true, authorization: { publicUrl } };
    const set = (app: INestApplication) => app.setGlobalPrefix('api');
    await open(platform, settings, set, async (gate) => {
      const relayed = {
        'x-forwarded-for': '10.0.0.1',
        forwarded: 'host=evil.example',
        'x-forwarded-host': 'evil.example',
      };
      const { url, resource } = await follow(gate, '/api/mcp', relayed);
      expect(resource).toBe(publicUrl);
      expect(url).toBe(new URL(publicUrl).origin + WELL_KNOWN + path);
      for (const place of [`${WELL_KNOWN}/api/mcp`, WELL_KNOWN + path, WELL_KNOWN]) {
        expect(JSON.parse((await ask(gate, place)).text).resource).toBe(publicUrl);
      }
      const inside = bearing(await tokenFor(`${gate.url}/api/mcp`));
      expect((await gate.rpc('tools/list', {}, { ...inside, path: '/api/mcp' })).status).toBe(401);
    });
  });

  test('with a slash at its end is the document of the same gate, where the framework takes one (A7)', async () => {
    await open(
      platform,
      {},
      () => undefined,
      async (gate) => {
        const answer = await ask(gate, `${WELL_KNOWN}/mcp/`);
        if (platform === 'Fastify') return expect(answer.status).toBe(404);
        expect(JSON.parse(answer.text).resource).toBe(`${gate.url}/mcp`);
        expect((await follow(gate, '/mcp/')).resource).toBe(`${gate.url}/mcp`);
      },
    );
  });

  test('names its issuers in the order of the settings, and no other key of theirs (A7)', async () => {
    const secret = keep('introspection-secret-of-the-gate');
    const introspection = { clientId: 'gate', clientSecret: secret, endpoint: 'https://b.example/introspect' };
    const issuers = ['https://b.example', { issuer: 'https://a.example/tenant', introspection }, 'https://c.example/'];
    await open(
      platform,
      { authorization: { issuers } },
      () => undefined,
      async (gate) => {
        const document = await follow(gate, '/mcp');
        expect(document['authorization_servers']).toEqual([
          'https://b.example',
          'https://a.example/tenant',
          'https://c.example/',
        ]);
        expect(JSON.stringify(document)).not.toContain(secret);
      },
    );
  });

  test('keeps its URI as the resource when tokens carry an audience of another name (A7, A9)', async () => {
    await open(
      platform,
      { authorization: { audience: 'urn:shop' } },
      () => undefined,
      async (gate) => {
        const document = JSON.parse((await ask(gate, `${WELL_KNOWN}/mcp`)).text);
        expect(document.resource).toBe(`${gate.url}/mcp`);
        expect(await gate.list(bearing(await tokenFor('urn:shop')))).toContain('shop_stock');
        expect((await gate.rpc('tools/list', {}, bearing(await tokenFor(document.resource)))).status).toBe(401);
      },
    );
  });
});

describe.each(PLATFORMS)('Scopes in the document on %s', (platform) => {
  test('are exactly the sorted union of what the tools of the gate declare (A7, A4)', async () => {
    class Wide {
      @McpTool({ name: 'wide', description: 'Declares them in any order.' })
      @Annotations(READS)
      @RequireScopes('z:last', 'a:first', 'offline_access', 'A:upper')
      wide() {}

      @McpTool({ name: 'acting', description: 'Acts for a user.' })
      @Annotations(READS)
      @ActsForUser()
      @RequireScopes('m:middle', 'a:first')
      acting() {}

      @McpTool({ name: 'per_call', description: 'Needs more for a call.' })
      @Annotations(READS)
      @ScopesFor(() => ['never:listed'])
      perCall() {}
    }
    const given = { name: 'given', description: 'Given anew.', inputSchema: { type: 'object' }, annotations: READS };
    let scopes = ['fresh:one'];
    class Fresh implements McpToolProvider {
      getMcpTools() {
        return [{ ...given, scopes, handler: () => 'given' }];
      }
    }
    const of = async (gate: Served, path: string) => JSON.parse((await ask(gate, WELL_KNOWN + path)).text);
    const imports = [
      protectedGate({ tools: [Wide, Fresh], authorization: { scopeHierarchy: { 'top:all': ['a:first'] } } }),
      protectedGate({ name: 'free', path: '/free', tools: [FreeTools] }),
      protectedGate({ name: 'all', path: '/all' }),
    ];
    await opened({ imports, providers: [Wide, Fresh, FreeTools] }, { platform }, async (gate) => {
      const fixed = ['A:upper', 'a:first', 'm:middle', 'z:last'];
      const document = await of(gate, '/mcp');
      expect(document.scopes_supported).toEqual(['A:upper', 'a:first', 'fresh:one', 'm:middle', 'z:last']);
      scopes = ['fresh:two'];
      expect((await of(gate, '/mcp')).scopes_supported).toEqual([...fixed, 'fresh:two'].toSorted());
      expect((await of(gate, '/all')).scopes_supported).toEqual([...fixed, 'fresh:two'].toSorted());
      expect(await of(gate, '/free')).toEqual({
        resource: `${gate.url}/free`,
        bearer_methods_supported: ['header'],
        resource_name: 'free',
      });
      const { headers } = await gate.rpc('tools/list');
      expect(headers.get('www-authenticate')).toContain('scope="A:upper a:first fresh:two m:middle z:last"');
    });
  });
});

describe.each(PLATFORMS)('The documents of several gates on %s', (platform) => {
  /** Gates side by side, all of them with the same tool. */
  const side = (...gates: Partial<McpGateSettings>[]) =>
    gates.map((settings, at) => protectedGate({ name: `gate-${at}`, tools: [FreeTools], ...settings }));
  const resourceAt = async (gate: Served, path: string, host?: string) => {
    const { status, text } = await ask(gate, path, host === undefined ? {} : { host });
    return status === 200 ? JSON.parse(text).resource : status;
  };

  test('never mix, and none stands at the root (A7, G9)', async () => {
    const imports = [
      ...side({ path: '/a/mcp' }, { path: '/b/mcp' }, { path: '/off', enabled: false }),
      McpModule.forRoot({ name: 'open', path: '/open', tools: [FreeTools] }),
    ];
    await opened({ imports, providers: [FreeTools] }, { platform }, async (gate) => {
      expect(await follow(gate, '/a/mcp')).toMatchObject({ resource: `${gate.url}/a/mcp`, resource_name: 'gate-0' });
      expect(await follow(gate, '/b/mcp')).toMatchObject({ resource: `${gate.url}/b/mcp`, resource_name: 'gate-1' });
      for (const none of ['', '/open', '/off', '/mcp']) expect(await resourceAt(gate, WELL_KNOWN + none)).toBe(404);
    });
  });

  test('an unprotected gate beside a protected one leaves the root empty, alone it has no document (A7)', async () => {
    const open = McpModule.forRoot({ name: 'open', path: '/open', tools: [FreeTools] });
    await opened({ imports: [open], providers: [FreeTools] }, { platform }, async (gate) => {
      expect(await resourceAt(gate, WELL_KNOWN)).toBe(404);
      expect(await resourceAt(gate, `${WELL_KNOWN}/open`)).toBe(404);
    });
    await opened({ imports: [open, ...side({})], providers: [FreeTools] }, { platform }, async (gate) => {
      expect(await resourceAt(gate, WELL_KNOWN)).toBe(404);
      expect(await resourceAt(gate, `${WELL_KNOWN}/mcp`)).toBe(`${gate.url}/mcp`);
    });
  });

  test('that a proxy shows at one path of two hosts are told apart by the host (A7, G9)', async () => {
    const shown = (publicUrl: string) => ({ allowRemote: true, authorization: { publicUrl } });
    const imports = side(
      { path: '/a', ...shown('https://a.example/mcp') },
      { path: '/b', ...shown('https://b.example/mcp') },
      { path: '/mcp' },
    );
    await opened({ imports, providers: [FreeTools] }, { platform }, async (gate) => {
      expect(await resourceAt(gate, `${WELL_KNOWN}/mcp`, 'a.example')).toBe('https://a.example/mcp');
      expect(await resourceAt(gate, `${WELL_KNOWN}/mcp`, 'b.example')).toBe('https://b.example/mcp');
      expect(await resourceAt(gate, `${WELL_KNOWN}/mcp`)).toBe(`${gate.url}/mcp`);
      expect(await resourceAt(gate, `${WELL_KNOWN}/a`)).toBe('https://a.example/mcp');
      expect(await resourceAt(gate, `${WELL_KNOWN}/b`)).toBe('https://b.example/mcp');
      expect(await resourceAt(gate, WELL_KNOWN)).toBe(404);
    });
  });

  test('that a proxy shows at the roots of two hosts are told apart by the host (A7, G9)', async () => {
    const shown = (publicUrl: string) => ({ allowRemote: true, authorization: { publicUrl } });
    const imports = side({ path: '/a', ...shown('https://a.example') }, { path: '/b', ...shown('https://b.example') });
    await opened({ imports, providers: [FreeTools] }, { platform }, async (gate) => {
      expect(await resourceAt(gate, WELL_KNOWN, 'a.example')).toBe('https://a.example');
      expect(await resourceAt(gate, WELL_KNOWN, 'b.example')).toBe('https://b.example');
    });
  });
});

describe.each(PLATFORMS)('Who may read the document on %s', (platform) => {
  const remote = { allowRemote: true, authorization: { publicUrl: 'https://shop.example/mcp' } };
  const path = `${WELL_KNOWN}/mcp`;

  test('a browser on any page, which asks first (A7)', async () => {
    await open(
      platform,
      {},
      () => undefined,
      async (gate) => {
        const read = await ask(gate, path, { ...PAGE, 'mcp-protocol-version': '2025-11-25' });
        expect([read.status, read.headers['access-control-allow-origin']]).toEqual([200, '*']);
        const asked = await ask(gate, path, PREFLIGHT, 'OPTIONS');
        expect([asked.status, asked.text]).toEqual([204, '']);
        expect(asked.headers['access-control-allow-origin']).toBe('*');
        expect(asked.headers['access-control-allow-methods']).toContain('GET');
        expect(asked.headers['access-control-allow-headers']).toContain('mcp-protocol-version');
        // The page itself is not on the gate's list all the same.
        expect((await gate.rpc('tools/list', {}, { headers: PAGE })).status).toBe(403);
      },
    );
  });

  test('whoever asks with HEAD, and nobody with another verb', async () => {
    await open(
      platform,
      {},
      () => undefined,
      async (gate) => {
        const [got, head] = [await ask(gate, path), await ask(gate, path, {}, 'HEAD')];
        expect([head.status, head.text, head.headers['content-length']]).toEqual([
          200,
          '',
          String(Buffer.byteLength(got.text)),
        ]);
        for (const verb of ['POST', 'PUT', 'DELETE']) {
          expect([404, 405]).toContain((await ask(gate, path, {}, verb)).status);
        }
      },
    );
  });

  test('without a token, and with a bad one too', async () => {
    await open(
      platform,
      {},
      () => undefined,
      async (gate) => {
        for (const authorization of ['Bearer not-a-good-token', 'Basic YWRhOnNlY3JldC1vZi1hZGE=']) {
          expect((await ask(gate, path, { authorization })).status).toBe(200);
        }
      },
    );
  });

  test('nobody from elsewhere when the gate serves its own machine, everybody when it serves others (G3, G4)', async () => {
    await open(
      platform,
      {},
      () => undefined,
      async (gate) => {
        expect((await ask(gate, path, { 'x-forwarded-for': '10.0.0.1' })).status).toBe(403);
        expect((await ask(gate, path, { host: 'evil.example' })).status).toBe(403);
      },
    );
    await open(
      platform,
      remote,
      () => undefined,
      async (gate) => {
        expect((await ask(gate, path, { 'x-forwarded-for': '10.0.0.1', host: 'shop.example' })).status).toBe(200);
      },
    );
  });

  test.each<[string, { origin: string; credentials?: boolean; plugin?: boolean } | undefined, boolean]>([
    ['CORS for any origin', undefined, false],
    ['CORS for its own pages alone', { origin: 'https://app.example', credentials: true }, false],
    ['CORS by a plugin of Fastify', { origin: 'https://app.example', plugin: true }, false],
    ['CORS and helmet', { origin: 'https://app.example' }, true],
  ])('a browser, also where the application has %s of its own', async (_, cors, helmeted) => {
    const configure = async (app: INestApplication) => {
      if (helmeted && platform === 'Express') app.use(helmet());
      if (helmeted && platform === 'Fastify') await (app as NestFastifyApplication).register(fastifyHelmet);
      const plugged = platform === 'Fastify' && cors?.plugin === true;
      if (plugged) await (app as NestFastifyApplication).register(fastifyCors, cors);
      else app.enableCors(cors);
    };
    await open(platform, {}, configure, async (gate) => {
      const read = await ask(gate, path, PAGE);
      expect([read.status, JSON.parse(read.text).resource]).toEqual([200, `${gate.url}/mcp`]);
      // Sent twice it would come joined, and every browser would refuse it.
      expect(read.headers['access-control-allow-origin']).toBe('*');
      expect(read.headers['cache-control']).toBe('no-store, no-transform');
      expect(read.headers['x-content-type-options']).toBe(helmeted ? 'nosniff' : undefined);
      const asked = await ask(gate, path, PREFLIGHT, 'OPTIONS');
      expect(asked.status).toBe(204);
      // A preflight is answered by the application's own CORS, before any route.
      expect(asked.headers['access-control-allow-origin']).toBe(cors?.origin ?? '*');
    });
  });

  test('nothing that the application wrote for its own routes changes it (G8)', async () => {
    const seen: string[] = [];
    const forbid = { canActivate: () => (seen.push('guard'), false) };
    const wrap = { intercept: (__: unknown, next: any) => next.handle().pipe(map((data) => ({ wrapped: data }))) };
    const providers = [
      ShopTools,
      { provide: APP_GUARD, useValue: forbid },
      { provide: APP_INTERCEPTOR, useValue: wrap },
    ];
    const imports = [protectedGate({ tools: [ShopTools] })];
    const configure = (app: INestApplication) => app.useGlobalFilters({ catch: () => seen.push('filter') });
    await opened({ imports, providers }, { platform, configure }, async (gate) => {
      expect(JSON.parse((await ask(gate, path)).text).resource).toBe(`${gate.url}/mcp`);
      expect(seen).toEqual([]);
    });
  });
});

judgeTheLog();
