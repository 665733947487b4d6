/** K: a tool acts at its own application in an account's name, by real requests in a real session. */
import {
  Controller,
  Get,
  Injectable,
  NotFoundException,
  Req,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import fastifyCookie from '@fastify/cookie';
import fastifySession from '@fastify/session';
import secureSession from '@fastify/secure-session';
import session from 'express-session';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INestApplication } from '@nestjs/common';
import type { McpAccount } from '../../src/account.js';
import {
  MCP_TICKET_HEADER,
  McpTicketFault,
  McpTicketSessionModule,
  McpTicketSessions,
  storedSessionFlow,
  type McpSessionFlow,
  type McpTicketEvent,
  type McpTicketSession,
} from '../../src/ticket-session/index.js';
import { redeemTicket } from '../../src/ticket-session/acting-session.js';
import { TICKET_GATE, type PlacedTicketGate } from '../../src/ticket-session/ticket-sessions.js';
import { keep } from '../support/written.js';
import { PLATFORMS, serve, type Platform, type Served } from '../nest/serve.js';

const SECRET = 'a secret of thirty-two characters';
const ADA: McpAccount = { id: 'ada', roles: ['clerk'], active: true };
const LOCKED: McpAccount = { id: 'bob', roles: [], active: true };

interface Shopper {
  user?: string;
  factor?: string;
  seen?: number;
}
type WithSession = { session: Shopper & { save?: unknown } };

@Injectable()
class SignedIn implements CanActivate {
  canActivate(context: ExecutionContext) {
    return context.switchToHttp().getRequest<WithSession>().session.user !== undefined;
  }
}

/** The application's own routes, and a guard before all of them. */
@Controller('account')
@UseGuards(SignedIn)
class AccountController {
  @Get()
  who(@Req() { session: { user, factor } }: WithSession) {
    return { user, factor };
  }

  @Get('visits')
  visits(@Req() request: WithSession) {
    request.session.seen = (request.session.seen ?? 0) + 1;
    return { visits: request.session.seen };
  }

