/**
 * `nestjs-mcp-gate/ticket-session`: real requests at the application, in an account's name.
 */
export {
  McpTicketSessionModule,
  type McpTicketSessionAsyncOptions,
  type McpTicketSessionOptions,
} from './ticket-session.module.js';
export { McpTicketSessions } from './ticket-sessions.js';
export type { McpTicketSession } from './acting-session.js';
export type { McpOpenedSession, McpSessionFlow, McpSessionLogin } from './session-flow.js';
export { storedSessionFlow } from './stored-session.flow.js';
export {
  defineTicketSessionGate,
  MCP_TICKET_HEADER,
  McpTicketFault,
  type McpRedemption,
  type McpTicketSessionGate,
  type McpTicketSessionSettings,
} from './ticket-session-gate.js';
export type { McpTicketEvent } from './ticket-steps.js';
export { MCP_TICKET_TTL_MS, MCP_TICKETS_PENDING_MAX } from './ticket-book.js';
