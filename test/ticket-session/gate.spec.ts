/** K: a ticket's redemption, as the host sees it: every refusal the same, the reason for the operator alone. */
import type { McpAccount } from '../../src/account.js';
import {
  defineTicketSessionGate,
  MCP_TICKET_HEADER,
  McpTicketFault,
  type McpTicketSessionSettings,
} from '../../src/ticket-session/ticket-session-gate.js';
import type { McpTicketEvent } from '../../src/ticket-session/ticket-steps.js';
import { HandClock } from '../support/hand-clock.js';
import { keep } from '../support/written.js';

const ADA: McpAccount = { id: 'ada', roles: ['clerk'], active: true };
const LOCAL = { remoteAddress: '127.0.0.1', host: 'localhost:3000' };

function open(settings: Partial<McpTicketSessionSettings> = {}) {
  const clock = new HandClock();
  const events: McpTicketEvent[] = [];
  const logins: unknown[] = [];
  const destroyed: string[] = [];
  const logged: string[] = [];
  const write = (line: string) => void logged.push(line);
  const gate = defineTicketSessionGate(
    {
      factor: 'mcp-token',
      flow: {
        open: (login) => {
          logins.push(login);
          return { destroy: () => void destroyed.push(login.account.id) };
        },
      },
      audit: (event) => events.push(event),
      ...settings,
    },
    { clock, log: { warn: write, error: write } },
  );
  const redeem = (ticket: string | undefined, from: Record<string, string> = {}) => {
    const { remoteAddress, ...headers } = { ...LOCAL, ...from };
    const facts = { remoteAddress, headers: { ...headers, ...(ticket && { [MCP_TICKET_HEADER]: ticket }) } };
    return gate.redeem({ facts, request: 'the request', response: 'the response' });
  };
  return { gate, clock, events, logged, logins, destroyed, redeem };
}

it('opens a session by the login flow, which hears of account, factor and request', async () => {
  const { gate, logins, events, destroyed, redeem } = open();
  let session: { destroy(): unknown } | undefined;
  const ticket = keep(gate.issue(ADA, (opened) => (session = opened)));
  expect(await redeem(ticket)).toBe(204);
  expect(logins).toEqual([{ account: ADA, factor: 'mcp-token', request: 'the request', response: 'the response' }]);
  await session?.destroy();
  expect(destroyed).toEqual(['ada']);
  expect(events).toEqual(['issued', 'opened', 'closed'].map((kind) => ({ kind, factor: 'mcp-token', account: 'ada' })));
  expect(JSON.stringify(events)).not.toContain(ticket);
});

it.each<[string, Parameters<typeof open>[0], (opened: ReturnType<typeof open>, ticket: string) => Promise<unknown>]>([
  ['no ticket', {}, ({ redeem }) => redeem(undefined)],
  ['a ticket of nobody', {}, ({ redeem }) => redeem('A'.repeat(43))],
  ['a used ticket', {}, async ({ redeem }, ticket) => (await redeem(ticket), redeem(ticket))],
  ['an expired ticket', {}, ({ clock, redeem }, ticket) => (clock.turn(10_000), redeem(ticket))],
  ['a ticket of another gate', {}, (_, ticket) => open().redeem(ticket)],
  ['a remote peer', {}, ({ redeem }, ticket) => redeem(ticket, { remoteAddress: '192.0.2.7' })],
  ['a foreign host name', {}, ({ redeem }, ticket) => redeem(ticket, { host: 'shop.example' })],
  ...['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].map(
    (header): [string, object, (opened: ReturnType<typeof open>, ticket: string) => Promise<unknown>] => [
      `a relayed request (${header})`,
      {},
      ({ redeem }, ticket) => redeem(ticket, { [header]: '127.0.0.1' }),
    ],
  ),
  ['a web page', {}, ({ redeem }, ticket) => redeem(ticket, { origin: 'http://localhost:3000' })],
  ['a flow that refuses', { flow: { open: () => undefined } }, ({ redeem }, ticket) => redeem(ticket)],
  [
    'a flow that throws',
    {
      flow: {
        open: () => {
          throw new Error('the account ada is locked');
        },
      },
    },
    ({ redeem }, ticket) => redeem(ticket),
  ],
  [
    'an audit that throws',
    {
      audit: () => {
        throw new Error('no audit');
      },
      flow: { open: () => undefined },
    },
    ({ redeem }, ticket) => redeem(ticket),
  ],
])('%s is refused with 403, and the reason is the audit’s alone', async (_, settings, attempt) => {
  const opened = open(settings);
  const ticket = keep(opened.gate.issue(ADA));
  expect(await attempt(opened, ticket)).toBe(403);
  expect(JSON.stringify(opened.events)).not.toContain(ticket);
  expect(JSON.stringify(opened.events)).not.toContain('locked');
});

