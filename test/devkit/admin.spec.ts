/** D: reads that the application declares, for callers with the scope, by the rules that tools have. */
import {
  ConflictException,
  Inject,
  Injectable,
  Module,
  Scope,
  UseGuards,
  UseInterceptors,
  type CanActivate,
} from '@nestjs/common';
import { LazyModuleLoader, REQUEST } from '@nestjs/core';
import { Type } from 'class-transformer';
import { IsInt, Matches, Max } from 'class-validator';
import { map } from 'rxjs';
import { AdminReads } from '../../src/devkit/admin/admin-reads.js';
import { AdminRun } from '../../src/devkit/admin/admin-run.js';
import { AdminRead } from '../../src/devkit/index.js';
import {
  ActsForUser,
  Caller,
  McpModule,
  McpRequestContext,
  RequireScopes,
  ScopesFor,
  type McpCaller,
} from '../../src/index.js';
import { mcpTestClient } from '../../src/testing/index.js';
import { PLATFORMS } from '../nest/serve.js';
import { bearing, tokenFor } from '../authorization/tokens.js';
import { gated, PATH, type Gated } from './gated.js';

class OrdersQuery {
  @Matches(/^C-\d{3}$/) customer!: string;
  @Type(() => Number) @IsInt() @Max(100) limit: number = 10;

  get whole() {
    return `${this.customer}:${this.limit}`;
  }
}

const closed: CanActivate = { canActivate: () => false };
const atTheDesk: CanActivate = {
  canActivate: (context) => {
    const request = context.switchToHttp().getRequest<{ headers: Record<string, string> } | undefined>();
    return request?.headers['x-desk'] === 'open';
  },
};

@Injectable()
class Reads {
  @AdminRead({ name: 'orders', description: 'Orders of a customer.' })
  orders(query: OrdersQuery, @Caller() caller: McpCaller) {
    return { isInstance: query instanceof OrdersQuery, whole: query.whole, by: caller.subject };
  }

  @AdminRead({ name: 'config', description: 'What is configured: password=tangerine' })
  config() {
    return {
      host: 'db.example',
      password: 'swordfish-and-chips',
      url: 'postgres://ada:swordfish2@db/shop',
      manual: '- **SMTP_PASSWORD**: `swordfish`',
    };
  }

  @AdminRead({ name: 'payroll', description: 'Salaries.' })
  @RequireScopes('payroll:read')
  payroll() {
    return 'salaries';
  }

  @AdminRead({ name: 'closed', description: 'For nobody.' })
  @UseGuards(closed)
  closed() {
    return 'opened';
  }

  @AdminRead({ name: 'desk', description: 'At the desk.' })
  @UseGuards(atTheDesk)
  desk() {
    return 'at the desk';
  }

  @AdminRead({ name: 'wrapped', description: 'Intercepted.' })
  @UseInterceptors({
    intercept: (_: unknown, next: { handle(): any }) => next.handle().pipe(map((value) => ({ value }))),
  })
  wrapped() {
    return 'plain';
  }

  @AdminRead({
    name: 'deep',
    description: 'More for some.',
    inputSchema: { type: 'object', properties: { all: { type: 'boolean' } } },
  })
  @ScopesFor<{ all?: boolean }>(({ all }) => (all === true ? ['admin:all'] : []))
  deep() {
    return 'deep';
  }

  @AdminRead({ name: 'mine', description: 'In the name of the account.' })
  @RequireScopes('admin:read')
  @ActsForUser()
  mine() {
    return McpRequestContext.account()?.id;
  }

  @AdminRead({ name: 'broken', description: 'Breaks.' })
  broken() {
    throw new Error('a reason that is nobody else’s: hunter2-of-the-desk');
  }

  @AdminRead({ name: 'refused', description: 'Refuses in words.' })
  refused() {
    throw new ConflictException('no connection by postgres://app:hunter2-of-the-desk@db.example');
  }

  @AdminRead({ name: 'made', description: 'Makes its result itself.' })
  made() {
    return {
      content: [
        { type: 'text', text: JSON.stringify({ credentials: [{ who: 'app', phrases: { first: 'swordfish' } }] }) },
        { type: 'text', text: 'x'.repeat(40_000) },
        { type: 'image', data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ', mimeType: 'image/png' },
      ],
    };
  }

  @AdminRead({ name: 'long', description: 'A long list.' })
  long() {
    return Array.from({ length: 5_000 }, (_, at) => ({ at, text: 'x'.repeat(40), secrets: { first: 'tangerine' } }));
  }
}

@Injectable({ scope: Scope.REQUEST })
class ScopedReads {
  constructor(@Inject(REQUEST) private readonly request: { headers: Record<string, string> }) {}

  @AdminRead({ name: 'agent', description: 'Who asks by which program.' })
  agent() {
    return typeof this.request.headers['user-agent'];
  }
}

@Injectable()
class FaultyReads {
  @AdminRead({ name: 'nest_orders', description: 'A name that is kept.' })
  kept() {}