  @Get('missing')
  missing() {
    throw new NotFoundException();
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

describe.each(PLATFORMS)('A session on %s', (platform) => {
  let app: Served;
  let sessions: McpTicketSessions;
  const events: McpTicketEvent[] = [];
  const logins: string[] = [];

  beforeAll(async () => {
    const flow = storedSessionFlow<Shopper>((shopper, { account, factor }) => {
      logins.push(account.id);
      if (account.id === LOCKED.id) return false;
      Object.assign(shopper, { user: account.id, factor });
      if (account.id === 'half') throw new Error('the audit is down');
      return true;
    });
    const audit = (event: McpTicketEvent) => void events.push(event);
    const tickets = McpTicketSessionModule.forRoot({ factor: 'mcp-token', flow, audit });
    app = await serve(
      { imports: [tickets], controllers: [AccountController], providers: [{ provide: APP_GUARD, useClass: SignedIn }] },
      {
        platform,
        configure: async (nest) => {
          await withSessions(nest, platform);
          nest.setGlobalPrefix('api');
        },
      },
    );
    sessions = app.app.get(McpTicketSessions, { strict: false });
  });
  afterAll(() => app.close());
  beforeEach(() => {
    events.length = 0;
    logins.length = 0;
  });

  const get = async (path: string, cookie?: string) => {
    const answer = await fetch(`${app.url}${path}`, cookie === undefined ? {} : { headers: { cookie } });
    return { status: answer.status, text: await answer.text() };
  };

  test('sees what the account sees, through the application’s own guards, and ends with the work', async () => {
    let cookie = '';
    const seen = await sessions.during(ADA, async (shopper) => {
      ({ cookie } = shopper);
      return (await shopper.fetch('/api/account')).json();
    });
    expect(seen).toEqual({ user: 'ada', factor: 'mcp-token' });
    expect(events.map(({ kind }) => kind)).toEqual(['issued', 'opened', 'closed']);
    expect(await get('/api/account', cookie)).toMatchObject({ status: 403 });
  });

  test('keeps its state from one request to the next, and shares none with another', async () => {
    const visits = (shopper: McpTicketSession) => shopper.fetch('/api/account/visits').then((answer) => answer.json());
    await sessions.during(ADA, async (one) => {
      await sessions.during(ADA, async (other) => {
        expect([await visits(one), await visits(one), await visits(other)]).toEqual(
          [1, 2, 1].map((count) => ({ visits: count })),
        );
      });
    });
  });

  test('is destroyed too when the work fails, and the failure is the work’s own', async () => {
    let cookie = '';
    const work = async (shopper: McpTicketSession) => {
      ({ cookie } = shopper);
      expect((await shopper.fetch('/api/account/missing')).status).toBe(404);
      throw new Error('the work failed');
    };
    await expect(sessions.during(ADA, work)).rejects.toThrow('the work failed');
    expect(await get('/api/account', cookie)).toMatchObject({ status: 403 });
  });

  test('is not opened for an account that the application refuses', async () => {
    await expect(sessions.during(LOCKED, () => 'never')).rejects.toThrow(McpTicketFault);
    expect(logins).toEqual(['bob']);
    expect(events.at(-1)).toMatchObject({ kind: 'refused', account: 'bob', reason: 'the login flow refused' });
  });

  test('gets an id of its own: one that was planted before opens nothing', async () => {
    const { gate } = app.app.get<PlacedTicketGate>(TICKET_GATE, { strict: false });
    await sessions.during(ADA, async ({ cookie: planted }) => {
      const headers = { cookie: planted, [MCP_TICKET_HEADER]: keep(gate.issue(ADA)) };
      const answer = await fetch(`${app.url}/mcp/session`, { method: 'POST', headers });
      expect(answer.status).toBe(204);
      // @fastify/session clears the former cookie before it sets the new one.
      const fresh = answer.headers.getSetCookie().at(-1)!.split(';')[0]!;
      expect(fresh).not.toBe(planted);
      expect(await get('/api/account', fresh)).toMatchObject({ status: 200 });
      expect(await get('/api/account', planted)).toMatchObject({ status: 403 });
    });
  });

  test('is opened for as many as ask, eight at a time', async () => {
    const who = async (shopper: McpTicketSession) => (await shopper.fetch('/api/account')).status;
    const all = await Promise.all(Array.from({ length: 30 }, () => sessions.during(ADA, who)));
    expect(all).toEqual(Array.from({ length: 30 }, () => 200));
  });

  test('is not left behind by a login that throws half way', async () => {
    const { gate } = app.app.get<PlacedTicketGate>(TICKET_GATE, { strict: false });
    const headers = { [MCP_TICKET_HEADER]: keep(gate.issue({ ...ADA, id: 'half' })) };
    const answer = await fetch(`${app.url}/mcp/session`, { method: 'POST', headers });
    expect(answer.status).toBe(403);
    for (const cookie of answer.headers.getSetCookie()) {
      expect(await get('/api/account', cookie.split(';')[0])).toMatchObject({ status: 403 });
    }
  });

  test('never leaves the application', async () => {
    await sessions.during(ADA, async (shopper) => {
      await expect(shopper.fetch('http://example.test/steal')).rejects.toThrow(
        'A session is for the application itself',
      );
      await expect(shopper.fetch('//example.test/steal')).rejects.toThrow('A session is for the application itself');
    });
  });

  test('is over once it was closed', async () => {
    const kept = await sessions.during(ADA, (shopper) => shopper);
    await expect(kept.fetch('/api/account')).rejects.toThrow('This session is closed');
    expect(kept.cookie).toBe('');
  });

  test('a ticket that is none is 403, whatever else is wrong, and nothing is opened', async () => {
    const attempts: [RequestInit, string][] = [
      [{ method: 'POST' }, 'no ticket'],
      [{ method: 'POST', headers: { [MCP_TICKET_HEADER]: 'A'.repeat(43) } }, 'unknown'],
      [{ method: 'POST', headers: { [MCP_TICKET_HEADER]: 'A'.repeat(43), 'x-forwarded-for': '127.0.0.1' } }, 'relayed'],
    ];
    const answers = new Set<string>();
    for (const [init] of attempts) {
      const answer = await fetch(`${app.url}/mcp/session`, init);
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      answers.add(`${answer.status} ${await answer.text()}`);
    }
    expect([...answers]).toEqual(['403 {"statusCode":403,"message":"Forbidden"}']);
    expect(logins).toEqual([]);
  });
});

test('without a session middleware nothing is opened, and the caller hears no more than ever', async () => {
  const tickets = McpTicketSessionModule.forRoot({ factor: 'x', flow: storedSessionFlow(() => true) });
  const app = await serve({ imports: [tickets] });
  try {
    const opening = app.app.get(McpTicketSessions, { strict: false }).during(ADA, () => 'never');
    await expect(opening).rejects.toThrow(McpTicketFault);
    expect(app.log.of('error', 'McpTicketSession').join()).toContain('is the session middleware before the routes?');
    expect(app.log.of('warn', 'McpTicketSession')).toEqual([
      'A session was refused: the login flow threw Error.',
      'No session was opened: /mcp/session answered 403.',
    ]);
  } finally {
    await app.close();
  }
});

test('with sessions that live in a sealed cookie alone nothing is opened, and the operator hears what to do', async () => {
  const tickets = McpTicketSessionModule.forRoot({ factor: 'x', flow: storedSessionFlow(() => true) });
  const configure = async (nest: INestApplication) => {
    const fastify = nest as unknown as { register(plugin: unknown, options: object): Promise<unknown> };
    await fastify.register(secureSession, { key: randomBytes(32) });
  };
  const app = await serve({ imports: [tickets] }, { platform: 'Fastify', configure });
  try {
    const opening = app.app.get(McpTicketSessions, { strict: false }).during(ADA, () => 'never');
    await expect(opening).rejects.toThrow(McpTicketFault);
    expect(app.log.of('error', 'McpTicketSession').join()).toMatch(/has no save\(\).*an McpSessionFlow of your own/);
  } finally {
    await app.close();
  }
});

test('a login that never ends is given up, and the turn is handed on', async () => {
  const patience = new AbortController();
  const hanging = createServer(() => patience.abort()).listen(0, '127.0.0.1');
  await once(hanging, 'listening');
  const url = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
  const reasons: string[] = [];
  const opening = redeemTicket(new URL(url), '/mcp/session', 'a ticket', (reason) => reasons.push(reason), {
    patience: patience.signal,
  });
  await expect(opening).rejects.toThrow(McpTicketFault);
  expect(reasons).toEqual(['the login took longer than 30 seconds']);
  hanging.closeAllConnections();
  hanging.close();
});

describe('A session of an application that knows its users by a bearer token', () => {
  const open = new Set<string>();
  const withHeaders = (headers: Record<string, string>): McpSessionFlow => ({
    open: () => {
      open.add('Bearer of ada');
      return { headers, destroy: () => void open.delete('Bearer of ada') };
    },
  });
  @Controller('me')
  class MeController {
    @Get()
    who(@Req() { headers }: { headers: Record<string, string | undefined> }) {
      return { known: open.has(headers['authorization'] ?? ''), cookie: headers['cookie'] ?? 'none' };
    }
  }
  const during = async <T>(headers: Record<string, string>, work: (session: McpTicketSession) => Promise<T>) => {
    const imports = [McpTicketSessionModule.forRoot({ factor: 'x', flow: withHeaders(headers) })];
    const app = await serve({ imports, controllers: [MeController] });
    try {
      return await app.app.get(McpTicketSessions, { strict: false }).during(ADA, work);
    } finally {
      await app.close();
    }
  };

  it('sends the headers of its login with each request, and no cookie, until it is destroyed', async () => {
    let kept: McpTicketSession | undefined;
    const told = await during({ authorization: 'Bearer of ada' }, async (session) => {
      kept = session;
      const init = { headers: { authorization: 'Bearer of bob' } };
      return [await (await session.fetch('/me')).json(), await (await session.fetch('/me', init)).json()];
    });
    expect(told).toEqual([
      { known: true, cookie: 'none' },
      { known: true, cookie: 'none' },
    ]);
    expect(open.size).toBe(0);
    await expect(kept!.fetch('/me')).rejects.toThrow('This session is closed');
  });

  it('has the cookies that its login gives as a header beside those that answers set', async () => {
    const given = { authorization: 'Bearer of ada', cookie: 'sid=of-ada; shop=1' };
    const told = await during(given, async (session) => [
      session.cookie,
      await (await session.fetch('/me', { headers: { cookie: 'sid=of-bob' } })).json(),
    ]);
    expect(told).toEqual(['sid=of-ada; shop=1', { known: true, cookie: 'sid=of-ada; shop=1' }]);
  });

  it.each([
    ['none', {}],
    ['what no request can carry', { authorization: 'of\nada' }],
    ['not of the session: where it goes', { authorization: 'of ada', Host: 'elsewhere.example' }],
    ['not of the session: how long it is', { authorization: 'of ada', 'Content-Length': '7' }],
  ])('is not opened, and what was opened is destroyed, when the headers are %s', async (_, headers) => {
    await expect(during(headers, () => Promise.resolve())).rejects.toThrow(McpTicketFault);
    expect(open.size).toBe(0);
  });
});

test('a session that opens after it was given up is destroyed at once', async () => {
  let login: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => (login = resolve));
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  let destroyed: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => (destroyed = resolve));
  const flow: McpSessionFlow = {
    open: async () => {
      login();
      await finished;
      return { destroy: () => destroyed() };
    },
  };
  const app = await serve({ imports: [McpTicketSessionModule.forRoot({ factor: 'x', flow })] });
  const opening = app.app.get(McpTicketSessions, { strict: false }).during(ADA, () => 'never');
  await asked;
  (app.app.getHttpServer() as Server).closeAllConnections();
  await expect(opening).rejects.toThrow(McpTicketFault);
  finish();
  await gone;
  await app.close();
});

