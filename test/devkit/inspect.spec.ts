/** D: what nest_inspect says of modules, providers, configuration, gates, tools and what runs without a request. */
import {
  Controller,
  Get,
  Global,
  Inject,
  Injectable,
  Module,
  Optional,
  Scope,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import {
  forwardRef,
  type CanActivate,
  type DynamicModule,
  type ExecutionContext,
  type PipeTransform,
} from '@nestjs/common';
import { APP_PIPE, REQUEST } from '@nestjs/core';
import { McpDevkitModule } from '../../src/devkit/index.js';
import type { ModuleFacts } from '../../src/devkit/inspect/modules.js';
import { moduleInFull } from '../../src/devkit/inspect/views.js';
import { maskSecrets } from '../../src/devkit/secrets/mask.js';
import {
  Annotations,
  McpExecutionContext,
  McpModule,
  McpTool,
  RequireAuth,
  RequireScopes,
  ScopesFor,
} from '../../src/index.js';
import { serveApplication } from '../../src/nest/stdio.js';
import { KEYS } from '../authorization/tokens.js';
import { FakeProcess } from '../support/fake-process.js';
import { serveDevkit, type Asked } from './ask.js';

const READS = { readOnlyHint: true, openWorldHint: false };

@Injectable()
class Clock {}
@Global()
@Module({ providers: [Clock], exports: [Clock] })
class ClockModule {}

@Injectable({ scope: Scope.REQUEST })
class Visitor {
  constructor(@Inject(REQUEST) readonly request: object) {}
}
@Injectable()
class Stock {
  @Inject(Clock) readonly clock!: Clock;
}
@Injectable()
class Prices {
  constructor(
    readonly stock: Stock,
    readonly visitor: Visitor,
    @Optional() @Inject('NOWHERE') readonly nowhere?: string,
  ) {}
}
@Controller('prices')
class PricesController {
  constructor(readonly prices: Prices) {}
  @Get()
  read() {
    return 1;
  }
}
@Module({
  controllers: [PricesController],
  providers: [Stock, Prices, Visitor, { provide: 'SHELF', useExisting: Stock }],
  exports: [Stock],
})
class PricesModule {}

@Injectable()
class Refusing implements CanActivate {
  canActivate() {
    return false;
  }
}

@Injectable()
class Tools {
  @McpTool({ name: 'for_all', description: 'For everybody.' })
  @Annotations(READS)
  all() {}
  @McpTool({ name: 'for_clerks', description: 'For clerks.' })
  @Annotations(READS)
  @RequireScopes('shop:read', 'shop:write')
  clerks() {}
  @McpTool({ name: 'for_known', description: 'For known ones.' })
  @Annotations(READS)
  @RequireAuth()
  known() {}
  @McpTool({ name: 'for_nobody', description: 'For nobody.' })
  @Annotations(READS)
  @UseGuards(Refusing)
  nobody() {}

  @SetMetadata('EVENT_LISTENER_METADATA', [{ event: 'order.paid', options: { async: true } }, { event: ['a', 'b'] }])
  paid() {}

  @SetMetadata('SCHEDULER_TYPE', 1)
  @SetMetadata('SCHEDULER_NAME', 'nightly')
  @SetMetadata('SCHEDULE_CRON_OPTIONS', { cronTime: '0 3 * * *' })
  nightly() {}
}

@SetMetadata('bullmq:processor_metadata', { name: 'mail' })
@Injectable()
class MailProcessor {
  process() {}
  @SetMetadata('bullmq:worker_events_metadata', { eventName: 'failed' })
  failed() {}
}
@SetMetadata('bullmq:queue_events_listener_metadata', { queueName: 'mail' })
@Injectable()
class MailEvents {
  @SetMetadata('bullmq:queue_events_metadata', { eventName: 'completed' })
  done() {}
}

/** With settings for the whole application, and without any for whoever names the class. */
@Module({ providers: ['ACCESS_TOKENS', 'SettingsReader'].map((provide) => ({ provide, useValue: 1 })) })
class SettingsModule {
  static forRoot(): DynamicModule {
    return { module: SettingsModule, global: true, exports: ['ACCESS_TOKENS', 'SettingsReader'] };
  }
}
@Module({ imports: [SettingsModule] })
class ReadingModule {}

@Module({})
class EventEmitterModule {}
@Module({ providers: [MailProcessor, MailEvents, { provide: 'BullQueue_mail', useValue: {} }] })
class BullModule {}

let asked: Asked;
beforeAll(async () => {
  asked = await serveDevkit({
    imports: [
      SettingsModule.forRoot(),
      ReadingModule,
      ClockModule,
      PricesModule,
      EventEmitterModule,
      BullModule,
      McpModule.forRoot({ name: 'shop' }),
    ],
    providers: [Tools],
  });
});
afterAll(() => asked.app.close());

describe('nest_inspect', () => {
  it('modules: what each imports, exports and holds; a global one only where it is named', async () => {
    const { items } = await asked.inspect('modules', { filter: 'PricesModule', detail: true });
    const [root, prices] = items;
    expect(root).toMatchObject({ imports: expect.arrayContaining(['ClockModule', 'PricesModule']), distance: 1 });
    expect(prices).toMatchObject({
      name: 'PricesModule',
      imports: [],
      importedBy: ['RootTestModule'],
      exports: ['Stock'],
      controllers: ['PricesController'],
      providers: ['Stock', 'Prices', 'Visitor', 'SHELF'],
      file: expect.stringMatching(/inspect\.spec\.ts:\d+$/),
    });
  });

  it('modules: a class that a decorator names is the module without settings, not the global one that was made of it', async () => {
    const { items } = await asked.inspect('modules', { filter: 'SettingsModule' });
    const of = (name: string) => items.find((item: any) => item.name === name);
    expect(of('RootTestModule').imports).toContain('SettingsModule');
    expect(of('SettingsModule').global).toBe(true);
    expect(of('ReadingModule').imports).toEqual(['SettingsModule#2']);
  });

  it('modules: a global one that is named by a forward reference, or by a promise, and nothing of Nest itself', async () => {
    @Global()
    @Module({})
    class AheadModule {}
    @Module({})
    class PromisedModule {
      static forRoot = (): Promise<DynamicModule> => Promise.resolve({ module: PromisedModule, global: true });
    }
    @Module({ imports: [forwardRef(() => AheadModule), PromisedModule.forRoot()] })
    class NamingModule {}
    @Module({ imports: [NamingModule] })
    class SilentModule {}
    const naming = await serveDevkit({ imports: [SilentModule] });
    const { items } = await naming.inspect('modules');
    const imports = Object.fromEntries(items.map(({ name, imports: told }: any) => [name, told]));
    expect(imports).toMatchObject({ NamingModule: ['AheadModule', 'PromisedModule'], SilentModule: ['NamingModule'] });
    expect(Object.keys(imports)).not.toContain('InternalCoreModule');
    expect((await naming.inspect('providers', { filter: 'InternalCoreModule' })).items).toEqual([]);
    await naming.app.close();
  });

  it('modules: twelve names of each kind, and how many more', async () => {
    const providers = Array.from({ length: 14 }, (_, at) => ({ provide: `P${at}`, useValue: at }));
    const crowded = await serveDevkit({ providers, exports: providers.map(({ provide }) => provide) });
    const [root] = (await crowded.inspect('modules', { filter: 'RootTestModule' })).items;
    expect([root.exports.length, root.exports.at(-1)]).toEqual([13, '2 more']);
    await crowded.app.close();
  });

  it('modules: names are names in every list, whatever stands before them', () => {
    const names = ['ACCESS_TOKENS', 'SettingsReader'];
    const lists = { imports: names, importedBy: names, exports: names, controllers: names, providers: names };
    const facts = { name: 'Settings', global: false, distance: 1, ...lists } as unknown as ModuleFacts;
    expect(maskSecrets(moduleInFull(facts, undefined))).toMatchObject(lists);
  });

  it.each([false, true])(
    'modules: two names of which one speaks of secrets are no secret and its value (detail: %s)',
    async (detail) => {
      const { items } = await asked.inspect('modules', { filter: 'SettingsModule', detail });
      const settings = items.find(({ name }: any) => name === 'SettingsModule');
      expect(settings.exports).toEqual(['ACCESS_TOKENS', 'SettingsReader']);
      if (detail) expect(settings.providers).toEqual(['ACCESS_TOKENS', 'SettingsReader']);
    },
  );

  it('providers: scope, dependencies, who has them injected, and why one is made for every request', async () => {
    const { items } = await asked.inspect('providers', { filter: 'PricesModule' });
    const of = (name: string) => items.find((item: any) => item.name === name);
    expect(of('Prices')).toEqual({
      name: 'Prices',
      module: 'PricesModule',
      scope: 'default',
      madePerRequestBy: 'Visitor',
      dependencies: ['Stock', 'Visitor'],
      injectedInto: ['PricesController'],
    });
    expect(of('Stock')).toMatchObject({ dependencies: ['Clock'], injectedInto: ['Prices', 'SHELF'] });
    expect(of('Visitor')).toMatchObject({ scope: 'request', dependencies: ['REQUEST'] });
    expect(of('SHELF')).toMatchObject({ aliasOf: 'Stock' });
    expect(of('PricesController')).toMatchObject({ kind: 'controller', madePerRequestBy: 'Prices <- Visitor' });
  });

  it('providers: what each is, its class where that is known, and what it needs, once each', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class PerRequest extends Refusing {}
    @Controller('desk')
    @UseGuards(PerRequest)
    class Desk {
      @Get()
      read() {}
    }
    @Injectable()
    class Egg {
      constructor(@Inject(forwardRef(() => Hen)) readonly hen: object) {}
    }
    @Injectable()
    class Hen {
      constructor(
        @Inject(forwardRef(() => Egg)) readonly egg: object,
        readonly visitor: Visitor,
      ) {}
    }
    @Injectable()
    class Clerk {
      @Inject(Clock) readonly again!: Clock;
      constructor(
        @Optional() @Inject('NOWHERE') readonly nowhere: string | undefined,
        readonly clock: Clock,
      ) {}
    }
    const valueOf = (provide: any, useValue: unknown = 1) => ({ provide, useValue });
    @Module({
      controllers: [Desk],
      providers: [
        Visitor,
        Egg,
        Hen,
        Clock,
        Clerk,
        valueOf('TEXT', 'text'),
        valueOf('LIST', []),
        valueOf('PLAIN', {}),
        valueOf('BARE', Object.create(null)),
        valueOf('MADE', new Clock()),
        valueOf(Symbol('shelf')),
        valueOf(Symbol()),
        valueOf((() => class {})()),
      ],
      exports: [Clock],
    })
    class DeskModule {}
    const desk = await serveDevkit({ imports: [DeskModule] });
    const { items } = await desk.inspect('providers', { filter: '"module":"DeskModule"', detail: true });
    await desk.app.close();
    expect(items.map(({ name }: any) => name).join(' ')).toBe(
      'Desk Visitor Egg Hen Clock Clerk TEXT LIST PLAIN BARE MADE shelf Symbol() an anonymous class PerRequest',
    );
    const of = (name: string) => items.find((item: any) => item.name === name);
    expect(of('Desk')).toMatchObject({ kind: 'controller', madePerRequestBy: 'PerRequest' });
    expect(of('PerRequest')).toMatchObject({ kind: 'guard', scope: 'request' });
    expect([of('Egg').madePerRequestBy, of('Hen').madePerRequestBy]).toEqual(['Hen <- Visitor', 'Visitor']);
    expect(of('Clerk').dependencies).toEqual(['Clock of DeskModule']);
    expect(of('Clock')).toMatchObject({ exported: true, injectedInto: ['Clerk of DeskModule'] });
    expect(of('Clerk').exported).toBe(false);
    expect(items.flatMap((item: any) => ('class' in item ? [[item.name, item.class]] : []))).toEqual([
      ['MADE', 'Clock'],
    ]);
  });

  it('config: without @nestjs/config the names of environment variables, and no value', async () => {
    process.env['A_SEEDED_VARIABLE'] = 'its value';
    const text = await asked.text('nest_inspect', { subject: 'config', filter: 'seeded' });
    delete process.env['A_SEEDED_VARIABLE'];
    expect(JSON.parse(text).items).toEqual([{ name: 'A_SEEDED_VARIABLE', from: 'environment' }]);
    expect(text).toContain('@nestjs/config is not in this application');
  });

  it('gates: where they are, who may come in, and how much they serve', async () => {
    const { items } = await asked.inspect('gates');
    expect(items).toMatchObject([
      { name: 'shop', paths: ['/mcp'], reach: 'this machine only', callers: 'nobody is authenticated', tools: 4 },
      { name: 'devkit', paths: ['/mcp/devkit'], serves: 'a list' },
    ]);
  });

  it('tools: the reason for each that the caller does not see', async () => {
    const reasons = async (args: object) => {
      const { items } = await asked.inspect('tools', { gate: 'shop', ...args });
      return Object.fromEntries(items.map(({ name, listed, reason }: any) => [name, listed ? 'listed' : reason]));
    };
    expect(await reasons({})).toEqual({
      for_all: 'listed',
      for_clerks: 'it needs the scopes shop:read, shop:write',
      for_known: 'it needs an authenticated caller',
      for_nobody: 'a guard refused it',
    });
    expect(await reasons({ scopes: ['shop:read'] })).toMatchObject({ for_clerks: 'it needs the scopes shop:write' });
    expect(await reasons({ scopes: ['shop:read', 'shop:write'] })).toMatchObject({
      for_clerks: 'listed',
      for_known: 'listed',
    });
    expect(await asked.inspect('tools', { gate: 'shoop' })).toMatchObject({
      fault: expect.stringContaining('shop, devkit'),
    });
  });

  describe('of an application with a gate of each kind', () => {
    @Injectable()
    class ClerksOnly implements CanActivate {
      canActivate(context: ExecutionContext) {
        return McpExecutionContext.of(context)!.caller.roles.includes('clerk');
      }
    }
    @Injectable()
    class Counter {
      @McpTool({ name: 'count', description: 'Counts.' })
      @Annotations(READS)
      @UseGuards(ClerksOnly)
      count() {}
      @McpTool({ name: 'order', description: 'Orders.' })
      @ScopesFor(() => ['shop:write'])
      @RequireScopes('shop:read')
      order() {}
    }
    /** The prefix of the devkit's own tools is not for others. */
    @Injectable()
    class Forging {}
    for (let at = 0; at < 12; at += 1) {
      const name = `nest_${at}`;
      Object.defineProperty(Forging.prototype, name, { value: () => undefined });
      McpTool({ name, description: 'Forged.' })(
        Forging.prototype,
        name,
        Object.getOwnPropertyDescriptor(Forging.prototype, name)!,
      );
    }
    const gate = (name: string, settings: object) =>
      McpModule.forRoot({ name, path: `/${name}`, tools: [Counter], ...settings });

    let many: Asked;
    beforeAll(async () => {
      many = await serveDevkit({
        imports: [
          gate('far', { allowRemote: true, allowedHosts: ['shop.example'], authorization: { ownKeys: KEYS } }),
          gate('open', { authorization: { ownKeys: KEYS, anonymous: true }, allowedOrigins: ['https://shop.example'] }),
          gate('near', { unprotectedRoles: ['clerk'] }),
          gate('shut', { enabled: false, tools: 'discovered' }),
        ],
        providers: [Counter, Forging],
      });
    });
    afterAll(() => many.app.close());

    it('gates: whom each takes in, from where, and with what', async () => {
      const { items } = await many.inspect('gates');
      const common = { tools: 2, resources: 0, prompts: 0, serves: 'a list', revisions: expect.any(Array) };
      expect(items.slice(0, 4)).toEqual([
        { ...common, name: 'far', paths: ['/far'], enabled: true, reach: 'remote', callers: 'only with a token' },
        {
          ...common,
          name: 'open',
          paths: ['/open'],
          enabled: true,
          reach: 'this machine only',
          callers: 'with a token or without',
          allowedOrigins: ['https://shop.example'],
        },
        {
          ...common,
          name: 'near',
          paths: ['/near'],
          enabled: true,
          reach: 'this machine only',
          callers: 'nobody is authenticated',
          unprotectedRoles: ['clerk'],
        },
        {
          ...common,
          name: 'shut',
          paths: ['/shut'],
          enabled: false,
          reach: 'this machine only',
          callers: 'nobody is authenticated',
          serves: 'what the application declares',
        },
      ]);
    });

    it('tools: what the door, a role and arguments make of each', async () => {
      const told = async (gate: string, args: object = {}) => {
        const { items } = await many.inspect('tools', { gate, ...args });
        return Object.fromEntries(
          items.map(({ name, listed, reason, call }: any) => [name, listed ? (call ?? 'listed') : reason]),
        );
      };
      const both = (reason: string) => ({ count: reason, order: reason });
      const [noClerk, byArguments] = ['a guard refused it', 'its arguments may ask for more scopes'];
      expect(await told('shut', { roles: ['clerk'] })).toEqual(both('the gate is disabled'));
      expect(await told('far', { roles: ['clerk'] })).toEqual(both('the gate serves nobody without a token'));
      expect(await told('far', { scopes: ['shop:read'] })).toEqual({ count: noClerk, order: byArguments });
      expect(await told('open')).toMatchObject({ count: noClerk });
      expect(await told('open', { roles: ['clerk'] })).toMatchObject({ count: 'listed' });
      expect(await told('near')).toMatchObject({ count: 'listed' });
    });

    it('tools: in detail what a call may need, and what each says of itself', async () => {
      const { items } = await many.inspect('tools', { gate: 'near', scopes: ['shop:read'], detail: true });
      expect(items).toEqual([
        {
          name: 'count',
          gate: 'near',
          origin: 'Counter.count',
          listed: true,
          call: 'allowed',
          description: 'Counts.',
          annotations: READS,
          needs: [],
        },
        expect.objectContaining({ call: 'by-arguments', annotations: {}, needs: ['shop:read'] }),
      ]);
    });

    it('tools: the declarations that no gate serves, the first of many, and nothing where there are none', async () => {
      const { discarded, note } = await many.inspect('tools');
      expect(discarded).toHaveLength(11);
      expect(discarded[0]).toMatchObject({ origin: 'Forging.nest_0', reason: expect.stringContaining('nest_') });
      expect([discarded[10], note]).toEqual(['2 more', undefined]);
      expect(await asked.inspect('tools')).not.toHaveProperty('discarded');
    });
  });

  it('events, schedules and queues: what decorators say while their module is there, else that it is not', async () => {
    expect((await asked.inspect('events')).items).toEqual([
      { on: 'order.paid', kind: 'listener', handler: 'Tools.paid', options: { async: true } },
      { on: '["a","b"]', kind: 'listener', handler: 'Tools.paid' }, // one event: the parts of its path
    ]);
    expect((await asked.inspect('queues')).items).toEqual([
      { on: 'mail', kind: 'queue' },
      { on: 'mail', kind: 'processor', handler: 'MailProcessor' },
      { on: 'mail failed', kind: 'worker event', handler: 'MailProcessor.failed' },
      { on: 'mail completed', kind: 'queue event', handler: 'MailEvents.done' },
    ]);
    const { items, note } = await asked.inspect('schedules');
    expect([items, note]).toEqual([
      [],
      'Tools.nightly are decorated, but no module of @nestjs/schedule is imported: they never run.',
    ]);
  });

  it('schedules: each once, with its options, and whether the registry has it', async () => {
    const cron = (options: object, name?: string) => (target: object, key: string, property: PropertyDescriptor) => {
      SetMetadata('SCHEDULER_TYPE', 1)(target, key, property);
      SetMetadata('SCHEDULE_CRON_OPTIONS', options)(target, key, property);
      if (name !== undefined) SetMetadata('SCHEDULER_NAME', name)(target, key, property);
    };
    @Injectable()
    class Clockwork {
      @cron({ cronTime: '0 3 * * *', name: 'nightly', timeZone: 'Asia/Tokyo', disabled: true }, 'nightly')
      nightly() {}
      @cron({ cronTime: '* * * * *' })
      unnamed() {}
      @cron({ cronTime: '0 0 * * *' }, 'taken-out')
      takenOut() {}
    }
    @Injectable({ scope: Scope.REQUEST })
    class PerRequest {
      @cron({ cronTime: '1 * * * *' })
      never() {}
    }
    @Injectable()
    class SchedulerRegistry {
      getCronJobs = () =>
        new Map(['nightly', '3e023e46-410a-4a9f-bf30-28190837bc56', 'by-code'].map((name) => [name, {}]));
    }
    @Module({ providers: [SchedulerRegistry, Clockwork, PerRequest] })
    class ScheduleModule {}
    const scheduled = await serveDevkit({ imports: [ScheduleModule] });
    expect((await scheduled.inspect('schedules')).items).toEqual([
      {
        on: '0 3 * * *',
        kind: 'cron',
        handler: 'Clockwork.nightly',
        options: { name: 'nightly', timeZone: 'Asia/Tokyo', disabled: true },
      },
      { on: '* * * * *', kind: 'cron', handler: 'Clockwork.unnamed' },
      {
        on: '0 0 * * *',
        kind: 'cron',
        handler: 'Clockwork.takenOut',
        options: { name: 'taken-out' },
        doesNotRun: 'the registry of @nestjs/schedule does not have it',
      },
      {
        on: '1 * * * *',
        kind: 'cron',
        handler: 'PerRequest.never',
        doesNotRun: 'its class is made for every request: Nest leaves it out',
      },
      { on: 'by-code', kind: 'cron in the registry' },
    ]);
    await scheduled.app.close();
  });

  it('providers: a global enhancer by its class, and of two modules with one name the one that is meant', async () => {
    @Module({})
    class ShelfModule {
      static of(size: number): DynamicModule {
        return { module: ShelfModule, providers: [{ provide: 'SHELF', useValue: size }], exports: ['SHELF'] };
      }
    }
    @Injectable()
    class Reader {
      constructor(@Inject('SHELF') readonly shelf: number) {}
    }
    @Module({ imports: [ShelfModule.of(2)], providers: [Reader] })
    class ReaderModule {}
    class Trimming implements PipeTransform {
      transform(value: unknown) {
        return value;
      }
    }
    class Counting extends Trimming {}
    const providers = [Trimming, Counting].map((useClass) => ({ provide: APP_PIPE, useClass }));
    const named = await serveDevkit({ imports: [ShelfModule.of(1), ReaderModule], providers });
    const { items } = await named.inspect('providers', { filter: 'APP_PIPE' });
    expect(items.map(({ name }: any) => name)).toEqual(
      expect.arrayContaining(['APP_PIPE Trimming', 'APP_PIPE Counting']),
    );
    const [reader] = (await named.inspect('providers', { filter: '"name":"Reader"', detail: true })).items;
    expect(reader.dependencies).toEqual(['SHELF of ShelfModule#2']);
    await named.app.close();
  });

  it('refuses a subject that there is not, by its name', async () => {
    const { isError, content } = await asked.app.call('nest_inspect', { subject: 'weather' }, { path: '/mcp/devkit' });
    expect([isError, content[0].text]).toEqual([true, expect.stringContaining('subject')]);
  });
});