  @AdminRead({ name: 'orders', description: 'A name that is taken.' })
  taken() {}
}

const ADMIN = { scopes: ['admin:read'] };
const accounts = (id: string) => (id === 'ada' ? { id, roles: ['clerk'], active: true } : undefined);

describe.each(PLATFORMS)('Reads of the administration on %s', (platform) => {
  let it_: Gated;

  beforeAll(async () => {
    @Module({ providers: [Reads], exports: [Reads] })
    class ReadsModule {}
    it_ = await gated(
      { imports: [McpModule.forRoot({ name: 'shop' }), ReadsModule], providers: [ScopedReads, Reads, FaultyReads] },
      { platform, accounts },
    );
  });
  afterAll(() => it_.app.close());

  const read = (name: string, args?: object, granted: object = ADMIN) =>
    it_.call('nest_admin_call', { name, ...(args && { arguments: args }) }, granted);

  it('exist for callers with the scope admin:read alone', async () => {
    const both = ['nest_admin_list', 'nest_admin_call'];
    expect(await it_.list(ADMIN)).toEqual(expect.arrayContaining(both));
    for (const granted of [undefined, { scopes: ['shop:read'] }]) {
      const listed = await it_.list(granted);
      expect(listed.filter((name) => both.includes(name))).toEqual([]);
      expect((await it_.call('nest_admin_call', { name: 'config' }, granted)).error.message).toBe(
        'Unknown tool: nest_admin_call',
      );
    }
  });

  it('are listed with their arguments, as far as the caller has them, and narrowed by a filter', async () => {
    const { reads, total } = await it_.ask('nest_admin_list', {}, ADMIN);
    expect(reads.map(({ name }: any) => name).toSorted()).toEqual(
      ['agent', 'broken', 'config', 'deep', 'long', 'made', 'mine', 'orders', 'refused', 'wrapped'].toSorted(),
    );
    expect(total).toBe(10);
    const orders = reads.find(({ name }: any) => name === 'orders');
    expect(orders.arguments[0]).toMatchObject({ argument: 'customer', required: true, schema: { type: 'string' } });
    const secret = await it_.ask('nest_admin_list', { filter: 'tangerine' }, ADMIN);
    expect([secret.total, reads.find(({ name }: any) => name === 'config').description]).toEqual([
      0,
      'What is configured: password=[masked]',
    ]);
    const narrowed = await it_.ask('nest_admin_list', { filter: 'customer' }, ADMIN);
    expect(narrowed.reads.map(({ name }: any) => name)).toEqual(['orders']);
  });

  it('take arguments as tools do: an instance of their class, or every fault by name', async () => {
    expect(JSON.parse((await read('orders', { customer: 'C-001' })).content[0].text)).toEqual({
      isInstance: true,
      whole: 'C-001:10',
      by: 'ada',
    });
    const refused = await read('orders', { customer: 'Ada', limit: 900, colour: 'red' });
    expect(refused.isError).toBe(true);
    for (const name of ['customer', 'limit', 'colour']) expect(refused.content[0].text).toContain(name);
  });

  it('are the same to nobody, whether they are unknown, want a scope or a guard refuses', async () => {
    const answers = await Promise.all(['payroll', 'closed', 'nothing', 'nest_orders'].map((name) => read(name)));
    const texts = answers.map(
      ({ content, isError }, at) => [isError, content[0].text.replace(/: \S+\. /, ': NAME. '), at][1],
    );
    expect(new Set(texts).size).toBe(1);
    const granted = { scopes: ['admin:read', 'payroll:read'] };
    expect((await read('payroll', undefined, granted)).content[0].text).toBe('salaries');
  });

  it('lose their secrets', async () => {
    const { text } = (await read('config')).content[0];
    expect(text).toContain('db.example');
    expect(text).not.toContain('swordfish');
  });

  it('lose them too where they say why they refuse, and in results that they make themselves', async () => {
    const refused = await read('refused');
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('db.example') }] });
    expect(refused.content[0].text).not.toContain('hunter2');
    const [json, long, image] = (await read('made')).content;
    expect(json.text).not.toContain('swordfish');
    expect(long.text.length).toBeLessThanOrEqual(16_000);
    expect(image.data).toMatch(/^iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ$/);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('are none that is called %s', async (name) => {
    expect((await read(name)).content[0].text).toMatch(/^Unknown read: /);
    expect((await it_.call('nest_admin_call', { name, arguments: [] }, ADMIN)).isError).toBe(true);
  });

  it('are no method without the decorator, called by whatever name', async () => {
    for (const name of ['nest_card', 'Reads.orders', 'orders ', 'undecorated']) {
      expect((await read(name)).content[0].text).toMatch(/^Unknown read: /);
    }
  });

