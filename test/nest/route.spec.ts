import { gzipSync, brotliCompressSync } from 'node:zlib';
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import {
  Body,
  ClassSerializerInterceptor,
  Controller,
  Get,
  HttpException,
  Injectable,
  Module,
  Post,
  UnauthorizedException,
  ValidationPipe,
  VersioningType,
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
  type MiddlewareConsumer,
  type NestModule,
} from '@nestjs/common';
import { NestFactory, Reflector } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import compress from '@fastify/compress';
import fastifyCors from '@fastify/cors';
import fastifyHelmet from '@fastify/helmet';
import compression from 'compression';
import helmet from 'helmet';
import { map } from 'rxjs';
import { McpModule, McpProgress, McpTool, type McpGateSettings } from 'nestjs-mcp-gate';
import { PLATFORMS, served, type Platform, type Served } from './serve.js';

class EchoTools {
  @McpTool({ name: 'echo', description: 'Says it again.', inputSchema: { type: 'object', properties: { text: {} } } })
  echo(args: { text?: unknown }) {
    return args;
  }

  @McpTool({ name: 'count', description: 'Counts to three.' })
  async *count() {
    for (const at of [1, 2, 3]) yield new McpProgress(at);
    yield 'counted';
  }
}

@Controller('notes')
class NotesController {
  @Post()
  write(@Body() note: { text: string }) {
    return { length: note.text.length };
  }

  @Get()
  read() {
    return { text: 'a note' };
  }
}

const gateOf = (settings: Partial<McpGateSettings> = {}, route?: Parameters<typeof McpModule.forRoot>[1]) => ({
  imports: [McpModule.forRoot({ name: 'shop', ...settings }, route)],
  controllers: [NotesController],
  providers: [EchoTools],
});
const message = (text: string) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { text } } });
const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
/** A ping of so many bytes. */
const pingOf = (bytes: number) => {
  const empty = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { x: '' } });
  return empty.replace('""', `"${'x'.repeat(bytes - empty.length)}"`);
};
const PONG = { jsonrpc: '2.0', id: 1, result: {} };

/** The app's own limit for a body, as each platform's user sets it. */
function limitBodies(platform: Platform, limit: number) {
  return (app: INestApplication) => {
    if (platform === 'Express') (app as NestExpressApplication).useBodyParser('json', { limit });
    else {
      const fastify = app as NestFastifyApplication;
      fastify.useBodyParser('application/json', { bodyLimit: limit }, (_, body, done) =>
        done(null, JSON.parse(String(body))),
      );
    }
  };
}

