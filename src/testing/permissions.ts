/**
 * What one caller may do with each tool. Nothing is decided here: what is listed and what exists for a call is the
 * catalogue's word, and what a call needs is the call's own, taken up to its handler and not into it.
 */
import type { McpAccount } from '../account.js';
import type { Awaitable } from '../awaitable.js';
import type { McpCaller } from '../caller.js';
import { McpOpenRun } from '../runs/open-run.js';
import { callMcpTool } from '../tools/call.js';
import { collectMcpTools, type McpCatalogue } from '../tools/catalogue.js';
import type { McpDeclaredTool } from '../tools/declared-tool.js';
import { McpToolIndex } from '../tools/tool-index.js';
import { testRequest } from './test-request.js';

/** What one caller may do with one tool. */
export interface McpMatrixCell {
  /** Whether `tools/list` shows the tool to this caller. */
  readonly listed: boolean;
  /**
   * What becomes of a call:
   * - `allowed`: it reaches the tool
   * - `by-arguments`: it does unless `scopesFor` asks for more; give `arguments` to see
   * - `challenged`: the caller is asked for `scopes`, all that the call needs
   * - `withheld`: the tool does not exist for it
   * - `failing`: what decides about it fails, or does not answer within five seconds, so it is refused
   */
  readonly call: 'allowed' | 'by-arguments' | 'challenged' | 'withheld' | 'failing';
  readonly scopes?: readonly string[];
  /** Why it is withheld or fails. */
  readonly reason?: string;
}

/** Who asks, about which tools, with which arguments by the tool's name, in a request like which. */
export interface PermissionQuestion {
  readonly tools: McpToolIndex;
  readonly caller: McpCaller;
  readonly args: ReadonlyMap<string, object>;
  readonly request?: object;
}

/** How long a guard is waited for. A gate itself waits as long as `maxRunMs` says, and who asks here needs an answer. */
const PATIENCE_SEC = 5;

/** A cell for each tool, by its name. */
export async function permissionsOf(question: PermissionQuestion): Promise<Map<string, McpMatrixCell>> {
  const cells = await Promise.all(
    question.tools.entries.map(async (entry) => [entry.tool.name, await cellOf(entry, question)] as const),
  );
  return new Map(cells);
}

async function cellOf(entry: McpDeclaredTool, question: PermissionQuestion): Promise<McpMatrixCell> {
  const { tool } = entry;
  // A list of this tool alone: a guard that never answers holds up no other tool's cell.
  const { catalogue, reasons } = collect({ ...question, tools: new McpToolIndex([entry]) });
  const list = await inTime(catalogue.list());
  const listed = list !== undefined && list.length > 0;
  const args = question.args.get(tool.name);
  if (args !== undefined) return { listed, ...(await callOf(tool.name, args, question)) };
  if (list === undefined) return { listed, ...UNANSWERED };
  return listed
    ? { listed, call: tool.scopesFor === undefined ? 'allowed' : 'by-arguments' }
    : withheld(reasons.get(tool.name));
}

/** The cell of a tool that is neither listed nor callable. */
export function withheld(reason = 'the catalogue gave no reason'): McpMatrixCell {
  return { listed: false, call: 'withheld', reason };
}

const UNANSWERED = { call: 'failing', reason: `a guard did not answer within ${PATIENCE_SEC} seconds` } as const;

/** What is decided, or `undefined` when that takes too long. */
async function inTime<T extends object>(decision: Awaitable<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE_SEC * 1_000);
  });
  try {
    return await Promise.race([decision, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The catalogue of one exchange, and why it withholds what it does. */
function collect({ tools, caller, request }: PermissionQuestion): {
  catalogue: McpCatalogue;
  reasons: ReadonlyMap<string, string>;
} {
  const reasons = new Map<string, string>();
  const onWithheld = ({ name }: { readonly name: string }, reason: string) => void reasons.set(name, reason);
  const source = { fixed: () => tools };
  return { catalogue: collectMcpTools(source, { caller, request: testRequest(request), onWithheld }), reasons };
}

async function callOf(
  name: string,
  args: object,
  question: PermissionQuestion,
): Promise<Omit<McpMatrixCell, 'listed'>> {
  const { catalogue, reasons } = collect(question);
  const given = args as Record<string, unknown>;
  const found = await inTime(Promise.resolve(catalogue.find(name, given)).then((entry) => ({ entry })));
  if (found === undefined) return UNANSWERED;
  const { entry } = found;
  if (entry === undefined) return { call: 'withheld', reason: reasons.get(name) ?? withheld().reason! };

  let reached = false;
  const probe = withHandler(entry, () => void (reached = true));
  const run = new McpOpenRun({ id: 'authorization matrix' });
  const outcome = await callMcpTool(probe, given, { caller: question.caller, accounts: () => ANY_ACCOUNT }, run);
  run.end();
  if (reached) return { call: 'allowed' };
  if (outcome.kind === 'insufficient_scope') return { call: 'challenged', scopes: outcome.scopes };
  if (outcome.kind === 'fault') return { call: 'failing', reason: messageOf(outcome.error) };
  const refusal = outcome.result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  throw new Error(`The arguments given for "${name}" are refused before permissions are looked at. ${refusal}`);
}

/** The tool with another handler: everything that comes before the handler stays the tool's own. */
function withHandler(entry: McpDeclaredTool, handler: () => void): McpDeclaredTool {
  const tool: unknown = Object.create(entry.tool, { handler: { value: handler } });
  return Object.create(entry, { tool: { value: tool } }) as McpDeclaredTool;
}

/** Accounts are the application's data: whether one exists is no matter of permissions. */
const ANY_ACCOUNT: McpAccount = { id: 'authorization matrix', roles: [], active: true };

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
