/**
 * Sessions for the tools of an application: opened by a ticket that the application redeems at itself, over its own port and
 * through its own login.
 */
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { McpAccount } from '../account.js';
import { redeemTicket, type ActingSession, type McpTicketSession } from './acting-session.js';
import { ownAddress } from './own-address.js';
import type { McpOpenedSession } from './session-flow.js';
import { MCP_TICKETS_PENDING_MAX } from './ticket-book.js';
import { McpTicketFault, type McpTicketSessionGate } from './ticket-session-gate.js';

/** What the module is made of. */
export interface PlacedTicketGate {
  readonly gate: McpTicketSessionGate;
  readonly path: string;
  readonly log: { warn(message: string): void };
}

export const TICKET_GATE = Symbol('MCP_TICKET_SESSION_GATE');

const REFUSALS = { 403: 'Forbidden', 503: 'Service Unavailable' };

/** Injectable: opens sessions. */
@Injectable()
export class McpTicketSessions implements OnModuleInit {
  private redeeming = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    @Inject(TICKET_GATE) private readonly placed: PlacedTicketGate,
    private readonly host: HttpAdapterHost,
  ) {}

  /** Whether there is a login flow, without which no session is ever opened. */
  get canOpen(): boolean {
    return this.placed.gate.canOpen;
  }

  /** Outside the application's prefix and guards, behind its middleware: the session is opened by what opens any other. */
  onModuleInit(): void {
    const adapter = this.host.httpAdapter as HttpAdapterHost['httpAdapter'] | undefined;
    adapter?.post(
      this.placed.path,
      (request: object, response: object) =>
        void this.redeem(request, response).catch(({ name }: Error) =>
          this.placed.log.warn(`A redemption could not be answered (${name}).`),
        ),
    );
  }

  /**
   * Works in a session of the account, and destroys it whatever happens.
   *
   * Does NOT check that whoever asks may act for the account: that is the tool's to decide before.
   *
   * @throws McpTicketFault, the same for whatever reason, when no session is opened.
   */
  async during<T>(account: McpAccount, work: (session: McpTicketSession) => T | Promise<T>): Promise<T> {
    let opened: McpOpenedSession | undefined;
    let over = false;
    const session = await this.inTurn(() =>
      this.open(account, (given) => {
        if (over)
          void given.destroy(); // the redemption was given up while the login still worked
        else opened = given;
      }),
    ).catch(async (error: unknown) => {
      over = true;
      await opened?.destroy();
      throw error;
    });
    try {
      return await work(session);
    } finally {
      session.close();
      await opened?.destroy();
    }
  }

  private async open(account: McpAccount, opened: (session: McpOpenedSession) => void): Promise<ActingSession> {
    const { gate, path, log } = this.placed;
    let login: McpOpenedSession | undefined;
    const ticket = gate.issue(account, (given) => {
      login = given;
      opened(given);
    });
    const failed = (reason: string) => log.warn(`No session was opened: ${reason}.`);
    return redeemTicket(this.ownAddress(), path, ticket, failed, { given: () => login?.headers });
  }

  /** No more redemptions at a time than tickets may wait: who comes later has a turn when one of them is done. */
  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.redeeming >= MCP_TICKETS_PENDING_MAX) await new Promise<void>((go) => this.waiting.push(go));
    else this.redeeming += 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.redeeming -= 1;
      else next(); // the turn is handed on
    }
  }

  private async redeem(request: object, response: object): Promise<void> {
    const { socket, headers } = rawOf(request);
    const facts = { remoteAddress: socket.remoteAddress, headers };
    const status = await this.placed.gate.redeem({ facts, request, response });
    const { httpAdapter } = this.host;
    const raw = 'raw' in response ? (response.raw as ServerResponse) : (response as ServerResponse);
    if (raw.headersSent || raw.destroyed) return; // somebody lost patience with the login: what it opened is destroyed
    httpAdapter.setHeader(response, 'Cache-Control', 'no-store');
    httpAdapter.reply(response, status === 204 ? undefined : { statusCode: status, message: REFUSALS[status] }, status);
  }

  private ownAddress(): URL {
    const address = ownAddress(this.host);
    if (address !== undefined) return address;
    this.placed.log.warn('No session was opened: the application listens on no port.');
    throw new McpTicketFault();
  }
}

function rawOf(request: object): IncomingMessage {
  return 'raw' in request ? (request.raw as IncomingMessage) : (request as IncomingMessage);
}