describe.each(PLATFORMS)("the gate's route on %s", (platform) => {
  test.each([
    ['a global prefix', {}, (app: INestApplication) => app.setGlobalPrefix('api'), '/api/mcp'],
    ['an excluded prefix', {}, (app: INestApplication) => app.setGlobalPrefix('api', { exclude: ['mcp'] }), '/mcp'],
    ['its own path', { path: '/agents/mcp' }, () => undefined, '/agents/mcp'],
    ['a parameter in the prefix', {}, (app: INestApplication) => app.setGlobalPrefix(':tenant/api'), '/acme/api/mcp'],
  ])('stands under %s, with its own limit for bodies (G8)', async (_, settings, prefix, path) => {
    const configure = (app: INestApplication) => (prefix(app), limitBodies(platform, 1024)(app));
    await served(gateOf(settings), { platform, configure }, async (gate) => {
      expect(await gate.list({ path })).toEqual(['echo', 'count']);
      expect((await gate.send({ path, body: pingOf(5_000) })).body).toEqual(PONG);
      expect((await gate.send({ path: '/nowhere', body: ping })).status).toBe(404);
    });
  });

  test('takes part in URI and header versioning (G8)', async () => {
    const uri = (app: INestApplication) => app.setGlobalPrefix('api').enableVersioning({ type: VersioningType.URI });
    await served(gateOf({}, { version: ['1', '2'] }), { platform, configure: uri }, async (gate) => {
      expect((await gate.send({ path: '/api/v1/mcp', body: ping })).body).toEqual(PONG);
      expect((await gate.send({ path: '/api/v2/mcp', body: ping })).body).toEqual(PONG);
      expect((await gate.send({ path: '/api/mcp', body: ping })).status).toBe(404);
      expect((await gate.send({ path: '/api/v1/mcp', method: 'DELETE' })).status).toBe(405);
      expect(gate.log.of('log').join()).toMatch(/POST \/api\/v1\/mcp at POST \/api\/v2\/mcp/);
      expect(gate.log.of('warn').join()).not.toContain('"version" has no effect');
    });
    await served(gateOf({}, { version: '1' }), { platform }, async (gate) => {
      expect((await gate.send({ body: ping })).body).toEqual(PONG);
      expect(gate.log.of('warn').join()).toContain('its "version" has no effect');
    });
    const header = (app: INestApplication) =>
      app.enableVersioning({ type: VersioningType.HEADER, header: 'x-version' });
    await served(gateOf({}, { version: '1' }), { platform, configure: header }, async (gate) => {
      expect((await gate.send({ body: ping, headers: { 'x-version': '1' } })).body).toEqual(PONG);
      expect((await gate.send({ body: ping, headers: { 'x-version': '2' } })).status).toBe(404);
    });
  });

  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'answers %s with 405 and the verb that it takes (G5)',
    async (method) => {
      await served(gateOf(), { platform }, async (gate) => {
        const withBody = method === 'GET' ? {} : { body: '{not json' };
        const refused = await gate.send({ method, ...withBody });
        expect(refused.status).toBe(405);
        expect(refused.headers.get('allow')).toBe('POST');
        expect(refused.body.error.code).toBe(-32600);
        expect((await gate.send({ method: 'HEAD' })).status).toBe(405);
      });
    },
  );

  test('is none of the routes that @nestjs/swagger documents', async () => {
    @Controller('prices')
    class PriceController {
      @Get()
      all() {
        return [];
      }
    }
    await served({ ...gateOf(), controllers: [PriceController] }, { platform }, async (gate) => {
      const { paths } = SwaggerModule.createDocument(gate.app, new DocumentBuilder().build());
      expect(Object.keys(paths)).toEqual(['/prices']);
    });
  });

  test('lets middleware of the application see the request first, with its parsed body', async () => {
    const seen: unknown[] = [];
    @Module(gateOf())
    class AppModule implements NestModule {
      configure(consumer: MiddlewareConsumer) {
        consumer
          .apply((req: any, _: unknown, next: () => void) => (seen.push(req.body?.method), next()))
          .forRoutes('mcp');
      }
    }
    await served({ imports: [AppModule] }, { platform }, async (gate) => {
      expect((await gate.send({ body: ping })).body).toEqual(PONG);
      // Fastify runs middleware before bodies are read.
      expect(seen).toEqual([platform === 'Express' ? 'ping' : undefined]);
    });
  });

  test('guards of the gate refuse in JSON-RPC, whatever filters the application has (G8)', async () => {
    const types: unknown[] = [];
    @Injectable()
    class Wall {
      readonly password = 'open sesame';
    }
    @Injectable()
    class WallGuard implements CanActivate {
      constructor(private readonly wall: Wall) {}

      canActivate(context: ExecutionContext): boolean {
        const request = context.switchToHttp().getRequest<{ headers: Record<string, string> }>();
        const password = request.headers['x-password'];
        types.push(request.headers['content-type']);
        if (password === undefined) throw new UnauthorizedException('say the password');
        if (password === 'oops') throw new Error('secret of the server');
        if (password === 'later') throw new HttpException({ plan: 'secret' }, 503);
        return password === this.wall.password;
      }
    }
    @Module({ providers: [Wall], exports: [Wall] })
    class WallModule {}
    const route = { guards: [WallGuard] };
    const settings = { imports: [WallModule], useFactory: () => ({ name: 'shop' }), route };
    const metadata = { imports: [McpModule.forRootAsync(settings)], providers: [EchoTools] };
    const configure = (app: INestApplication) => app.useGlobalFilters({ catch: () => 'a filter of the app' });
    await served(metadata, { platform, configure }, async (gate) => {
      const ask = async (password?: string, body = ping, method = 'POST') => {
        const headers: Record<string, string> = password === undefined ? {} : { 'x-password': password };
        const answer = await gate.send({ method, body, headers });
        return [answer.status, answer.body];
      };
      const refusal = (code: number, text: string, id: object = { id: 1 }) => ({
        jsonrpc: '2.0',
        ...id,
        error: { code, message: text },
      });
      expect(await ask()).toEqual([401, refusal(-32600, 'say the password')]);
      expect(await ask(undefined, '{not json')).toEqual([401, refusal(-32600, 'say the password', {})]);
      const old = await gate.send({ body: '{not json', headers: { 'mcp-protocol-version': '2025-03-26' } });
      expect(old.body).toEqual(refusal(-32600, 'say the password', { id: null }));
      expect(await ask(undefined, ping, 'DELETE')).toEqual([401, refusal(-32600, 'say the password')]);
      expect(await ask('wrong')).toEqual([403, refusal(-32600, 'Forbidden resource')]);
      expect(await ask('later')).toEqual([503, refusal(-32603, 'Service Unavailable')]);
      expect(await ask('oops')).toEqual([500, refusal(-32603, 'Internal Server Error')]);
      expect(gate.log.of('error').join()).toMatch(/secret of the server/);
      expect(await ask('open sesame')).toEqual([200, PONG]);
      expect(new Set(types)).toEqual(new Set(['application/json']));
    });
  });
});

