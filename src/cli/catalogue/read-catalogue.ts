/**
 * The tools of one gate as one caller would find them. Who may have what is the catalogue's word, through the same
 * question that the matrix of permissions asks.
 */
import type { INestApplicationContext } from '@nestjs/common';
import type { McpCaller } from '../../caller.js';
import { McpGates } from '../../nest/gates.js';
import { everyTool, turnedAwayBecause, type GateUnderTest } from '../../testing/gate-under-test.js';
import { permissionsOf, withheld, type McpMatrixCell } from '../../testing/permissions.js';
import { testCaller } from '../../testing/test-caller.js';
import { checkMcpAnnotations } from '../../tools/annotations.js';
import type { McpToolFault } from '../../tools/declarations.js';
import type { McpDeclaredTool } from '../../tools/declared-tool.js';
import { checkMcpPortability } from '../../tools/portability.js';
import { McpToolIndex } from '../../tools/tool-index.js';
import { estimatedTokens } from './estimated-tokens.js';

/** What a check says of a tool. */
export interface CatalogueFault {
  readonly check: 'annotations' | 'portability';
  readonly message: string;
}

/** One tool; `call` and `reason` are those of the matrix of permissions. */
export interface CatalogueTool extends Pick<McpMatrixCell, 'listed' | 'call' | 'reason'> {
  readonly name: string;
  /** Where it is declared. */
  readonly origin: string;
  readonly tokens: number;
  readonly faults: readonly CatalogueFault[];
}

/** A gate's catalogue, for one caller. */
export interface CatalogueReport {
  readonly gate: string;
  /** As the gate would have established it. */
  readonly caller: McpCaller;
  /** No check has found anything, and no declaration was discarded. */
  readonly sound: boolean;
  /** Of all tools that the caller has. */
  readonly tokens: number;
  /** In the order in which a client is told of them; those that the caller has not are among them. */
  readonly tools: readonly CatalogueTool[];
  /** Declarations of the application that no gate serves. */
  readonly discarded: readonly McpToolFault[];
}

/** Reads the catalogue. Guards run, handlers do not. `portability: false` leaves that check out. */
export async function readCatalogue(
  app: INestApplicationContext,
  gate: GateUnderTest,
  facts: Partial<McpCaller>,
  { portability }: { readonly portability: boolean },
): Promise<CatalogueReport> {
  const { settings } = gate;
  const caller = testCaller(settings, facts);
  const declared = new McpToolIndex(await everyTool(gate));
  const away = turnedAwayBecause(settings, caller);
  const cells =
    away === undefined ? await permissionsOf({ tools: declared, caller, args: new Map() }) : new Map<string, never>();
  const tools = declared.entries.map((entry): CatalogueTool => {
    const { listed, call, reason } = cells.get(entry.tool.name) ?? withheld(away);
    return {
      name: entry.tool.name,
      origin: entry.origin,
      listed,
      call,
      ...(reason !== undefined && { reason }),
      tokens: estimatedTokens(entry.published),
      faults: faultsOf(entry, settings.name, portability),
    };
  });
  const { discarded } = app.get(McpGates, { strict: false });
  return {
    gate: settings.name,
    caller,
    sound: discarded.length === 0 && tools.every(({ faults }) => faults.length === 0),
    tokens: tools.reduce((sum, { listed, tokens }) => (listed ? sum + tokens : sum), 0),
    tools,
    discarded,
  };
}

function faultsOf({ tool, published }: McpDeclaredTool, server: string, portability: boolean): CatalogueFault[] {
  const annotations = checkMcpAnnotations(tool);
  const portable = portability ? checkMcpPortability(published, { server }) : [];
  return [
    ...annotations.map((message) => ({ check: 'annotations' as const, message })),
    ...portable.map((message) => ({ check: 'portability' as const, message })),
  ];
}
