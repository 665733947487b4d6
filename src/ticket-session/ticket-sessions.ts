/**
 * Sessions for the tools of an application: opened by a ticket that the application redeems at itself, over its own port and
 * through its own login.
 */
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { IncomingMessage, Server } from 'node:http';
import type { McpAccount } from '../account.js';
import { redeemTicket, type McpTicketSession } from './acting-session.js';
import type { McpOpenedSession } from './session-flow.js';
import { McpTicketFault, type McpTicketSessionGate } from './ticket-session-gate.js';

/** What the module is made of. */
export interface PlacedTicketGate {
  readonly gate: McpTicketSessionGate;
  readonly path: string;
}

export const TICKET_GATE = Symbol('MCP_TICKET_SESSION_GATE');

/** Injectable: opens sessions. */
@Injectable()
export class McpTicketSessions implements OnModuleInit {
  constructor(
    @Inject(TICKET_GATE) private readonly placed: PlacedTicketGate,
    private readonly host: HttpAdapterHost,
  ) {}

  /** Outside the application's prefix and guards, behind its middleware: the session is opened by what opens any other. */
  onModuleInit(): void {
    const adapter = this.host.httpAdapter as HttpAdapterHost['httpAdapter'] | undefined;
    adapter?.post(this.placed.path, (request: object, response: object) => void this.redeem(request, response));
  }

  /**
   * Works in a session of the account, and destroys it whatever happens.
   *
   * Does NOT check that whoever asks may act for the account: that is the tool's to decide before.
   *
   * @throws McpTicketFault, the same for whatever reason, when no session is opened.
   */
  async during<T>(account: McpAccount, work: (session: McpTicketSession) => T | Promise<T>): Promise<T> {
    const { gate, path } = this.placed;
    let opened: McpOpenedSession | undefined;
    const ticket = gate.issue(account, (session) => (opened = session));
    try {
      const session = await redeemTicket(this.ownAddress(), path, ticket);
      try {
        return await work(session);
      } finally {
        session.close();
      }
    } finally {
      await opened?.destroy();
    }
  }

  private async redeem(request: object, response: object): Promise<void> {
    const { socket, headers } = rawOf(request);
    const facts = { remoteAddress: socket.remoteAddress, headers };
    const status = await this.placed.gate.redeem({ facts, request, response });
    const { httpAdapter } = this.host;
    httpAdapter.setHeader(response, 'Cache-Control', 'no-store');
    httpAdapter.reply(response, status === 204 ? undefined : { statusCode: status, message: REFUSALS[status] }, status);
  }

  private ownAddress(): URL {
    const address = (this.host.httpAdapter?.getHttpServer() as Server | undefined)?.address();
    if (typeof address !== 'object' || address === null) throw new McpTicketFault();
    const { port, family, address: name } = address;
    const everywhere = name === '::' || name === '0.0.0.0';
    const host = everywhere ? '127.0.0.1' : family === 'IPv6' ? `[${name}]` : name;
    return new URL(`http://${host}:${port}`);
  }
}

const REFUSALS = { 403: 'Forbidden', 503: 'Service Unavailable' };

function rawOf(request: object): IncomingMessage {
  return 'raw' in request ? (request.raw as IncomingMessage) : (request as IncomingMessage);
}
