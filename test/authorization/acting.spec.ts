/**
 * A tool that acts for a user runs in that account's name, with that account's roles, or not at all (A5, R5).
 */
import { Injectable, NotFoundException, UseInterceptors, type NestInterceptor } from '@nestjs/common';
import { EventEmitter, once } from 'node:events';
import { Readable } from 'node:stream';
import { concatMap, map, Observable, timer } from 'rxjs';
import {
  ActsForUser,
  Annotations,
  Caller,
  McpExecutionContext,
  McpGates,
  McpModule,
  McpProgress,
  McpRequestContext,
  McpTool,
  McpToolFailure,
  RequireScopes,
  type McpCaller,
} from 'nestjs-mcp-gate';
import type { McpAccount } from '../../src/account.js';
import { PLATFORMS, type Served } from '../nest/serve.js';
import { judgeTheLog, logFromNow, open } from './log-watch.js';
import { protectedGate, READS } from './shop.js';
import { bearing, keep, STRANGE_KEYS, tokenFor } from './tokens.js';

type Given = McpAccount | undefined | null | Promise<McpAccount | undefined>;

const accounts = new Map<string, () => Given>();
const asked: McpCaller[] = [];
const ran: string[] = [];
const seenByInterceptor: unknown[] = [];

const resolve = (caller: McpCaller) => {
  asked.push(caller);
  return accounts.get(caller.subject ?? '')?.() as McpAccount | undefined;
};

/** A service that knows nothing of tools, and is used by them. */
@Injectable()
class Desk {
  who(): string {
    return McpRequestContext.account()?.id ?? 'nobody';
  }
}

const looks: NestInterceptor = {
  intercept(context, next) {
    const { caller } = McpExecutionContext.of(context)!;
    return next.handle().pipe(map((value: unknown) => (seenByInterceptor.push([caller.subject, caller.roles]), value)));
  },
};

const acting = (name: string) => ({ name, description: 'In the name of a customer.' });

@Injectable()
class Mine {
  /** Calls that wait for each other. */
  private readonly meeting = new EventEmitter();

  constructor(private readonly desk: Desk) {}

  @McpTool(acting('mine'))
  @Annotations(READS)
  @ActsForUser()
  @RequireScopes('shop:orders')
  @UseInterceptors(looks)
  mine(@Caller() caller: McpCaller) {
    ran.push('mine');
    const account = McpRequestContext.account();
    return {
      account,
      service: this.desk.who(),
      roles: caller.roles,
      ambient: McpRequestContext.caller()?.roles,
      scopes: caller.scopes,
      frozen: Object.isFrozen(caller) && Object.isFrozen(caller.roles),
    };
  }

  @McpTool(acting('mine_later'))
  @Annotations(READS)
  @ActsForUser()
  @RequireScopes('shop:orders')
  async later() {
    ran.push('mine_later');
    const at: Record<string, string> = {};
    const take = (where: string) => (at[where] = this.desk.who());
    take('at once');
    // All callers at one place before any goes on.
    if (this.meeting.listenerCount('all') === 1) setImmediate(() => this.meeting.emit('all'));
    await once(this.meeting, 'all');
    take('after a meeting');
    await Promise.resolve();
    take('after an await');
    await new Promise<void>((done) => setTimeout(() => done(void take('in a timer')), 2));
    await new Promise<void>((done) => process.nextTick(() => done(void take('in a tick'))));
    await new Promise<void>((done) => queueMicrotask(() => done(void take('in a microtask'))));
    const stream = Readable.from(['a', 'b']);
    stream.on('data', () => take('in a stream'));
    await once(stream, 'end');
    for await (const _ of Readable.from(['a'])) take('in a loop over a stream');
    await Promise.all([1, 2].map(async () => void take('in one of many')));
    return at;
  }

  @McpTool(acting('mine_yields'))
  @Annotations(READS)
  @ActsForUser()
  @RequireScopes('shop:orders')
  async *yields() {
    const before = this.desk.who();
    yield new McpProgress(1, 2);
    await new Promise((done) => setTimeout(done, 2));
    yield new McpProgress(2, 2);
    yield [before, this.desk.who()].join();
  }

  @McpTool(acting('mine_emits'))
  @Annotations(READS)
  @ActsForUser()
  @RequireScopes('shop:orders')
  emits(): Observable<string> {
    return timer(2).pipe(concatMap(async () => this.desk.who()));
  }

  @McpTool({ name: 'theirs', description: 'Acts for nobody.' })
  @Annotations(READS)
  @RequireScopes('shop:orders')
  theirs(@Caller() caller: McpCaller) {
    return { account: this.desk.who(), roles: caller.roles };
  }
}

