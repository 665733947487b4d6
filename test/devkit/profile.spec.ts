/** D, K, A5: a route measured by real requests, in the name of whoever asks, and nowhere but at the application itself. */
import {
  Body,
  Controller,
  Get,
  HttpCode,
  mixin,
  Injectable,
  Param,
  ParseIntPipe,
  Post,
  Redirect,
  Req,
  UseGuards,
  UseInterceptors,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
  type NestInterceptor,
} from '@nestjs/common';
import { GuardsConsumer } from '@nestjs/core/guards/index.js';
import { InterceptorsConsumer } from '@nestjs/core/interceptors/index.js';
import { PipesConsumer } from '@nestjs/core/pipes/index.js';
import fastifyCookie from '@fastify/cookie';
import fastifySession from '@fastify/session';
import { Test } from '@nestjs/testing';
import session from 'express-session';
import { pbkdf2Sync } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { tap } from 'rxjs';
import type { McpAccount } from '../../src/account.js';
import { McpTicketSessionModule, storedSessionFlow } from '../../src/ticket-session/index.js';
import { mcpTestClient } from '../../src/testing/index.js';
import { McpDevkitModule } from '../../src/devkit/index.js';
import { targetAddress } from '../../src/devkit/profile/target.js';
import { KEYS } from '../authorization/tokens.js';
import { PLATFORMS, type Platform } from '../nest/serve.js';
import { gated, type Gated } from './gated.js';
import { projectOnDisk } from './project.js';

const SECRET = 'a secret of thirty-two characters';
const asked: { user?: string; body?: unknown; headers: string[] }[] = [];
let arrived: (() => void) | undefined;
/** What the slow route waits for. */
let held: Promise<void> | undefined;

type WithSession = { session?: { user?: string }; headers: Record<string, string> };

@Injectable()
class SlowGuard implements CanActivate {
  async canActivate(context: ExecutionContext) {
    await sleep(12);
    return context.switchToHttp().getRequest<WithSession>().session?.user !== undefined;
  }
}

@Injectable()
class CountingInterceptor implements NestInterceptor {
  async intercept(_: ExecutionContext, next: CallHandler) {
    await sleep(6);
    return next.handle().pipe(tap());
  }
}

/** Nest gives it a name of chance. */
const MixedIn = mixin(
  class SteadyGuard implements CanActivate {
    canActivate() {
      return true;
    }
  },
);

@Controller('orders')
class OrdersController {
  @Get('mixed/in')
  @UseGuards(MixedIn)
  mixed() {
    return 'mixed';
  }

  @Get(':id')
  @UseGuards(SlowGuard)
  @UseInterceptors(CountingInterceptor)
  async one(@Param('id', ParseIntPipe) id: number, @Req() { session: { user } = {}, headers }: WithSession) {
    asked.push({ ...(user !== undefined && { user }), headers: Object.keys(headers) });
    await sleep(18);
    return { id };
  }

  @Post()
  @HttpCode(201)
  create(@Body() body: unknown) {
    asked.push({ body, headers: [] });
    return {};
  }

  @Get('open/away')
  @Redirect('http://127.0.0.1:1/')
  away() {}

  @Get('open/busily')
  busily() {
    return pbkdf2Sync('word', 'salt', 20_000, 32, 'sha256').toString('hex');
  }

  @Get('open/slowly')
  async slowly() {
    arrived?.();
    await (held ?? sleep(60));
    return 'open';
  }
}

async function withSessions(app: INestApplication, platform: Platform): Promise<void> {
  if (platform === 'Express') {
    app.use(session({ secret: SECRET, resave: false, saveUninitialized: false }));
    return;
  }
  const fastify = app as unknown as { register(plugin: unknown, options?: object): Promise<unknown> };
  await fastify.register(fastifyCookie);
  await fastify.register(fastifySession, { secret: SECRET, cookie: { secure: false }, saveUninitialized: false });
}

const ACCOUNTS: Readonly<Record<string, McpAccount>> = {
  ada: { id: 'ada', roles: ['clerk', 'desk'], active: true },
  bob: { id: 'bob', roles: ['clerk'], active: true },
  eve: { id: 'eve', roles: ['clerk', 'owner'], active: true },
  out: { id: 'out', roles: [], active: false },
  shut: { id: 'shut', roles: [], active: true },
};
const accounts = (id: string) => ACCOUNTS[id];
const PROFILE = { scopes: ['devkit:profile'] };
const ACT = { scopes: ['devkit:profile', 'devkit:act'] };