test.each<[string, object, string]>([
  [
    'an unknown setting',
    { locaOnly: true },
    '"locaOnly" is not a setting of ticket sessions. The settings are: factor,',
  ],
  ['a path without a slash', { path: 'session' }, '"path" must begin with one "/": "/session".'],
  [
    'a path that is another machine’s',
    { path: '//shop.example/s' },
    '"path" must begin with one "/": "/shop.example/s".',
  ],
  ...['/\\shop.example/s', '/\t/shop.example/s', '\\\\shop.example/s', '//'].map((path): [string, object, string] => [
    `a path that is another machine’s or none, as clients read it: ${JSON.stringify(path)}`,
    { path },
    `"path" must begin with one "/": "/${path.length > 2 ? 'shop.example/s' : ''}".`,
  ]),
  ['a flow that is none', { flow: () => true }, '"flow" must be an McpSessionFlow, which has open()'],
  ['a word for localOnly', { localOnly: null }, '"localOnly" must be true or false.'],
])('%s stops the boot', async (_, wrong, message) => {
  const imports = [McpTicketSessionModule.forRoot({ factor: 'x', ...wrong })];
  const { Test } = await import('@nestjs/testing');
  await expect(Test.createTestingModule({ imports }).compile()).rejects.toThrow(message);
});

test('an application without a port opens none', async () => {
  const { Test } = await import('@nestjs/testing');
  const imports = [McpTicketSessionModule.forRoot({ factor: 'x', flow: storedSessionFlow(() => true) })];
  const app = await (await Test.createTestingModule({ imports }).compile()).init();
  await expect(app.get(McpTicketSessions, { strict: false }).during(ADA, () => 'never')).rejects.toThrow(
    McpTicketFault,
  );
  await app.close();
});

test('an answer that a middleware gave meanwhile stands, and what the login opened is destroyed', async () => {
  const destroyed: string[] = [];
  const flow: McpSessionFlow = {
    open: ({ response, account }) => {
      (response as ServerResponse).writeHead(503).end(); // as a middleware that lost its patience
      return { destroy: () => void destroyed.push(account.id) };
    },
  };
  const app = await serve({ imports: [McpTicketSessionModule.forRoot({ factor: 'x', flow })] });
  try {
    const opening = app.app.get(McpTicketSessions, { strict: false }).during(ADA, () => 'never');
    await expect(opening).rejects.toThrow(McpTicketFault);
    expect(destroyed).toEqual(['ada']);
  } finally {
    await app.close();
  }
});
