/**
 * `nest_admin_list` and `nest_admin_call`: what the application lets its administrators read, as ONE pair of tools, so that a
 * catalogue of hundreds of reads costs a client no more than two.
 */
import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { McpCaller } from '../../caller.js';
import { Annotations, McpTool, RequireScopes } from '../../nest/tool.decorator.js';
import { currentAmbient } from '../../runs/ambient.js';
import type { McpRun } from '../../runs/run.js';
import { callMcpTool } from '../../tools/call.js';
import { collectMcpTools, type McpCatalogue } from '../../tools/catalogue.js';
import type { McpDeclaredTool } from '../../tools/declared-tool.js';
import { McpToolFailure } from '../../tools/failure.js';
import { insufficientScopeMessage } from '../../tools/scopes.js';
import { answer } from '../answer.js';
import { bounded } from '../bounded.js';
import { callingGate } from '../project/calling-gate.js';
import { maskSecrets } from '../secrets/mask.js';
import { AdminReads } from './admin-reads.js';
import { AdminRun } from './admin-run.js';
import { maskedResult } from './masked-result.js';

/** The scope that both tools ask for. */
export const ADMIN_READ_SCOPE = 'admin:read';

@Injectable()
export class AdminTools {
  constructor(
    private readonly reads: AdminReads,
    private readonly modules: ModuleRef,
  ) {}

  @McpTool({
    name: 'nest_admin_list',
    title: 'Reads of the administration',
    description:
      'What this application lets its administrators read, with the arguments of each: for nest_admin_call. Narrow with filter.',
    inputSchema: {
      type: 'object',
      properties: {
        filter: { type: 'string', maxLength: 200, description: 'Words that name or description must hold.' },
      },
      additionalProperties: false,
    },
  })
  @Annotations({ readOnlyHint: true, openWorldHint: false })
  @RequireScopes(ADMIN_READ_SCOPE)
  async list({ filter }: { filter?: string }, caller: McpCaller): Promise<unknown> {
    const catalogue = await this.catalogue(caller);
    const visible = await catalogue.list();
    const { items, total, more } = bounded(visible.map(tellRead), {
      of: 'reads',
      filter,
      text: ({ name, description }) => `${name} ${description}`,
    });
    return answer({
      reads: items,
      total,
      ...(more !== undefined && { more }),
      ...(total === 0 && {
        note: 'There is none that you may have. A read is a method with @AdminRead(); scopes and guards on it say who has it.',
      }),
    });
  }

  @McpTool({
    name: 'nest_admin_call',
    title: 'Read of the administration',
    description: 'Runs one of the reads that nest_admin_list names, with its arguments.',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 64, description: 'As nest_admin_list says it.' },
        arguments: { type: 'object', additionalProperties: true, description: 'What the read takes.' },
      },
      required: ['name'],
      additionalProperties: false,
    },
  })
  @Annotations({ readOnlyHint: true, openWorldHint: false })
  @RequireScopes(ADMIN_READ_SCOPE)
  async call(
    { name, arguments: args = {} }: { name: string; arguments?: Record<string, unknown> },
    caller: McpCaller,
    run: McpRun,
  ): Promise<unknown> {
    const catalogue = await this.catalogue(caller);
    const found = await catalogue.find(name, args);
    // One answer, whether there is no such read or none for this caller (as T12 has it for tools).
    if (found === undefined)
      throw new McpToolFailure(`Unknown read: ${name}. nest_admin_list names those that there are.`);
    const accounts = callingGate(this.modules)?.settings.accounts;
    const outcome = await callMcpTool(found, args, { caller, ...(accounts && { accounts }) }, new AdminRun(run));
    if (outcome.kind === 'fault') throw outcome.error;
    if (outcome.kind === 'insufficient_scope') throw new McpToolFailure(insufficientScopeMessage(name, outcome.scopes));
    return maskedResult(outcome.result);
  }

  private async catalogue(caller: McpCaller): Promise<McpCatalogue> {
    const index = await this.reads.all();
    return collectMcpTools({ fixed: () => index }, { caller, request: currentAmbient()?.request });
  }
}

interface ToldArgument {
  readonly argument: string;
  readonly required?: true;
  readonly schema: unknown;
}

interface ToldRead {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly ToldArgument[];
}

/** Arguments as a list: the name of one does not make what is said of it a secret. */
function tellRead({ published }: McpDeclaredTool): ToldRead {
  const { name, description, inputSchema } = published;
  const { properties = {}, required = [] } = inputSchema as { properties?: object; required?: readonly string[] };
  const told = Object.entries(properties).map(([argument, schema]: [string, unknown]): ToldArgument => {
    return { argument, ...(required.includes(argument) && { required: true as const }), schema };
  });
  return maskSecrets({ name, description, arguments: told }) as ToldRead; // a filter looks at it
}
