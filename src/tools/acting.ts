/**
 * A tool that acts for a user runs in an account's name, or not at all (A5).
 */
import type { Awaitable } from '../awaitable.js';
import type { McpAccount, McpAccountResolver } from '../account.js';
import type { McpCaller } from '../caller.js';
import { McpToolFailure } from './failure.js';
import { businessMessage } from './http-exception.js';
import type { McpTool } from './tool.js';

/** No resolver is there to find accounts: a fault of the set-up, for the log at FATAL. The message is the agent's. */
export class McpAccountsMissing extends McpToolFailure {
  override name = 'McpAccountsMissing';
  /** What the operator is told. */
  readonly alarm = new Error(
    'Nothing finds the account behind a caller. Give the gate the setting "accounts": (caller) => the account.',
  );
}

interface ActingParties {
  readonly caller: McpCaller;
  readonly accounts?: McpAccountResolver;
}

interface Acting {
  readonly caller: McpCaller;
  readonly account?: McpAccount;
}

/**
 * Who the handler works for: the caller as it is, or, for a tool that acts for a user, the caller with the roles of the
 * account behind it.
 *
 * @throws McpToolFailure with ONE message for an account that is missing, locked or disabled; what the resolver throws
 * when it cannot tell.
 */
export function actingFor(tool: McpTool, parties: ActingParties): Awaitable<Acting> {
  return tool.actsForUser === true ? inTheNameOf(tool, parties) : { caller: parties.caller };
}

async function inTheNameOf(tool: McpTool, { caller, accounts }: ActingParties): Promise<Acting> {
  const refusal = `Tool ${tool.name} can not act for the account behind this token.`;
  if (accounts === undefined) throw new McpAccountsMissing(refusal);
  const account = await find(accounts, caller);
  if (account?.active !== true) throw new McpToolFailure(refusal);
  return { account, caller: Object.freeze({ ...caller, roles: Object.freeze([...account.roles]) }) };
}

/** The account. A resolver may say by a 4xx exception that there is none; in which words is not for the agent. */
async function find(accounts: McpAccountResolver, caller: McpCaller): Promise<McpAccount | undefined> {
  try {
    return await accounts(caller);
  } catch (error) {
    if (error instanceof McpToolFailure || businessMessage(error) !== undefined) return undefined;
    throw error;
  }
}