const LATER = [
  'at once',
  'after a meeting',
  'after an await',
  'in a timer',
  'in a tick',
  'in a microtask',
  'in a stream',
];
const ACTING = ['mine', 'mine_later', 'mine_yields', 'mine_emits'];
const refusal = {
  content: [{ type: 'text', text: 'Tool mine can not act for the account behind this token.' }],
  isError: true,
};

describe.each(PLATFORMS)('A tool that acts for a user on %s', (platform) => {
  let gate: Served;
  const disabled = new Set<string>();

  beforeAll(async () => {
    const tools = [Mine];
    const authorization = { roles: { 'shop:orders': ['token-role'] } };
    const imports = [
      protectedGate({ tools, accounts: resolve, authorization }),
      protectedGate({ name: 'mixed', path: '/mixed', tools, accounts: resolve, authorization: { anonymous: true } }),
      protectedGate({ name: 'forgetful', path: '/forgetful', tools }),
      protectedGate({
        name: 'watchful',
        path: '/watchful',
        tools,
        accounts: resolve,
        authorization: { isAccountActive: (subject) => !disabled.has(subject) },
      }),
      McpModule.forRoot({ name: 'open', path: '/open', tools }),
    ];
    gate = await open({ imports, providers: [Mine, Desk] }, { platform });
  });
  afterAll(() => gate.close());
  beforeEach(() => {
    for (const list of [asked, ran, seenByInterceptor]) list.splice(0);
    accounts.clear();
    disabled.clear();
    accounts.set('ada', () => ({ id: 'account-1', roles: ['customer'], active: true, record: { name: 'Ada' } }));
    accounts.set('bob', async () => ({ id: 'account-2', roles: [], active: true }));
  });

  const as = async (account: string, path = '/mcp', scopes = ['shop:orders']) => ({
    path,
    ...bearing(await tokenFor(gate.url + path, { account, scopes })),
  });

  test("runs with the account's own roles, and not with those of the token (A5)", async () => {
    expect(JSON.parse(await gate.text('mine', {}, await as('ada')))).toEqual({
      account: { id: 'account-1', roles: ['customer'], active: true, record: { name: 'Ada' } },
      service: 'account-1',
      roles: ['customer'],
      ambient: ['customer'],
      scopes: ['shop:orders'],
      frozen: true,
    });
    expect(JSON.parse(await gate.text('mine', {}, await as('bob'))).roles).toEqual([]);
    expect(seenByInterceptor).toEqual([
      ['ada', ['customer']],
      ['bob', []],
    ]);
  });

  test('leaves a tool that acts for nobody without an account, and with the roles of the token (A5, A10)', async () => {
    expect(JSON.parse(await gate.text('theirs', {}, await as('ada')))).toEqual({
      account: 'nobody',
      roles: ['token-role'],
    });
    expect(asked).toEqual([]);
    expect(McpRequestContext.account()).toBeUndefined();
  });

  test('sees its account wherever its work goes on, each caller its own (R5)', async () => {
    const [ada, bob] = [await as('ada'), await as('bob')];
    const texts = await Promise.all([gate.text('mine_later', {}, ada), gate.text('mine_later', {}, bob)]);
    for (const [at, id] of [
      [JSON.parse(texts[0]), 'account-1'],
      [JSON.parse(texts[1]), 'account-2'],
    ]) {
      expect(Object.keys(at)).toEqual([...LATER, 'in a loop over a stream', 'in one of many']);
      expect(new Set(Object.values(at))).toEqual(new Set([id]));
    }
    expect(await gate.text('mine_yields', {}, ada)).toBe('account-1,account-1');
    expect(await gate.text('mine_emits', {}, bob)).toBe('account-2');
  });

  test('does not exist for strangers, rejected tokens and gates without authorization (A5, T12)', async () => {
    const forged = bearing(await tokenFor(`${gate.url}/mixed`, { scopes: ['shop:orders'], key: STRANGE_KEYS }));
    for (const init of [
      { path: '/mixed' },
      { ...forged, path: '/mixed' },
      { path: '/open' },
      await as('ada', '/open'),
    ]) {
      expect(await gate.list(init)).toEqual([]);
      for (const name of ACTING) {
        expect((await gate.call(name, {}, init)).error).toEqual({ code: -32602, message: `Unknown tool: ${name}` });
      }
    }
    const without = await as('ada', '/mcp', ['shop:read']);
    expect((await gate.call('mine', {}, without)).error.message).toBe('Unknown tool: mine');
    expect([asked, ran]).toEqual([[], []]);
  });

  test('is listed without asking for the account, which is found once for each call (A5, A2)', async () => {
    expect(await gate.list(await as('ada'))).toEqual([...ACTING, 'theirs']);
    expect(asked).toEqual([]);
    await gate.text('mine', {}, await as('ada', '/mixed'));
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ authenticated: true, subject: 'ada', scopes: ['shop:orders'] });
    expect(Object.isFrozen(asked[0])).toBe(true);
    // Arguments that are refused are nobody's.
    expect((await gate.call('mine', { more: 1 }, await as('ada'))).isError).toBe(true);
    expect(asked).toHaveLength(1);
  });

  test.each<[string, () => Given]>([
    ['is not there', () => undefined],
    ['is null', () => null],
    ['is not there, said late', async () => undefined],
    ['is locked', () => ({ id: '3', roles: ['admin'], active: false })],
    ['is disabled, said late', async () => ({ id: '3', roles: ['admin'], active: false })],
    ['says nothing of being active', () => ({ id: '3', roles: ['admin'] }) as never],
    ['says so in other words', () => ({ id: '3', roles: [], active: 'yes' }) as never],
    [
      'is not there, said by an exception of Nest',
      () => {
        throw new NotFoundException(`No user with the mail ${keep('eve-of-the-shop@example.org')}`);
      },
    ],
    ['is locked, said by a business failure', () => Promise.reject(new McpToolFailure('eve is locked until monday'))],
  ])('whose account %s gets one and the same words, and never runs (A5)', async (_, given) => {
    accounts.set('eve', given);
    expect(await gate.call('mine', {}, await as('eve'))).toEqual(refusal);
    expect(await gate.call('mine', {}, await as('eve', '/mixed'))).toEqual(refusal);
    expect(ran).toEqual([]);
  });

  test('is a fault of the server where finding the account fails, never a run as somebody else (A5, P15)', async () => {
    for (const given of [
      () => {
        throw new Error('the database is down');
      },
      () => Promise.reject(new TypeError('the database is down')),
      () => ({ id: '3', active: true }) as never, // an account without roles is no account
    ]) {
      accounts.set('eve', given);
      const logged = logFromNow(gate);
      const { error } = await gate.call('mine', {}, await as('eve'));
      expect(error.code).toBe(-32603);
      expect(error.message).toMatch(/^Tool mine failed\. The server's log has the cause under [\w-]+\.$/);
      expect(logged('error')).toHaveLength(1);
      expect(ran).toEqual([]);
    }
  });

  test('without a resolver gives the same words to the agent, and FATAL to the log (A5)', async () => {
    const logged = logFromNow(gate);
    expect(await gate.call('mine', {}, await as('ada', '/forgetful'))).toEqual(refusal);
    expect(logged('fatal')).toHaveLength(1);
    expect(logged('fatal')[0]).toMatch(/\[forgetful\] tool mine .*Give the gate the setting "accounts"/);
    expect(logged('error')).toEqual([]);
    expect(ran).toEqual([]);
  });

  test('is refused at the second call when the account is disabled between two (A5, issue 3)', async () => {
    const ada = await as('ada');
    expect(await gate.text('mine', {}, ada)).toContain('account-1');
    accounts.set('ada', () => ({ id: 'account-1', roles: ['customer'], active: false }));
    expect(await gate.call('mine', {}, ada)).toEqual(refusal);
    const watched = await as('bob', '/watchful');
    expect(await gate.text('mine', {}, watched)).toContain('account-2');
    disabled.add('bob');
    const refused = await gate.rpc('tools/call', { name: 'mine', arguments: {} }, watched);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect(ran).toEqual(['mine', 'mine']);
  });

  test('never begins for a client that left while the account was looked for (A5, R1)', async () => {
    const looking = new EventEmitter();
    accounts.set('ada', async () => {
      looking.emit('begun');
      await once(looking, 'found');
      return { id: 'account-1', roles: [], active: true };
    });
    const leaving = new AbortController();
    const begun = once(looking, 'begun');
    const call = gate.call('mine_later', {}, { ...(await as('ada')), signal: leaving.signal });
    await begun;
    leaving.abort();
    await expect(call).rejects.toThrow();
    const { app } = gate;
    while (app.get(McpGates).get('shop').liveRuns > 0) await new Promise((done) => setImmediate(done));
    looking.emit('found');
    // It would have begun by the time that a later call is through.
    accounts.set('ada', () => ({ id: 'account-1', roles: [], active: true }));
    await gate.text('theirs', {}, await as('ada'));
    expect(ran).toEqual([]);
  });
});

judgeTheLog();