describe('over standard input and output (S3)', () => {
  it('serves the local operator, and says that routes are as they are written', async () => {
    @Module({ imports: [PricesModule, ClockModule, McpDevkitModule.forRoot()] })
    class AppModule {}
    const process = new FakeProcess();
    const served = serveApplication(AppModule, { logger: false, gate: 'devkit' }, process.asProcess());
    const call = (id: number, name: string, args: object) =>
      process.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
    call(1, 'nest_card', {});
    call(2, 'nest_inspect', { subject: 'routes' });
    call(3, 'nest_check', {});
    call(4, 'nest_inspect', { subject: 'tools' });
    call(5, 'nest_inspect', { subject: 'gates' });
    const answers = await process.answers(5);
    process.stdin.end();
    await served;
    const text = (id: number) => answers.find((answer: any) => answer.id === id)!['result'].content[0].text as string;
    expect(text(1)).toMatch(/on no HTTP/);
    expect(JSON.parse(text(2))).toMatchObject({
      note: expect.stringContaining('serves no HTTP'),
      items: [{ path: '/prices' }, { path: '/mcp/devkit' }],
    });
    expect(JSON.parse(text(3))).toMatchObject({ note: expect.stringContaining('without what main.ts adds') });
    expect(JSON.parse(text(4))).toMatchObject({ note: expect.stringContaining('You are the local operator') });
    expect(JSON.parse(text(5))).not.toHaveProperty('note');
    expect(JSON.parse(text(3)).checked).toHaveLength(8);
    expect(JSON.parse(text(3)).items.filter(({ level }: any) => level === 'fault')).toEqual([]);
  });
});
