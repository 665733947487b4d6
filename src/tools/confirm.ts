/**
 * A tool that asks its user before it runs: the question, and what is said when the answer is not yes.
 */
import { whenThere, type Awaitable } from '../awaitable.js';
import { elicitActionOf, isInputUnavailable, type McpElicitAction, type McpInputRequest } from '../runs/input.js';
import type { McpRun } from '../runs/run.js';
import { McpToolFailure } from './failure.js';
import { MCP_RESERVED_PREFIX } from './own-tool.js';
import type { McpTool } from './tool.js';

const KEY = `${MCP_RESERVED_PREFIX}confirm`;

/**
 * Goes on once the user has agreed; at once for a tool that asks nothing.
 *
 * @throws McpToolFailure when the user has not, or cannot be asked.
 */
export function confirmed<R>(
  tool: McpTool,
  args: Readonly<Record<string, unknown>>,
  run: McpRun,
  goOn: () => Awaitable<R>,
): Awaitable<R> {
  return tool.confirm === undefined ? goOn() : whenThere(agreement(tool, args, run), goOn);
}

async function agreement(tool: McpTool, args: Readonly<Record<string, unknown>>, run: McpRun): Promise<void> {
  let action: McpElicitAction;
  try {
    action = await run.ask(KEY, question(await messageFor(tool, args)));
  } catch (error) {
    if (!isInputUnavailable(error)) throw error;
    throw new McpToolFailure(
      `Tool ${tool.name} was not run: its user must agree first, and this client cannot ask them (it has no elicitation).`,
    );
  }
  if (action === 'accept') return;
  const what = action === 'decline' ? 'The user declined' : 'The user gave no answer';
  throw new McpToolFailure(
    `${what}: tool ${tool.name} was not run, and nothing was changed. Do not call it again unasked.`,
  );
}

async function messageFor({ name, confirm }: McpTool, args: Readonly<Record<string, unknown>>): Promise<string> {
  const message: unknown = typeof confirm === 'function' ? await confirm(args) : confirm;
  if (typeof message === 'string' && message.trim() !== '') return message;
  throw new TypeError(`The confirm function of tool ${name} must give a text that says what the user agrees to.`);
}

/** A form without fields: to send it is to agree. */
function question(message: string): McpInputRequest<McpElicitAction> {
  return {
    needs: 'elicitation',
    prepare: () => ({
      method: 'elicitation/create',
      params: { message, requestedSchema: { type: 'object', properties: {} } },
      read(answer) {
        const value = elicitActionOf(answer);
        return value && { value };
      },
    }),
  };
}
