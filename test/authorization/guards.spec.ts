/**
 * Guards of Nest decide too: on a tool with the caller before them, on the gate's route as for any route. In which order
 * and how often they are asked is part of the promise (A2, G8).
 */
import {
  Controller,
  ForbiddenException,
  Get,
  Inject,
  Injectable,
  Req,
  SetMetadata,
  UnauthorizedException,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { APP_GUARD, Reflector } from '@nestjs/core';
import {
  ActsForUser,
  Annotations,
  Caller,
  McpExecutionContext,
  McpModule,
  McpRequestContext,
  McpTool,
  RequireAuth,
  RequireScopes,
  ScopesFor,
  type McpCaller,
  type McpToolProvider,
} from 'nestjs-mcp-gate';
import { PLATFORMS, type Served } from '../nest/serve.js';
import { judgeTheLog, open, opened } from './log-watch.js';
import { protectedGate, READS } from './shop.js';
import { bearing, keep, KEYS, STRANGE_KEYS, tokenFor } from './tokens.js';

const FREE = { type: 'object', additionalProperties: true };
/** Every question and every run, in their order. */
const events: string[] = [];

@Injectable()
class Rota {
  readonly onDuty = new Set(['ada']);
}

/** Asks who calls, as the caller was established; has a dependency, and metadata of its own. */
@Injectable()
class DutyGuard implements CanActivate {
  constructor(
    @Inject(Rota) private readonly rota: Rota,
    @Inject(Reflector) private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { caller, tool, args, run } = McpExecutionContext.of(context)!;
    events.push(`duty ${tool!.name} ${caller.subject ?? 'nobody'} ${args === undefined ? 'list' : 'call'}`);
    expect([run, Object.isFrozen(caller), McpRequestContext.caller()]).toEqual([undefined, true, undefined]);
    await new Promise((done) => setImmediate(done));
    const role = this.reflector.get<string | undefined>('role', context.getHandler());
    if (role !== undefined && !caller.roles.includes(role)) throw new ForbiddenException(`${role} only`);
    return this.rota.onDuty.has(caller.subject ?? '');
  }
}

/** A second guard, to see that one refusal is enough. */
const second: CanActivate = {
  canActivate(context) {
    events.push(`second ${McpExecutionContext.of(context)!.tool!.name}`);
    return true;
  },
};

const tool = (name: string) => ({ name, description: `The tool ${name}.`, inputSchema: FREE });

@UseGuards(DutyGuard)
class DutyTools {
  @McpTool(tool('duty'))
  @Annotations(READS)
  @UseGuards(second)
  duty() {
    events.push('run duty');
    return 'on duty';
  }

  @McpTool(tool('duty_scoped'))
  @Annotations(READS)
  @RequireScopes('shop:duty')
  scoped() {
    events.push('run duty_scoped');
    return 'scoped';
  }

  @McpTool(tool('duty_known'))
  @Annotations(READS)
  @RequireAuth()
  known() {
    return 'known';
  }

  @McpTool(tool('duty_acting'))
  @Annotations(READS)
  @ActsForUser()
  @RequireScopes('shop:duty')
  acting() {
    events.push('run duty_acting');
    return 'acting';
  }

  @McpTool(tool('duty_steps'))
  @Annotations(READS)
  @ScopesFor(() => (events.push('scopesFor duty_steps'), ['shop:more']))
  steps() {
    events.push('run duty_steps');
    return 'stepped';
  }

  @McpTool(tool('duty_admin'))
  @Annotations(READS)
  @SetMetadata('role', 'admin')
  admin() {
    return 'admin';
  }
}

@UseGuards(DutyGuard)
class FreshDuty implements McpToolProvider {
  getMcpTools() {
    events.push('getMcpTools');
    return [{ ...tool('duty_fresh'), annotations: READS, scopes: ['shop:fresh'], handler: () => 'fresh' }];
  }
}

class FreeTools {
  @McpTool(tool('free'))
  @Annotations(READS)
  free(@Caller() caller: McpCaller, @Req() request: { user?: { name: string } }) {
    events.push('run free');
    return `${caller.subject ?? 'nobody'} ${request.user?.name ?? 'nobody'}`;
  }
}

/** Every tool that a guard stands on. */
const GUARDED = ['duty', 'duty_scoped', 'duty_known', 'duty_acting', 'duty_steps', 'duty_admin'];

describe.each(PLATFORMS)('Guards of a tool on %s', (platform) => {
  let gate: Served;

  beforeAll(async () => {
    const authorization = { ownKeys: KEYS, roles: { 'shop:admin': ['admin'] } };
    const accounts = () => (events.push('account'), { id: '1', roles: [], active: true });
    const imports = [
      protectedGate({ authorization, accounts, tools: [DutyTools, FreeTools] }),
      protectedGate({ name: 'fresh', path: '/fresh', tools: [FreshDuty, DutyTools] }),
      protectedGate({ name: 'mixed', path: '/mixed', tools: [DutyTools], authorization: { anonymous: true } }),
    ];
    gate = await open({ imports, providers: [DutyTools, FreeTools, FreshDuty, Rota] }, { platform });
  });
  afterAll(() => gate.close());
  beforeEach(() => void events.splice(0));

  const as = async (account: string, scopes: string[] = [], path = '/mcp') => ({
    path,
    ...bearing(await tokenFor(gate.url + path, { account, scopes })),
  });

  test('see the caller that the gate has established, and withhold by it (A2)', async () => {
    expect(await gate.list(await as('ada'))).toEqual(['duty', 'duty_known', 'duty_steps', 'free']);
    expect(await gate.list(await as('bob'))).toEqual(['free']);
    expect(await gate.text('duty', {}, await as('ada'))).toBe('on duty');
    expect((await gate.call('duty', {}, await as('bob'))).error).toEqual({
      code: -32602,
      message: 'Unknown tool: duty',
    });
    expect(await gate.list(await as('ada', ['shop:admin']))).toContain('duty_admin');
    expect((await gate.call('duty_admin', {}, await as('ada'))).error.message).toBe('Unknown tool: duty_admin');
    const logged = gate.log.of('debug').join('\n');
    expect(logged).not.toContain('admin only');
  });

  test('see a stranger as a stranger, whatever token was refused (A8)', async () => {
    const forged = bearing(await tokenFor(`${gate.url}/mixed`, { account: 'ada', key: STRANGE_KEYS }));
    for (const init of [{}, forged]) expect(await gate.list({ ...init, path: '/mixed' })).toEqual([]);
    expect(events.filter((event) => event.startsWith('duty duty '))).toEqual([
      'duty duty nobody list',
      'duty duty nobody list',
    ]);
  });

  test('are asked once for each call, about the named tool alone, and before it runs (A2)', async () => {
    await gate.text('duty', { a: 1 }, await as('ada'));
    expect(events).toEqual(['duty duty ada call', 'second duty', 'run duty']);
    events.splice(0);
    await gate.call('duty', {}, await as('bob'));
    expect(events).toEqual(['duty duty bob call']);
    events.splice(0);
    await gate.text('free', {}, await as('bob'));
    expect(events).toEqual(['run free']);
    events.splice(0);
    await gate.call('nothing', {}, await as('ada'));
    expect(events).toEqual([]);
  });

  test('are asked once for each guarded tool of a list, and not about those reserved by scope (A2)', async () => {
    await gate.list(await as('ada'));
    const reserved = ['duty_scoped', 'duty_acting'];
    const asked = GUARDED.filter((name) => !reserved.includes(name)).map((name) => `duty ${name} ada list`);
    expect(events.toSorted()).toEqual([...asked, 'second duty'].toSorted());
    events.splice(0);
    await gate.list(await as('ada', ['shop:duty']));
    expect(events.toSorted()).toEqual([...GUARDED.map((name) => `duty ${name} ada list`), 'second duty'].toSorted());
  });

  test('are asked after the scopes, and before what a single call needs and whose account it is (A2, A4, A5)', async () => {
    await gate.call('duty_scoped', {}, await as('ada'));
    await gate.call('duty_acting', {}, await as('ada'));
    await gate.call('duty_known', {}, { path: '/mixed' });
    expect(events).toEqual([]);
    await gate.text('duty_acting', {}, await as('ada', ['shop:duty']));
    expect(events).toEqual(['duty duty_acting ada call', 'account', 'run duty_acting']);
    events.splice(0);
    await gate.text('duty_steps', {}, await as('ada', ['shop:more']));
    expect(events).toEqual(['duty duty_steps ada call', 'scopesFor duty_steps', 'run duty_steps']);
    events.splice(0);
    await gate.call('duty_steps', {}, await as('bob', ['shop:more']));
    expect(events).toEqual(['duty duty_steps bob call']);
  });

  test('are not asked by an introduction, which only counts (A3)', async () => {
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } };
    const { body } = await gate.rpc('initialize', hello, await as('ada'));
    expect(body.result.instructions).toBe('2 more tools are available with authorization.');
    expect(events).toEqual([]);
  });

  test('on a provider of fresh tools come after scopes too, and the provider is asked once (A2, T3)', async () => {
    await gate.call('duty_fresh', {}, await as('ada', [], '/fresh'));
    expect(events).toEqual(['getMcpTools']);
    events.splice(0);
    await gate.text('duty_fresh', {}, await as('ada', ['shop:fresh'], '/fresh'));
    expect(events).toEqual(['getMcpTools', 'duty duty_fresh ada call']);
    events.splice(0);
    // A declared tool is found without asking.
    await gate.text('duty', {}, await as('ada', [], '/fresh'));
    expect(events).toEqual(['duty duty ada call', 'second duty', 'run duty']);
  });

  test('are never asked where the gate has refused the caller (A7)', async () => {
    const forged = bearing(await tokenFor(`${gate.url}/mcp`, { account: 'ada', key: STRANGE_KEYS }));
    for (const init of [{}, forged]) {
      expect((await gate.rpc('tools/list', {}, init)).status).toBe(401);
      expect((await gate.rpc('tools/call', { name: 'duty' }, init)).status).toBe(401);
    }
    expect(events).toEqual([]);
  });
});

