/** K: a session from the side that acts in it: its cookies, its own address, and nothing that leads away from it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { redeemTicket } from '../../src/ticket-session/acting-session.js';
import { ownAddress } from '../../src/ticket-session/own-address.js';
import { MCP_TICKET_HEADER, McpTicketFault } from '../../src/ticket-session/index.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const OPEN: Answer = (_, response) => response.writeHead(204, { 'set-cookie': 'sid=1; Path=/; HttpOnly' }).end();
const seen: string[] = [];
let answers: Record<string, Answer>;
let base: URL;
const server = createServer((request, response) => {
  seen.push(`${request.method} ${request.url} ${request.headers.cookie ?? 'no cookie'}`);
  (answers[request.url!] ?? ((_, absent) => absent.writeHead(404).end()))(request, response);
});

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  base = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  seen.length = 0;
  answers = { '/session': OPEN };
});

const redirected: Answer = (_, response) => response.writeHead(302, { location: '/elsewhere' }).end();

async function refused(at = base): Promise<string> {
  const reasons: string[] = [];
  const opening = redeemTicket(at, '/session', 'a ticket', (reason) => reasons.push(reason));
  await expect(opening).rejects.toThrow(McpTicketFault);
  expect(reasons).toHaveLength(1);
  return reasons[0]!;
}

describe('A ticket is redeemed', () => {
  it('by its header, and the session has the cookie of the answer', async () => {
    let ticket: unknown;
    answers['/session'] = (request, response) => {
      ticket = request.headers[MCP_TICKET_HEADER];
      OPEN(request, response);
    };
    const session = await redeemTicket(base, '/session', 'a ticket', () => undefined);
    expect([ticket, session.cookie]).toEqual(['a ticket', 'sid=1']);
  });

  it('nowhere else: a login that redirects opens nothing', async () => {
    answers['/session'] = redirected;
    answers['/elsewhere'] = OPEN;
    expect(await refused()).toBe('/session answered 302');
    expect(seen).toEqual(['POST /session no cookie']);
  });

  it('to no session where the login sets no cookie and gives no headers', async () => {
    answers['/session'] = (_, response) => response.writeHead(204).end();
    expect(await refused()).toBe('the login set no cookie, and gave no headers');
  });

  it('to no session where nobody listens, and the reason is a kind and no message', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const reason = await refused(new URL(`http://127.0.0.1:${port}`));
    expect(reason).toMatch(/could not be asked \(\w+\): the application must answer plain HTTP there$/);
  });
});

describe('A request in a session', () => {
  const open = () => redeemTicket(base, '/session', 'a ticket', () => undefined);

  it('follows no redirection, also where it is asked to: no cookie goes anywhere else', async () => {
    answers['/go'] = redirected;
    const session = await open();
    expect((await session.fetch('/go')).status).toBe(302);
    expect((await session.fetch('/go', { redirect: 'follow' })).status).toBe(302);
    expect(seen.slice(1)).toEqual(['GET /go sid=1', 'GET /go sid=1']);
  });

  it('has the cookies of the session and no other, and takes those that an answer renews', async () => {
    answers['/renew'] = (_, response) => response.writeHead(200, { 'set-cookie': ['sid=2; Path=/', 'seen=yes'] }).end();
    const session = await open();
    await session.fetch('/renew', { headers: { cookie: 'sid=somebody-else' } });
    await session.fetch('/after');
    expect(seen.slice(1)).toEqual(['GET /renew sid=1', 'GET /after sid=2; seen=yes']);
  });
});

describe('The address of the application itself', () => {
  const at = (address: unknown) =>
    ownAddress({ httpAdapter: { getHttpServer: () => ({ address: () => address }) } as never })?.origin;

  it.each([
    ['::', 'IPv6', 'http://127.0.0.1:3000'],
    ['0.0.0.0', 'IPv4', 'http://127.0.0.1:3000'],
    ['::1', 'IPv6', 'http://[::1]:3000'],
    ['127.0.0.2', 'IPv4', 'http://127.0.0.2:3000'],
  ])('of one that listens at %s (%s) is %s', (address, family, origin) => {
    expect(at({ address, family, port: 3_000 })).toBe(origin);
  });

  it('is none while it listens on no port: not at all, at a socket of this machine, or without HTTP', () => {
    expect([at(null), at('/run/shop.sock'), ownAddress({ httpAdapter: undefined as never })]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
