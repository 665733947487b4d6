/**
 * The reads that the application declares, found as tools are and checked as tools are: who may have one, and with which
 * arguments, is the same rule.
 */
import { Injectable, Logger } from '@nestjs/common';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import { MethodEnhancers } from '../../nest/enhancers.js';
import { isPending, prototypeOf } from '../../nest/explorer.js';
import { toMethodTool } from '../../nest/method-tool.js';
import { readToolDecoration, type McpToolDecoration } from '../../nest/tool.decorator.js';
import { ToolHost } from '../../nest/tool-host.js';
import { McpDeclarationError, type McpToolFault } from '../../tools/declarations.js';
import { declareMcpTools } from '../../tools/declare.js';
import { settleToolValue } from '../../tools/settle.js';
import { dtosExist, loadDtoSupport } from '../../tools/schemas/dto.js';
import type { McpToolIndex } from '../../tools/tool-index.js';
import type { McpToolEntry } from '../../tools/tool.js';
import { whenThere } from '../../awaitable.js';
import { answer } from '../answer.js';
import { isCallToolResult } from '../../tools/result.js';
import { readAdminRead, type AdminReadDeclaration } from './admin-read.decorator.js';

@Injectable()
export class AdminReads {
  private readonly log = new Logger('McpDevkit');
  private readonly warned = new Set<string>();
  private found: McpToolIndex | undefined;
  private modulesSeen = 0;

  constructor(
    private readonly modules: ModulesContainer,
    private readonly scanner: MetadataScanner,
  ) {}

  /** All of them: the same index until a module is loaded lazily. A bad declaration is told to the log and left out. */
  async all(): Promise<McpToolIndex> {
    if (this.found !== undefined && this.modulesSeen === this.modules.size) return this.found;
    const readDto = dtosExist() ? await loadDtoSupport() : () => undefined;
    const enhancers = new MethodEnhancers(this.modules);
    const entries: McpToolEntry[] = [];
    const report = (fault: McpToolFault) => this.warnOnce(new McpDeclarationError(fault).message);
    const read = (host: ToolHost, name: string) => {
      const method = (host.prototype as Record<string, object>)[name]!;
      const declared = readAdminRead(method);
      if (declared === undefined) return;
      const made = toMethodTool(host, name, asTool(declared, readToolDecoration(method)), enhancers, readDto);
      if ('fault' in made) report(made.fault);
      else entries.push(masked(made.entry));
    };
    let pending = false;
    const seen = new Set<object>();
    for (const module of this.modules.values()) {
      if (isPending(module)) pending = true;
      for (const wrapper of [...module.providers.values(), ...module.controllers.values()]) {
        const prototype = wrapper.isAlias ? undefined : prototypeOf(wrapper);
        if (prototype === undefined || prototype === Object.prototype || seen.has(prototype)) continue;
        seen.add(prototype); // a class that several modules provide declares its reads once, as with tools
        const host = new ToolHost(wrapper as InstanceWrapper<object>, prototype);
        for (const name of this.scanner.getAllMethodNames(prototype)) read(host, name);
      }
    }
    this.modulesSeen = pending ? 0 : this.modules.size;
    return (this.found = declareMcpTools(entries, { report }));
  }

  private warnOnce(sentence: string): void {
    if (this.warned.has(sentence)) return;
    this.warned.add(sentence);
    this.log.warn(`Not served as a read: ${sentence}`);
  }
}

/** A read, and what else stands on its method to say who may have it. */
function asTool(
  declared: AdminReadDeclaration,
  { scopes, requiresAuth, scopesFor, actsForUser, confirm }: McpToolDecoration = {},
) {
  return {
    ...declared,
    annotations: { readOnlyHint: true, openWorldHint: false },
    ...(scopes !== undefined && { scopes }),
    ...(requiresAuth !== undefined && { requiresAuth }),
    ...(scopesFor !== undefined && { scopesFor }),
    ...(actsForUser !== undefined && { actsForUser }),
    ...(confirm !== undefined && { confirm }),
  };
}

/** The same read, whose value loses its secrets before it becomes a text. Of a result that it makes itself, the call takes them. */
function masked(entry: McpToolEntry): McpToolEntry {
  const { tool } = entry;
  const handler: typeof tool.handler = (args, caller, run) =>
    whenThere(settleToolValue(tool.handler(args, caller, run), run), (value) =>
      value === undefined || isCallToolResult(value) ? value : answer(value),
    );
  return { ...entry, tool: { ...tool, handler } };
}