/** As a guard of @nestjs/passport is written: a strategy finds the user, `handleRequest` refuses or sets it. */
@Injectable()
class PassportStyleGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<{ headers: Record<string, string>; user?: { name: string } }>();
    const tool = McpExecutionContext.of(context);
    events.push(`passport ${context.getType()}${tool === undefined ? '' : ` ${tool.tool!.name}`}`);
    await new Promise((done) => setImmediate(done));
    const key = request.headers['x-api-key'];
    if (key === undefined) throw new UnauthorizedException();
    if (key === keep('a-key-that-is-spoilt')) throw new Error(`cannot read a key of ${key.length} characters`);
    if (key !== keep('the-key-of-grace')) return false;
    request.user = { name: 'grace' };
    return true;
  }
}

@Controller('orders')
class OrdersController {
  @Get()
  @UseGuards(PassportStyleGuard)
  list() {
    return 'orders';
  }
}

describe.each(PLATFORMS)("Guards of the gate's route on %s", (platform) => {
  const grace = { 'x-api-key': 'the-key-of-grace' };
  const CALL = { name: 'free', arguments: {} };
  beforeEach(() => void events.splice(0));

  test('refuse as on any route, in JSON-RPC, before the gate; whoever passes is known to the tool (G8)', async () => {
    const imports = [McpModule.forRoot({ name: 'shop' }, { guards: [PassportStyleGuard] })];
    const app = { imports, providers: [FreeTools], controllers: [OrdersController] };
    await opened(app, { platform }, async (gate) => {
      const of = async (headers: Record<string, string>) => {
        const { status, body } = await gate.rpc('tools/call', CALL, { headers });
        return [status, body.error?.code ?? body.result.content[0].text, body.error?.message];
      };
      expect(await of({})).toEqual([401, -32600, 'Unauthorized']);
      expect(await of({ 'x-api-key': 'another-key' })).toEqual([403, -32600, 'Forbidden resource']);
      expect(await of({ 'x-api-key': 'a-key-that-is-spoilt' })).toEqual([500, -32603, 'Internal Server Error']);
      expect(events).toEqual(['passport http', 'passport http', 'passport http']);
      events.splice(0);
      expect(await of(grace)).toEqual([200, 'nobody grace', undefined]);
      expect(events).toEqual(['passport http', 'run free']);
      expect((await gate.send({ path: '/orders', method: 'GET' })).status).toBe(401);
      expect((await gate.send({ path: '/orders', method: 'GET', headers: grace })).text).toBe('orders');
    });
  });

  test('stand before the tokens of a protected gate: both must be good (G8, A7)', async () => {
    const imports = [protectedGate({}, { guards: [PassportStyleGuard] })];
    await opened({ imports, providers: [FreeTools] }, { platform }, async (gate) => {
      const token = bearing(await tokenFor(`${gate.url}/mcp`)).headers;
      const status = async (headers: Record<string, string>) =>
        (await gate.rpc('tools/call', CALL, { headers })).status;
      expect(await status(token)).toBe(401);
      expect(await status({ ...token, 'x-api-key': 'another-key' })).toBe(403);
      expect(events).not.toContain('run free');
      const refused = await gate.rpc('tools/call', CALL, { headers: grace });
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
        401,
        `Bearer resource_metadata="${gate.url}/.well-known/oauth-protected-resource/mcp"`,
      ]);
      expect(events).not.toContain('run free');
      expect(await gate.text('free', {}, { headers: { ...token, ...grace } })).toBe('ada grace');
    });
  });

  test('of the whole application are asked once for the route, and not for a tool (A2, G8)', async () => {
    const guard = { provide: APP_GUARD, useClass: PassportStyleGuard };
    const app = { imports: [McpModule.forRoot({ name: 'shop' })], providers: [FreeTools, DutyTools, Rota, guard] };
    await opened(app, { platform }, async (gate) => {
      expect(await gate.list({ headers: grace })).toEqual(['free']);
      expect(events.filter((event) => event.startsWith('passport'))).toEqual(['passport http']);
      expect((await gate.rpc('tools/list')).status).toBe(401);
    });
  });

  test('do their work on a tool as well, with the request of the gate (A2)', async () => {
    @UseGuards(PassportStyleGuard)
    class KeyTools {
      @McpTool(tool('keyed'))
      @Annotations(READS)
      keyed(@Req() request: { user: { name: string } }) {
        return `hello ${request.user.name}`;
      }
    }
    const app = { imports: [McpModule.forRoot({ name: 'shop' })], providers: [KeyTools] };
    await opened(app, { platform }, async (gate) => {
      for (const key of [undefined, 'another-key', 'a-key-that-is-spoilt']) {
        const headers: Record<string, string> = key === undefined ? {} : { 'x-api-key': key };
        expect(await gate.list({ headers })).toEqual([]);
        expect((await gate.call('keyed', {}, { headers })).error.message).toBe('Unknown tool: keyed');
      }
      expect(await gate.text('keyed', {}, { headers: grace })).toBe('hello grace');
      expect(new Set(events)).toEqual(new Set(['passport mcp keyed']));
    });
  });
});

judgeTheLog();
