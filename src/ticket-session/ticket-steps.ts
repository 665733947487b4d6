/**
 * What the operator hears of tickets: each step in the audit, the cause of each refusal in the log too. Never a ticket.
 */
import type { McpAccount } from '../account.js';

/** A step in the life of a ticket. */
export interface McpTicketEvent {
  readonly kind: 'issued' | 'opened' | 'refused' | 'closed';
  readonly factor: string;
  /** The account's id, where one is known. */
  readonly account?: string;
  /** Why it was refused, or could not be destroyed. For the operator alone. */
  readonly reason?: string;
}

/** Where causes are written. */
export interface TicketLog {
  warn(message: string): void;
  error(message: string): void;
}

/** Tells of each step. */
export class TicketSteps {
  constructor(
    private readonly told: { readonly factor: string; readonly audit?: (event: McpTicketEvent) => void },
    private readonly log: TicketLog,
  ) {}

  tell(kind: McpTicketEvent['kind'], account?: McpAccount, reason?: string): void {
    const { factor, audit } = this.told;
    try {
      audit?.({ kind, factor, ...(account && { account: account.id }), ...(reason && { reason }) });
    } catch {
      // an audit that fails tells nobody why a ticket was refused
    }
  }

  /** The status of every refusal. */
  refuse(reason: string, account?: McpAccount): 403 {
    this.tell('refused', account, reason);
    this.log.warn(`A session was refused: ${reason}.`);
    return 403;
  }
}
