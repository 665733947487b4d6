/**
 * What is printed once both servers are open: how a client connects, and who can sign in.
 */
import { USERS } from './users.js';

export function connectionNote(issuer: string, gates: readonly string[]): string {
  return [
    `Their tokens come from the authorization server at ${issuer}, which a client finds by itself:`,
    '',
    ...gates.map((gate) => `claude mcp add --transport http ${nameOf(gate)} ${gate}`),
    '',
    'Sign in, in the browser that the client opens, as',
    ...USERS.map(({ id, name, part, scopes }) => `- ${name} (${id}), ${part}: ${scopes.join(', ')}`),
    '',
  ].join('\n');
}

/** `http://127.0.0.1:3000/mcp/account` is called shop-account. */
function nameOf(gate: string): string {
  return `shop-${gate.slice(gate.lastIndexOf('/') + 1)}`;
}
