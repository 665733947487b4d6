/**
 * The application's gates, and what each serves to whom, with the reason for what it does not.
 */
import { Injectable } from '@nestjs/common';
import type { McpCaller } from '../../caller.js';
import { McpGates } from '../../nest/gates.js';
import { everyTool, turnedAwayBecause } from '../../testing/gate-under-test.js';
import { permissionsOf, withheld } from '../../testing/permissions.js';
import { testCaller } from '../../testing/test-caller.js';
import type { McpToolFault } from '../../tools/declarations.js';
import type { McpDeclaredTool } from '../../tools/declared-tool.js';
import { McpToolIndex } from '../../tools/tool-index.js';
import { ApplicationRoutes } from './routes.js';

/** A tool of a gate, as one caller finds it. */
export interface ServedToolFacts {
  readonly name: string;
  readonly gate: string;
  readonly origin: string;
  /** Whether the caller has it. */
  readonly listed: boolean;
  /** What a call may need besides. */
  readonly call: string;
  readonly reason?: string;
  readonly entry: McpDeclaredTool;
}

@Injectable()
export class GatesAndTools {
  constructor(
    private readonly gates: McpGates,
    private readonly routes: ApplicationRoutes,
  ) {}

  get names(): readonly string[] {
    return this.gates.names;
  }

  /** Declarations that no gate serves. */
  get discarded(): readonly McpToolFault[] {
    return this.gates.discarded;
  }

  /** What is told of each gate. */
  async describe(): Promise<object[]> {
    const routes = this.routes.all();
    return Promise.all(
      this.gates.names.map(async (name) => {
        const { settings } = this.gates.get(name);
        const tools = await everyTool({ source: this.gates.source(name) });
        const offers = this.gates.offers(name);
        const [resources, prompts] = [await offers.resources(), await offers.prompts()];
        return {
          name,
          paths: routes.filter(({ gate }) => gate === name).map(({ path }) => path),
          enabled: settings.enabled,
          reach: settings.allowRemote ? 'remote' : 'this machine only',
          callers: callersOf(settings.authorization),
          tools: tools.length,
          resources: resources.entries.length,
          prompts: prompts.entries.length,
          serves: settings.tools === 'discovered' ? 'what the application declares' : 'a list',
          revisions: settings.protocol.versions,
          ...(settings.allowedOrigins.length > 0 && { allowedOrigins: settings.allowedOrigins }),
          ...(settings.unprotectedRoles.length > 0 && { unprotectedRoles: settings.unprotectedRoles }),
        };
      }),
    );
  }

  /** The tools of one gate or of all, as a caller with these scopes and roles finds them. Guards run, handlers do not. */
  async tools(facts: Partial<Pick<McpCaller, 'scopes' | 'roles'>>, only?: string): Promise<ServedToolFacts[]> {
    const names = only === undefined ? this.gates.names : [this.gates.get(only).settings.name];
    const of = async (gate: string): Promise<ServedToolFacts[]> => {
      const { settings } = this.gates.get(gate);
      const declared = new McpToolIndex(await everyTool({ source: this.gates.source(gate) }));
      const caller = testCaller(settings, facts);
      const away = settings.enabled ? turnedAwayBecause(settings, caller) : 'the gate is disabled';
      const cells = away === undefined ? await permissionsOf({ tools: declared, caller, args: new Map() }) : undefined;
      return declared.entries.map((entry) => {
        const { listed, call, reason } = cells?.get(entry.tool.name) ?? withheld(away);
        return {
          name: entry.tool.name,
          gate,
          origin: entry.origin,
          listed,
          call,
          ...(reason !== undefined && { reason }),
          entry,
        };
      });
    };
    return (await Promise.all(names.map(of))).flat();
  }
}

function callersOf(authorization: { readonly anonymous?: boolean } | undefined): string {
  if (authorization === undefined) return 'nobody is authenticated';
  return authorization.anonymous === true ? 'with a token or without' : 'only with a token';
}
