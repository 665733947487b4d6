/**
 * A caller that a test names, with what the gate would grant to its token.
 */
import { establishCaller, type McpCaller } from '../caller.js';
import type { ResolvedGateSettings } from '../gate/settings.js';
import { createGrants } from '../oauth/grants.js';

/**
 * The caller: authenticated when it has a subject, a client, scopes or an expiry, unless it says otherwise. The gate's
 * scope hierarchy and roles apply to the scopes as they do to those of a token.
 */
export function testCaller(
  { authorization, unprotectedRoles }: ResolvedGateSettings,
  facts: Partial<McpCaller> = {},
): McpCaller {
  const { subject, clientId, expiresAt, scopes = [], roles = [] } = facts;
  const credential = subject !== undefined || clientId !== undefined || expiresAt !== undefined || scopes.length > 0;
  const granted = createGrants(authorization ?? {})({ scope: scopes });
  return establishCaller({
    ...facts,
    authenticated: facts.authenticated ?? credential,
    scopes: granted.scopes,
    roles: [...new Set([...unprotectedRoles, ...granted.roles, ...roles])],
  });
}