const flow = storedSessionFlow<{ user?: string }>((opened, { account }) => {
  if (account.id === 'shut') return false;
  opened.user = account.id;
  return true;
});
const tickets = McpTicketSessionModule.forRoot({ factor: 'mcp-token', flow });
/* oxlint-disable typescript/unbound-method -- compared, not called */
const patched = () => [
  GuardsConsumer.prototype.tryActivate,
  InterceptorsConsumer.prototype.intercept,
  PipesConsumer.prototype.apply,
];
/* oxlint-enable typescript/unbound-method */

describe.each(PLATFORMS)('nest_profile_route on %s', (platform) => {
  let it_: Gated;

  beforeAll(async () => {
    const metadata = { imports: [tickets], controllers: [OrdersController] };
    it_ = await gated(metadata, { platform, accounts, configure: (app) => withSessions(app, platform) });
  });
  afterAll(() => it_.app.close());
  beforeEach(() => {
    asked.length = 0;
  });

  const profile = (args: object, granted: object = PROFILE) =>
    it_.ask('nest_profile_route', { method: 'GET', ...args }, granted);
  const refused = async (args: object, granted: object = PROFILE) => {
    const result = await it_.call('nest_profile_route', { method: 'GET', ...args }, granted);
    expect(result.isError).toBe(true);
    return result.content[0].text as string;
  };

  it('fires real requests as the account behind the token, and measures their times', async () => {
    const answer = await profile({ path: '/orders/7', repeat: 5 });
    expect(answer).toMatchObject({ as: 'ada', requests: 5, statuses: { 200: 5 } });
    expect(asked.map(({ user }) => user)).toEqual(['ada', 'ada', 'ada', 'ada', 'ada']);
    const { min, p50, p90, p99, max } = answer.ms;
    expect([min, p50, p90, p99, max]).toEqual([min, p50, p90, p99, max].toSorted((a, b) => a - b));
    expect(min).toBeGreaterThan(30);
  });

  it('tells what each guard, interceptor and pipe and the method itself took', async () => {
    const { enhancers, msBeforeEnhancers, msAfterEnhancers } = await profile({ path: '/orders/7', repeat: 3 });
    const ms = (name: string) => enhancers.find((one: any) => one.name === name)?.ms;
    expect(enhancers.map(({ kind, name }: any) => `${kind} ${name}`)).toEqual([
      'handler OrdersController.one',
      'guard SlowGuard',
      'interceptor CountingInterceptor',
      'pipe ParseIntPipe',
    ]);
    expect(ms('OrdersController.one')).toBeGreaterThan(16);
    expect(ms('SlowGuard')).toBeGreaterThan(10);
    expect(ms('CountingInterceptor')).toBeGreaterThan(4);
    expect(ms('CountingInterceptor')).toBeLessThan(ms('OrdersController.one'));
    expect(msBeforeEnhancers).toBeGreaterThanOrEqual(0);
    expect(msAfterEnhancers).toBeGreaterThanOrEqual(0);
  });

  it('calls a part that mixin() has made what it is written as, and what nest_inspect calls it', async () => {
    const { enhancers } = await profile({ path: '/orders/mixed/in', repeat: 1 });
    expect(enhancers.find(({ kind }: any) => kind === 'guard')).toMatchObject({ name: 'SteadyGuard' });
  });

  it('says where the processor was, without a path of this machine', async () => {
    const answer = await profile({ path: '/orders/open/busily', repeat: 5 });
    expect(answer.cpu.elsewhere[0]).toMatchObject({ at: 'native code' }); // the hash
    expect(answer.cpu.elsewhere.map(({ name }: any) => name)).not.toContain('dispatch'); // what starting the profiler takes
    expect(JSON.stringify(answer)).not.toContain(process.cwd());
  });

  it('leaves Nest as it was, also after a profile that failed', async () => {
    const before = patched();
    await profile({ path: '/orders/7', repeat: 1 });
    await profile({ path: '/nowhere', repeat: 1 });
    expect(patched()).toEqual(before);
  });

  it('sends a body as JSON, and counts each status', async () => {
    const answer = await profile({ method: 'POST', path: '/orders', body: { sku: 'A-001' }, repeat: 2 });
    expect(answer.statuses).toEqual({ 201: 2 });
    expect(asked.map(({ body }) => body)).toEqual([{ sku: 'A-001' }, { sku: 'A-001' }]);
    expect((await profile({ path: '/nowhere', repeat: 2 })).statuses).toEqual({ 404: 2 });
    expect(await refused({ path: '/orders/7', body: {} })).toContain('A GET request has no body');
  });

  it.each([
    'http://169.254.169.254/latest',
    '//169.254.169.254/latest',
    '/\\169.254.169.254/latest',
    'orders/7',
    '/orders/7\r\nx-admin: 1',
    '/orders/7 HTTP/1.1',
    '/orders#part',
    'file:///etc/passwd',
    '@169.254.169.254/',
  ])('asks nobody for %j', async (path) => {
    expect(await refused({ path })).toContain('path must be a path of this application');
    expect(asked).toEqual([]);
  });

  it('exists for nobody without a token and its scope', async () => {
    for (const granted of [undefined, { scopes: ['admin:read'] }]) {
      expect(await it_.list(granted)).not.toContain('nest_profile_route');
      const { error } = await it_.call('nest_profile_route', { method: 'GET', path: '/' }, granted);
      expect(error.message).toBe('Unknown tool: nest_profile_route');
    }
    const operator = mcpTestClient(it_.app.app, { gate: 'devkit', caller: { operator: true } });
    expect((await operator.list()).map(({ name }) => name)).not.toContain('nest_profile_route');
  });

  it('asks as another account with the scope devkit:act, when its roles are among those of the owner', async () => {
    expect((await profile({ path: '/orders/7', repeat: 1, as: 'bob' }, ACT)).as).toBe('bob');
    expect(asked.map(({ user }) => user)).toEqual(['bob']);
    asked.length = 0;
    const challenged = await it_.call('nest_profile_route', { method: 'GET', path: '/orders/7', as: 'bob' }, PROFILE);
    expect(JSON.stringify(challenged)).toContain('devkit:act');
    for (const as of ['eve', 'out', 'nobody-at-all']) {
      expect((await refused({ path: '/orders/7', as }, ACT)).replace(as, 'X')).toBe(
        'The account "X" cannot be taken: it is not there, or may do more than yours.',
      );
    }
    expect(asked).toEqual([]);
  });

  it('asks for another account as the gate would for a caller of the same issuer, and takes none where there is no gate', async () => {
    const seen: unknown[] = [];
    const other = await gated(
      { imports: [tickets], controllers: [OrdersController] },
      {
        platform,
        configure: (app) => withSessions(app, platform),
        settings: {
          gate: {
            authorization: { ownKeys: KEYS, anonymous: true },
            accounts: ({ subject = '', issuer }) => (seen.push([subject, issuer !== undefined]), accounts(subject)),
          },
        },
      },
    );
    const args = { method: 'GET', path: '/orders/open/slowly', repeat: 1, as: 'bob' };
    expect((await other.ask('nest_profile_route', args, ACT)).as).toBe('bob');
    await other.app.close();
    expect(seen).toEqual([
      ['ada', true],
      ['bob', true],
    ]);
    const client = mcpTestClient(it_.app.app, { gate: 'devkit', caller: { subject: 'ada', ...ACT } });
    expect((await client.call('nest_profile_route', args)).text).toContain('The account "bob" cannot be taken');
  });

  it('fires twenty requests where nobody says how many, and takes no number or name beyond its bounds', async () => {
    expect((await profile({ path: '/orders/mixed/in' })).requests).toBe(20);
    for (const wrong of [{ repeat: 0 }, { repeat: 201 }, { repeat: 1.5 }, { as: '' }, { as: 'x'.repeat(201) }]) {
      expect(await refused({ path: '/orders/7', ...wrong }, ACT)).toContain(Object.keys(wrong)[0]);
    }
    expect(await refused({ path: `/${'x'.repeat(2_000)}` })).toContain('path');
    expect(asked).toEqual([]);
  });

  it('asks nothing when the login refuses the account', async () => {
    expect(await refused({ path: '/orders/7' }, { ...PROFILE, account: 'shut' })).toContain(
      'No session could be opened',
    );
    expect(asked).toEqual([]);
  });

  it('runs one at a time, reports progress and ends with the run', async () => {
    const before = patched();
    const client = mcpTestClient(it_.app.app, { gate: 'devkit', caller: { subject: 'ada', ...PROFILE } });
    const gone = new AbortController();
    const started = new Promise<void>((resolve) => (arrived = resolve));
    const heard: number[] = [];
    const long = client.call(
      'nest_profile_route',
      { method: 'GET', path: '/orders/open/slowly', repeat: 200 },
      { signal: gone.signal, onProgress: ({ progress }) => void heard.push(progress) },
    );
    const ended = expect(long).rejects.toThrow();
    await started;
    expect(await refused({ path: '/orders/7' })).toContain('Another profile is running');
    while (heard.length === 0) await sleep(5);
    gone.abort(new Error('enough'));
    await ended;
    let free = await it_.call('nest_profile_route', { method: 'GET', path: '/nowhere', repeat: 1 }, PROFILE);
    while (free.isError === true)
      free = await it_.call('nest_profile_route', { method: 'GET', path: '/nowhere', repeat: 1 }, PROFILE);
    expect(patched()).toEqual(before);
  });
});