  it('are intercepted, act for the account, and find their request', async () => {
    expect((await read('wrapped')).content[0].text).toBe('{"value":"plain"}');
    expect((await read('mine')).content[0].text).toBe('ada');
    expect((await read('agent')).content[0].text).toBe('string');
    const stranger = await read('mine', undefined, { ...ADMIN, account: 'bob' });
    expect(stranger.isError).toBe(true);
  });

  it('want the scopes of one call too', async () => {
    expect((await read('deep', { all: false })).content[0].text).toBe('deep');
    const refused = await read('deep', { all: true });
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('admin:all') }] });
    expect((await read('deep', { all: true }, { scopes: ['admin:read', 'admin:all'] })).content[0].text).toBe('deep');
  });

  it('say nothing of what broke', async () => {
    const { error } = await read('broken');
    expect(error.code).toBe(-32603);
    expect(JSON.stringify(error)).not.toContain('hunter2');
    expect(it_.app.log.of('error').filter((line) => line.includes('nobody else'))).toHaveLength(1); // its cause, for the operator
  });

  it('show their guards the request', async () => {
    const init = bearing(await tokenFor(`${it_.app.url}${PATH}`, ADMIN));
    const headers = { ...init.headers, 'x-desk': 'open' };
    const { content } = await it_.app.call('nest_admin_call', { name: 'desk' }, { path: PATH, headers });
    expect(content[0].text).toBe('at the desk');
    expect((await read('desk')).content[0].text).toMatch(/^Unknown read: /);
  });

  it('stay under the bound', async () => {
    const { text } = (await read('long')).content[0];
    expect(text.length).toBeLessThanOrEqual(16_000);
    expect(text).toContain('SUMMARY');
    expect(text).not.toContain('tangerine');
  });

  it('are left out when they are declared badly, which the log tells once', async () => {
    await it_.ask('nest_admin_list', {}, ADMIN);
    const warned = it_.app.log.of('warn', 'McpDevkit');
    expect(warned.filter((line) => line.includes('nest_orders'))).toHaveLength(1);
    expect(warned.filter((line) => line.includes('FaultyReads.taken'))).toHaveLength(1);
  });

  it('are no tools of a gate, and scopes on them no fault', async () => {
    expect(await it_.app.list()).toEqual([]);
    expect(it_.app.log.of('warn').filter((line) => line.includes('Reads'))).toEqual([]);
  });

  it("S3: are the local operator's, but for those that want a scope of the application", async () => {
    const operator = mcpTestClient(it_.app.app, { gate: 'devkit', caller: { operator: true, authenticated: false } });
    const { text } = await operator.call('nest_admin_list');
    const names = JSON.parse(text).reads.map(({ name }: any) => name);
    expect(names).toEqual(expect.arrayContaining(['orders', 'config']));
    expect(names).not.toContain('payroll');
    expect(names).not.toContain('mine');
  });
});

describe('Reads of a module that is loaded lazily', () => {
  it('are there once it is; until then the list is made once', async () => {
    class LateReads {
      @AdminRead({ name: 'late', description: 'Of a module that came later.' })
      late() {
        return 'late';
      }
    }
    @Module({ providers: [LateReads] })
    class LateModule {}
    const late = await gated({ providers: [Reads, FaultyReads] });
    const reads = late.app.app.get(AdminReads, { strict: false });
    const before = await reads.all();
    expect(await reads.all()).toBe(before);
    await late.app.app.get(LazyModuleLoader).load(() => LateModule);
    const { total } = await late.ask('nest_admin_list', { filter: 'late' }, ADMIN);
    expect([total, (await reads.all()) === before]).toEqual([1, false]);
    const warned = late.app.log.of('warn', 'McpDevkit').filter((line) => line.includes('nest_orders'));
    expect(warned).toHaveLength(1); // and not once more
    await late.app.close();
  });
});

describe('A read inside of the call that asked for it', () => {
  it('has the signal, the progress, the log, the memory and the questions of that call', async () => {
    const heard: unknown[] = [];
    const note =
      (what: string, answer?: unknown) =>
      (...given: unknown[]) => (heard.push([what, ...given]), answer);
    const { signal } = new AbortController();
    const run = new AdminRun({
      id: '7',
      signal,
      progress: note('progress'),
      log: note('log'),
      ask: note('ask', 'yes'),
      remember: note('remember', 'known'),
      can: note('can', false),
    } as never);
    run.progress(1, 2, 'half');
    run.log('info', 'seen', 'shop');
    expect([
      run.id,
      run.signal,
      run.ask('sure', 'question' as never),
      run.remember('key', Date.now),
      run.can('form' as never),
    ]).toEqual(['7', signal, 'yes', 'known', false]);
    expect(heard).toEqual([
      ['progress', 1, 2, 'half'],
      ['log', 'info', 'seen', 'shop'],
      ['ask', 'sure', 'question'],
      ['remember', 'key', Date.now],
      ['can', 'form'],
    ]);
  });
});