describe.each(PLATFORMS)('bodies on %s', (platform) => {
  const MB = 1024 * 1024;

  test("the gate's limit holds and not the application's (G8)", async () => {
    const configure = limitBodies(platform, 1024);
    await served(gateOf({ bodyLimit: 3 * MB }), { platform, configure }, async (gate) => {
      expect((await gate.send({ body: pingOf(3 * MB) })).body).toEqual(PONG);
      const tooLarge = await gate.send({ body: pingOf(3 * MB + 1) });
      expect([tooLarge.status, tooLarge.body.error]).toEqual([
        413,
        { code: -32600, message: `The body is larger than the ${3 * MB} bytes that this gate takes.` },
      ]);
      const route = (length: number) =>
        gate.send({ path: '/notes', body: JSON.stringify({ text: 'x'.repeat(length) }) });
      expect((await route(500)).body).toEqual({ length: 500 });
      expect((await route(2_000)).status).toBe(413);
    });
  });

  test('a gate that takes less than the application refuses what it takes', async () => {
    await served(gateOf({ bodyLimit: 200 }), { platform, configure: limitBodies(platform, MB) }, async (gate) => {
      expect((await gate.send({ body: ping })).status).toBe(200);
      expect((await gate.send({ body: pingOf(300) })).status).toBe(413);
      const inflated = gzipSync(pingOf(5_000));
      expect((await gate.send({ body: inflated, headers: { 'content-encoding': 'gzip' } })).status).toBe(413);
    });
  });

  test.each([
    ['invalid JSON', { body: '{"jsonrpc": "2.0", ' }, 400, -32700],
    ['an empty body', { body: '' }, 400, -32700],
    ['text', { body: ping, headers: { 'content-type': 'text/plain' } }, 415, -32600],
    ['a form', { body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 415, -32600],
    ['an unknown media type', { body: ping, headers: { 'content-type': 'application/x-cbor' } }, 415, -32600],
    ['a broken media type', { body: ping, headers: { 'content-type': ';;' } }, 415, -32600],
    ['an unknown charset', { body: ping, headers: { 'content-type': 'application/json; charset=utf-7' } }, 415, -32600],
    ['an unknown encoding', { body: ping, headers: { 'content-encoding': 'snappy' } }, 415, -32600],
    ['what does not inflate', { body: ping, headers: { 'content-encoding': 'gzip' } }, 400, -32700],
  ])('%s is refused in JSON-RPC', async (_, init, status, code) => {
    await served(gateOf(), { platform }, async (gate) => {
      const refused = await gate.send(init);
      expect([refused.status, refused.body.error.code]).toEqual([status, code]);
      expect(refused.headers.get('cache-control')).toMatch(/no-store/);
      expect((await gate.send({ body: ping })).body).toEqual(PONG);
    });
  });

  test('compressed bodies are taken', async () => {
    await served(gateOf(), { platform }, async (gate) => {
      expect((await gate.send({ body: gzipSync(ping), headers: { 'content-encoding': 'gzip' } })).body).toEqual(PONG);
      expect((await gate.send({ body: brotliCompressSync(ping), headers: { 'content-encoding': 'br' } })).body).toEqual(
        PONG,
      );
    });
  });

  test('a body in chunks, without a length, is taken', async () => {
    await served(gateOf(), { platform }, async (gate) => {
      const status = await new Promise((resolve, reject) => {
        const headers = { 'content-type': 'application/json', 'mcp-protocol-version': '2025-11-25' };
        const request = httpRequest(`${gate.url}/mcp`, { method: 'POST', headers }, ({ statusCode }) =>
          resolve(statusCode),
        );
        request.on('error', reject);
        request.write(ping.slice(0, 10));
        setTimeout(() => request.end(ping.slice(10)), 5);
      });
      expect(status).toBe(200);
    });
  });

  test('a key "__proto__" is an unknown argument and nobody\'s prototype', async () => {
    await served(gateOf(), { platform }, async (gate) => {
      const poisoned = message('x').replace('"text":"x"', '"__proto__":{"admin":true}');
      const refused = await gate.send({ body: poisoned });
      expect(refused.status).toBe(200);
      expect(refused.body.result.isError).toBe(true);
      expect(refused.body.result.content[0].text).toMatch(/__proto__/);
      expect(({} as { admin?: boolean }).admin).toBeUndefined();
    });
  });

  test('a body that something before Nest has parsed is used as it is', async () => {
    if (platform === 'Fastify') return; // nothing stands before Nest there
    const { default: express } = await import('express');
    const { ExpressAdapter } = await import('@nestjs/platform-express');
    const { NestFactory } = await import('@nestjs/core');
    const server = express();
    server.use(express.json());
    @Module(gateOf())
    class AppModule {}
    const app = await NestFactory.create(AppModule, new ExpressAdapter(server), { logger: false });
    await app.listen(0, '127.0.0.1');
    try {
      const headers = { 'content-type': 'application/json', 'mcp-protocol-version': '2025-11-25' };
      const response = await fetch(`${await app.getUrl()}/mcp`, { method: 'POST', headers, body: ping });
      expect(await response.json()).toEqual(PONG);
    } finally {
      await app.close();
    }
  });
});

describe.each(PLATFORMS)('the route of a gate on %s', (platform) => {
  it('has a handler for each verb, which guards of the application see by its name', async () => {
    const seen: string[] = [];
    const canActivate = (context: ExecutionContext) => {
      seen.push(`${context.getClass().name}.${context.getHandler().name}`);
      return true;
    };
    const verbs = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
    await served(gateOf(), { platform, configure: (app) => app.useGlobalGuards({ canActivate }) }, async (gate) => {
      for (const method of verbs) await gate.send({ method });
    });
    expect(seen).toEqual(verbs.map((verb) => `McpGateController.${verb.toLowerCase()}`));
  });

  it("takes a larger body than the application's own parser, where NestFactory has the adapter before the module is made", async () => {
    @Module(gateOf())
    class ShopModule {}
    const adapter = platform === 'Fastify' ? new FastifyAdapter({ bodyLimit: 100_000 }) : new ExpressAdapter();
    const app = await NestFactory.create(ShopModule, adapter as FastifyAdapter, { logger: false });
    await app.listen(0, '127.0.0.1');
    const response = await fetch(`${await app.getUrl()}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'mcp-protocol-version': '2025-11-25',
        connection: 'close',
        accept: 'application/json, text/event-stream',
      },
      body: message('x'.repeat(200_000)),
    });
    await app.close();
    expect(response.status).toBe(200);
  });
});

describe.each(PLATFORMS)('a gate in a hostile application on %s', (platform) => {
  const reported: unknown[] = [];

  async function makeHostile(app: INestApplication): Promise<void> {
    app.setGlobalPrefix('api').enableVersioning({ type: VersioningType.URI, defaultVersion: '7' });
    app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }));
    const wrap = (data: unknown) => ({ wrapped: true, length: JSON.stringify(data).length });
    app.useGlobalInterceptors(
      { intercept: (_, next) => next.handle().pipe(map((data) => ({ data, wrapped: wrap(data) }))) },
      new ClassSerializerInterceptor(app.get(Reflector)),
    );
    app.useGlobalFilters({
      catch: (error, host) => {
        reported.push(error);
        const response = host.switchToHttp().getResponse();
        if (platform === 'Express') response.status(500).json({ hijacked: true });
        else response.code(500).send({ hijacked: true });
      },
    });
    if (platform === 'Express') {
      app.enableCors({ origin: true, credentials: true });
      app.use(compression({ threshold: 0 }), helmet());
    } else {
      const fastify = app as NestFastifyApplication;
      await fastify.register(fastifyCors, { origin: true, credentials: true });
      await fastify.register(compress, { threshold: 0 });
      await fastify.register(fastifyHelmet);
    }
  }

  const path = '/api/v7/mcp';
  const accepts = { 'accept-encoding': 'gzip, deflate, br' };
  const inHostileApp = (test: (gate: Served) => Promise<void>) =>
    served(gateOf({ allowedOrigins: ['https://agents.example'] }), { platform, configure: makeHostile }, test);
  beforeEach(() => reported.splice(0));

  test("sends its own messages, to the byte, with the application's headers (G8)", async () => {
    await inHostileApp(async (gate) => {
      const answer = await gate.send({ path, body: message('hi'), headers: accepts });
      expect(answer.status).toBe(200);
      expect(answer.text).toBe(
        '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\\"text\\":\\"hi\\"}"}]}}',
      );
      expect(answer.headers.get('content-encoding')).toBeNull();
      expect(answer.headers.get('etag')).toBeNull();
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(reported).toEqual([]);
    });
  });

  test('streams progress that nothing holds back', async () => {
    await inHostileApp(async (gate) => {
      const params = { name: 'count', arguments: {}, _meta: { progressToken: 'p' } };
      const answer = await gate.rpc('tools/call', params, { path, headers: accepts });
      expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
      expect(answer.headers.get('content-encoding')).toBeNull();
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.events.map(({ method }) => method ?? 'result')).toEqual([
        'notifications/progress',
        'notifications/progress',
        'result',
      ]);
      expect(reported).toEqual([]);
    });
  });

  test("refuses in its own words, and leaves CORS to the application's plugin", async () => {
    await inHostileApp(async (gate) => {
      const refused = await gate.send({ path, body: '{', headers: { ...accepts, origin: 'https://agents.example' } });
      expect([refused.status, refused.body.error.code]).toEqual([400, -32700]);
      expect(refused.headers.get('access-control-allow-origin')).toBe('https://agents.example');
      expect(refused.headers.get('access-control-allow-credentials')).toBe('true');
      const stranger = await gate.send({ path, body: ping, headers: { origin: 'https://evil.example' } });
      expect([stranger.status, stranger.body.error.code]).toEqual([403, -32600]);
      const preflight = await gate.send({
        path,
        method: 'OPTIONS',
        headers: { origin: 'https://agents.example', 'access-control-request-method': 'POST' },
      });
      expect(preflight.status).toBe(204);
      expect(reported).toEqual([]);
    });
  });

  test("and the application's own routes are as hostile as they were", async () => {
    await inHostileApp(async (gate) => {
      const note = await gate.send({ path: '/api/v7/notes', method: 'GET' });
      expect(note.body).toEqual({ data: { text: 'a note' }, wrapped: { wrapped: true, length: 17 } });
      const nothing = await gate.send({ path: '/api/v7/nothing', method: 'GET' });
      expect(nothing.body).toEqual({ hijacked: true });
    });
  });
});

describe('What stands around the application on Express', () => {
  const tracer = new AsyncLocalStorage<string>();

  class ContextTools {
    @McpTool({ name: 'context', description: 'Says in whose context it runs.' })
    context() {
      return tracer.getStore() ?? 'nobody';
    }
  }

  function traced(app: INestApplication): void {
    const server = app.getHttpServer() as Server;
    const [listener] = server.listeners('request') as [(...exchange: unknown[]) => void];
    server.removeAllListeners('request');
    server.on('request', (...exchange) => tracer.run('the tracer', () => listener(...exchange)));
  }

  it('keeps its async context over the reading of the body, as a tracer needs it', async () => {
    const metadata = { imports: [McpModule.forRoot({ name: 'shop' })], providers: [ContextTools] };
    const said = await served(metadata, { configure: traced }, (gate) => gate.text('context'));
    expect(said).toBe('the tracer');
  });

  it('may lose its patience and answer before the body is there: the process goes on', async () => {
    const impatient = (app: INestApplication) => {
      const server = app.getHttpServer() as Server;
      server.prependListener('request', (req, res) => {
        if (req.headers['x-patience'] === 'none') res.writeHead(503).end('too slow');
      });
    };
    await served(gateOf(), { configure: impatient }, async (gate) => {
      const { hostname, port } = new URL(gate.url);
      const headers = { 'content-type': 'application/json', 'content-length': 2, 'x-patience': 'none' };
      const req = httpRequest({ hostname, port, method: 'POST', path: '/mcp', headers });
      req.flushHeaders();
      const [res] = (await once(req, 'response')) as [IncomingMessage];
      expect(res.statusCode).toBe(503);
      req.end('{}');
      res.resume();
      await once(res, 'end');
      expect(await gate.list()).toEqual(['echo', 'count']); // and nothing was thrown where nobody catches it
    });
  });

  it('may name the gate by an absolute URL: its limit holds then too (P14)', async () => {
    const args = { text: 'x'.repeat(200_000) }; // more than the application's own parser takes
    const params = { name: 'echo', arguments: args };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const headers = { 'content-type': 'application/json', 'mcp-protocol-version': '2025-11-25' };
    const status = await served(gateOf(), {}, ({ url }) => {
      const { hostname, port } = new URL(url);
      return new Promise<number | undefined>((resolve, reject) => {
        const asked = { hostname, port, method: 'POST', path: `${url}/mcp`, headers };
        httpRequest(asked, (res) => resolve(res.resume().statusCode))
          .on('error', reject)
          .end(body);
      });
    });
    expect(status).toBe(200);
  });
});
