/**
 * Tickets for sessions, and their redemption: a way in for the application's own tools, to act on it by real requests in
 * an account's name. Every refusal is the same, whatever its cause.
 */
import type { McpAccount } from '../account.js';
import { checkMcpAccess, type McpAccessFacts } from '../gate/access.js';
import { causeText } from '../gate/log.js';
import { SYSTEM_CLOCK, type McpClock } from '../runs/clock.js';
import { thrownKind } from '../tools/thrown.js';
import type { McpOpenedSession, McpSessionFlow } from './session-flow.js';
import { TicketBook } from './ticket-book.js';
import { TicketSteps, type McpTicketEvent, type TicketLog } from './ticket-steps.js';

/** The header that carries a ticket. */
export const MCP_TICKET_HEADER = 'x-mcp-session-ticket';

/** How tickets are taken. */
export interface McpTicketSessionSettings {
  /** How whoever holds a ticket proved who he is: what the application's audit says of the session. */
  readonly factor: string;
  /** Only direct requests from this machine redeem a ticket; with `false` others too, but those of web pages. @default true */
  readonly localOnly?: boolean;
  /** The application's login. Without it nothing can be redeemed (503). */
  readonly flow?: McpSessionFlow;
  /** Hears of each step, for the operator: never with a ticket. What it throws is ignored. */
  readonly audit?: (event: McpTicketEvent) => void;
}

/** What a gate is given besides its settings. */
export interface McpTicketSessionParts {
  readonly clock?: Pick<McpClock, 'now'>;
  /** Hears why a ticket was refused, and what the login flow threw. @default nobody does */
  readonly log?: TicketLog;
}

const SILENT = { warn() {}, error() {} };

/** A redemption as the host saw it. */
export interface McpRedemption {
  readonly facts: McpAccessFacts;
  /** The framework's request and response. */
  readonly request: unknown;
  readonly response: unknown;
}

/** Issues tickets and takes them back. */
export interface McpTicketSessionGate {
  /** Whether there is a login flow, without which nothing can be redeemed. */
  readonly canOpen: boolean;
  /**
   * A ticket for an account: single use, good for ten seconds, eight at most wait at a time. `opened` is handed the session.
   *
   * Does NOT check that the account may log in: the login flow does, when the ticket is redeemed.
   *
   * @throws McpTicketFault while eight wait.
   */
  issue(account: McpAccount, opened?: (session: McpOpenedSession) => void): string;
  /**
   * The status of the answer: 204 when a session was opened in this request, 503 without a login flow, else 403. A remote or
   * relayed request is refused before its ticket is looked at. Never rejects.
   */
  redeem(redemption: McpRedemption): Promise<204 | 403 | 503>;
}

/** No session was opened. Says nothing more, to nobody: the audit has the reason. */
export class McpTicketFault extends Error {
  override readonly name = 'McpTicketFault';

  constructor() {
    super('No session could be opened for this account.');
  }
}

interface Ticketed {
  readonly account: McpAccount;
  readonly opened: ((session: McpOpenedSession) => void) | undefined;
}

/**
 * A gate for ticket sessions.
 *
 * Does NOT decide who may have a ticket: whoever holds the gate may issue one for any account.
 *
 * @throws TypeError when `factor` is missing, or another setting is not what it must be.
 */
export function defineTicketSessionGate(
  settings: McpTicketSessionSettings,
  { clock = SYSTEM_CLOCK, log = SILENT }: McpTicketSessionParts = {},
): McpTicketSessionGate {
  const { factor, localOnly = true, flow } = settings;
  if (typeof factor !== 'string' || factor.trim() === '') {
    throw new TypeError('"factor" must say how the account proved itself, for the audit: factor: "mcp-token".');
  }
  if (typeof localOnly !== 'boolean') throw new TypeError('"localOnly" must be true or false.');
  if (flow !== undefined && typeof (flow as Partial<McpSessionFlow> | null)?.open !== 'function') {
    throw new TypeError('"flow" must be an McpSessionFlow, which has open(): storedSessionFlow(…) makes one.');
  }
  const rules = { allowRemote: !localOnly, allowedOrigins: [] };
  const book = new TicketBook<Ticketed>(clock);
  const steps = new TicketSteps(settings, log);

  async function login(
    by: McpSessionFlow,
    { account, opened }: Ticketed,
    redemption: McpRedemption,
  ): Promise<204 | 403> {
    const { request, response } = redemption;
    if (!account.active) return steps.refuse('the account is not active', account);
    let destroy: (() => Promise<void>) | undefined;
    try {
      const session = await by.open({ account, factor, request, response });
      if (session === undefined) return steps.refuse('the login flow refused', account);
      destroy = () => end(session, account);
      steps.tell('opened', account);
      const { headers } = session;
      opened?.({ ...(headers && { headers }), destroy });
      return 204;
    } catch (error) {
      log.error(`The login flow failed: ${causeText(error)}`);
      await destroy?.(); // or one would stand that nobody knows of
      return steps.refuse(`the login flow threw ${thrownKind(error)}`, account);
    }
  }

  async function end(session: McpOpenedSession, account: McpAccount): Promise<void> {
    try {
      await session.destroy();
      steps.tell('closed', account);
    } catch (error) {
      steps.tell('closed', account, `it could not be destroyed: ${thrownKind(error)}`);
      log.error(`A session could not be destroyed: ${causeText(error)}`);
    }
  }

  return {
    canOpen: flow !== undefined,
    issue(account, opened) {
      const ticket = book.issue({ account, opened });
      if (ticket === undefined) {
        steps.refuse('eight tickets wait already', account);
        throw new McpTicketFault();
      }
      steps.tell('issued', account);
      return ticket;
    },
    async redeem(redemption) {
      const { facts } = redemption;
      const shut = checkMcpAccess(facts, rules);
      if (shut !== undefined) return steps.refuse('the request is remote, relayed or from a web page');
      if (flow === undefined) {
        steps.refuse('there is no login flow: give the setting "flow"');
        return 503;
      }
      const ticket = facts.headers[MCP_TICKET_HEADER];
      const ticketed = typeof ticket === 'string' ? book.redeem(ticket) : undefined;
      return ticketed === undefined
        ? steps.refuse('the ticket is unknown, used or expired')
        : login(flow, ticketed, redemption);
    },
  };
}