describe('nest_profile_route without a port', () => {
  it('asks nobody, and says why', async () => {
    const gate = { authorization: { ownKeys: KEYS }, accounts: ({ subject = '' }) => accounts(subject) };
    const app = await Test.createTestingModule({ imports: [McpDevkitModule.forRoot({ gate })] }).compile();
    await app.init();
    const client = mcpTestClient(app, { gate: 'devkit', caller: { subject: 'ada', ...PROFILE } });
    const { text } = await client.call('nest_profile_route', { method: 'GET', path: '/orders/7' });
    expect(text).toBe('The application listens on no port: there is nothing to ask.');
    await app.close();
  });
});

describe('nest_profile_route of a project that is gone', () => {
  it('has failed, and says nothing of a session that could not be opened', async () => {
    const disk = projectOnDisk({});
    const it_ = await gated(
      { imports: [tickets], controllers: [OrdersController] },
      { accounts, configure: (app) => withSessions(app, 'Express'), settings: { project: disk.root } },
    );
    disk.remove();
    const { error } = await it_.call('nest_profile_route', { method: 'GET', path: '/orders/7' }, PROFILE);
    expect(error.code).toBe(-32603);
    await it_.app.close();
  });
});

describe('nest_profile_route without a login flow', () => {
  it('runs one at a time in two applications of one process: they would patch the same parts of Nest', async () => {
    const before = patched();
    const [one, two] = [
      await gated({ controllers: [OrdersController] }, { accounts }),
      await gated({ controllers: [OrdersController] }, { accounts }),
    ];
    const started = new Promise<void>((resolve) => (arrived = resolve));
    let letGo = (): void => undefined;
    held = new Promise((resolve) => (letGo = resolve));
    const args = { method: 'GET', path: '/orders/open/slowly', repeat: 1 };
    const first = one.call('nest_profile_route', args, PROFILE);
    await started;
    const second = await two.call('nest_profile_route', args, PROFILE);
    letGo();
    held = undefined;
    expect(second.content[0].text).toContain('Another profile is running');
    expect((await first).isError).not.toBe(true);
    expect(patched()).toEqual(before);
    await Promise.all([one.app.close(), two.app.close()]);
  });

  it.each([
    ['module', []],
    ['flow', [McpTicketSessionModule.forRoot({ factor: 'mcp-token' })]],
  ])('asks as nobody where there is no %s, and says so', async (_, imports) => {
    const it_ = await gated({ imports, controllers: [OrdersController] }, { accounts });
    const ask = (args: object, granted = PROFILE) =>
      it_.call('nest_profile_route', { method: 'GET', repeat: 2, ...args }, granted);
    const answer = JSON.parse((await ask({ path: '/orders/open/slowly' })).content[0].text);
    expect(answer).toMatchObject({ as: 'nobody', statuses: { 200: 2 }, note: expect.stringContaining('as nobody') });
    expect(JSON.parse((await ask({ path: '/orders/7' })).content[0].text).statuses).toEqual({ 403: 2 });
    expect(JSON.parse((await ask({ path: '/orders/open/away' })).content[0].text).statuses).toEqual({ 302: 2 });
    expect((await ask({ path: '/orders/7', as: 'bob' }, ACT)).isError).toBe(true);
    await it_.app.close();
  });
});

describe('The address of a profile', () => {
  it('keeps the query, and the origin of the application', () => {
    const application = new URL('http://127.0.0.1:4000');
    const url = targetAddress({ method: 'GET', path: '/orders?page=2&q=%2F%2Fx' }, application);
    expect(url.href).toBe('http://127.0.0.1:4000/orders?page=2&q=%2F%2Fx');
    expect(targetAddress({ method: 'GET', path: '/../../x' }, application).href).toBe('http://127.0.0.1:4000/x');
  });
});
