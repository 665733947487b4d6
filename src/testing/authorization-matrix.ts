/**
 * Who sees and may call what, as one table to look at and to keep as a snapshot.
 */
import type { INestApplicationContext } from '@nestjs/common';
import type { McpCaller } from '../caller.js';
import { nearestName } from '../tools/nearest-name.js';
import { McpToolIndex } from '../tools/tool-index.js';
import { everyTool, gateUnderTest, turnedAwayBecause } from './gate-under-test.js';
import { matrixTable } from './matrix-table.js';
import { permissionsOf, withheld, type McpMatrixCell } from './permissions.js';
import { testCaller } from './test-caller.js';

/** How a matrix is made. */
export interface McpMatrixOptions<Name extends string = string> {
  /** The gate's name. @default the application's only one, or the only one that is enabled */
  readonly gate?: string;
  /** Arguments of a call, by the tool's name, for tools whose `scopesFor` or guards look at them. */
  readonly arguments?: Readonly<Record<string, object>>;
  /** What guards see as the HTTP request, by the caller's name. @default a request with empty `headers` */
  readonly requests?: Readonly<Partial<Record<Name, object>>>;
}

/** Tools by name, in alphabetical order; in each the callers, in the order they were given. */
export interface McpAuthorizationMatrix<Name extends string = string> {
  readonly tools: Readonly<Record<string, Readonly<Record<Name, McpMatrixCell>>>>;
  /** An aligned table, for a snapshot. */
  toString(): string;
}

/**
 * For each caller: which tools of the gate it sees, which it may call, and for which it is challenged. Callers are
 * completed as those of `mcpTestClient`.
 *
 * Guards and `scopesFor` run; handlers never do, and accounts are not looked up.
 *
 * @throws Error for arguments that their tool would refuse, and for everything that `mcpTestClient` throws for.
 */
export async function authorizationMatrix<Name extends string>(
  app: INestApplicationContext,
  callers: Readonly<Record<Name, Partial<McpCaller>>>,
  options: McpMatrixOptions<Name> = {},
): Promise<McpAuthorizationMatrix<Name>> {
  const gate = gateUnderTest(app, options.gate);
  // Asked for once: every caller is asked about the same tools.
  const tools = new McpToolIndex((await everyTool(gate)).toSorted((a, b) => (a.tool.name < b.tool.name ? -1 : 1)));
  const args = new Map(Object.entries(options.arguments ?? {}));
  for (const name of args.keys()) checkToolName(name, tools);
  const names = Object.keys(callers) as Name[];
  for (const name of Object.keys(options.requests ?? {})) checkCallerName(name, names);

  const columns = new Map<Name, ReadonlyMap<string, McpMatrixCell>>();
  for (const name of names) {
    const caller = testCaller(gate.settings, callers[name]);
    const away = turnedAwayBecause(gate.settings, caller);
    const request: object | undefined = options.requests?.[name];
    const cells =
      away === undefined
        ? await permissionsOf({ tools, caller, args, ...(request && { request }) })
        : new Map(tools.entries.map(({ tool }) => [tool.name, withheld(away)]));
    columns.set(name, cells);
  }

  const rows = tools.entries.map(({ tool }) => {
    const cells = names.map((name) => [name, columns.get(name)?.get(tool.name)]);
    return [tool.name, Object.fromEntries(cells) as Record<Name, McpMatrixCell>] as const;
  });
  const matrix = { tools: Object.fromEntries(rows) };
  // Not enumerable, so that the structure compares as plain data.
  return Object.defineProperty(matrix, 'toString', { value: () => matrixTable(names, rows) });
}

function checkToolName(name: string, tools: McpToolIndex): void {
  if (tools.get(name) !== undefined) return;
  const known = tools.entries.map(({ tool }) => tool.name);
  throw new Error(`"arguments" names "${name}", which is no tool of the gate.${suggestion(name, known)}`);
}

function checkCallerName(name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  throw new Error(`"requests" names "${name}", which is none of the callers.${suggestion(name, known)}`);
}

function suggestion(name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  return near === undefined ? ` Known are: ${known.join(', ') || 'none'}.` : ` Did you mean "${near}"?`;
}