it.each(['192.0.2.7', '127.0.0.1'])('a refusal before the ticket is looked at uses up nothing (%s)', async (peer) => {
  const { gate, redeem } = open();
  const ticket = keep(gate.issue(ADA));
  expect(await redeem(ticket, { remoteAddress: peer, via: '1.1 proxy' })).toBe(403);
  expect(await redeem(ticket)).toBe(204);
});

it('503 without a login flow, which uses up nothing either', async () => {
  const { gate, events, redeem } = open({ flow: undefined });
  const ticket = keep(gate.issue(ADA));
  expect(await redeem(ticket)).toBe(503);
  expect(events.at(-1)).toMatchObject({ kind: 'refused', reason: 'there is no login flow: give the setting "flow"' });
  expect(await redeem(ticket, { remoteAddress: '192.0.2.7' })).toBe(403);
});

it('an account that is not active is refused before the flow', async () => {
  const { gate, redeem, logins } = open();
  expect(await redeem(keep(gate.issue({ ...ADA, active: false })))).toBe(403);
  expect(logins).toEqual([]);
});

it('a session that cannot be destroyed stops nobody’s work, and the operator hears of it', async () => {
  const flow = {
    open: () => ({
      destroy: () => {
        throw new RangeError('the store is down');
      },
    }),
  };
  const { gate, events, logged, redeem } = open({ flow });
  let session: { destroy(): unknown } | undefined;
  expect(await redeem(keep(gate.issue(ADA, (opened) => (session = opened))))).toBe(204);
  await session?.destroy();
  const reason = 'it could not be destroyed: RangeError';
  expect(events.at(-1)).toEqual({ kind: 'closed', factor: 'mcp-token', account: 'ada', reason });
  expect(logged.join()).toContain('A session could not be destroyed');
});

it('a session whose headers cannot be read is ended again, and the ticket refused: nobody else knows of it', async () => {
  const destroyed: string[] = [];
  const flow = {
    open: () => ({
      get headers(): never {
        throw new RangeError('the token store is down');
      },
      destroy: () => void destroyed.push('ada'),
    }),
  };
  const { gate, events, redeem } = open({ flow });
  const given: unknown[] = [];
  expect(await redeem(keep(gate.issue(ADA, (opened) => given.push(opened))))).toBe(403);
  expect([destroyed, given]).toEqual([['ada'], []]);
  expect(events.map(({ kind, reason }) => [kind, reason])).toEqual([
    ['issued', undefined],
    ['opened', undefined],
    ['closed', undefined],
    ['refused', 'the login flow threw RangeError'],
  ]);
});

it('a ninth pending ticket is refused, by the one sentence for everything', () => {
  const { gate, events } = open();
  for (let at = 0; at < 8; at += 1) gate.issue(ADA);
  expect(() => gate.issue(ADA)).toThrow(McpTicketFault);
  expect(() => gate.issue(ADA)).toThrow('No session could be opened for this account.');
  expect(events.at(-1)).toMatchObject({ kind: 'refused', account: 'ada', reason: 'eight tickets wait already' });
});

it('a remote peer may redeem where the settings say so', async () => {
  const { gate, redeem } = open({ localOnly: false });
  expect(await redeem(keep(gate.issue(ADA)), { remoteAddress: '192.0.2.7', host: 'shop.example' })).toBe(204);
});

it.each([' ', '', undefined, 7])('a gate without a factor is refused at once (%j)', (factor) => {
  expect(() => defineTicketSessionGate({ factor: factor as string })).toThrow(
    '"factor" must say how the account proved itself',
  );
});
