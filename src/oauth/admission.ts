/**
 * May a caller whose token is good still come in: the application's two questions, asked for every request.
 */
import type { McpCaller } from '../caller.js';
import { errorName } from './error-name.js';
import type { McpAuthorizationSettings, McpTokenClaims } from './settings.js';
import { type McpTokenFault, McpTokenRejection } from './token-fault.js';

/** Whether the application has a say about a caller whose token is good. */
export function asksAboutCallers(settings: Pick<McpAuthorizationSettings, 'isRevoked' | 'isAccountActive'>): boolean {
  return settings.isRevoked !== undefined || settings.isAccountActive !== undefined;
}

/**
 * `isRevoked`, then `isAccountActive`. A question that throws, or that is not answered with true or false (a forgotten
 * `return`), refuses and is logged: an outage of the answer is no permission.
 *
 * Does NOT limit how long an answer takes, and remembers none.
 *
 * @throws McpTokenRejection
 */
export async function admitCaller(
  caller: McpCaller,
  claims: McpTokenClaims,
  settings: Pick<McpAuthorizationSettings, 'isRevoked' | 'isAccountActive'>,
  log: { warn(message: string): void },
): Promise<void> {
  const subject = caller.subject ?? '';
  if (settings.isRevoked !== undefined) {
    const revoked = await answer('isRevoked', 'revocation-unknown', log, () => settings.isRevoked?.(claims));
    if (revoked) throw new McpTokenRejection('revoked');
  }
  if (settings.isAccountActive !== undefined) {
    const ask = () => settings.isAccountActive?.(subject, claims);
    const active = await answer('isAccountActive', 'account-unknown', log, ask);
    if (!active) throw new McpTokenRejection('account-inactive');
  }
}

async function answer(
  name: string,
  unknown: McpTokenFault,
  log: { warn(message: string): void },
  ask: () => unknown,
): Promise<boolean> {
  try {
    const given = await ask();
    if (typeof given === 'boolean') return given;
    log.warn(`"${name}" answered with ${typeof given}, not with true or false. The token is refused.`);
  } catch (error) {
    log.warn(`"${name}" threw ${errorName(error)}. The token is refused.`);
  }
  throw new McpTokenRejection(unknown);
}
