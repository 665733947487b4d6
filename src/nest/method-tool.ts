/**
 * A decorated method, turned into the plain object that a user could have written by hand. Nothing downstream knows where
 * it came from (T1).
 */
import { currentAmbient } from '../runs/ambient.js';
import { isSaid } from '../tools/declaration-checks.js';
import type { McpToolFault } from '../tools/declarations.js';
import type { ReadDto } from '../tools/schemas/dto.js';
import type { McpAdmission, McpTool, McpToolEntry } from '../tools/tool.js';
import type { BoundMethod, MethodEnhancers } from './enhancers.js';
import { McpExecutionContext } from './execution.js';
import { readToolInput, type ToolInput } from './input.js';
import { compileCall } from './invoker.js';
import { callOf, guardRule } from './method-call.js';
import { isOwnHost } from './own-hosts.js';
import { readSignature } from './signature.js';
import type { McpToolDecoration } from './tool.decorator.js';
import type { ToolHost } from './tool-host.js';

/** A method as a tool, with what its published schema loses of its type. */
export interface MethodTool {
  readonly entry: McpToolEntry;
  readonly lost: readonly string[];
}

type Method = BoundMethod['method'];

/** The tool of one decorated method, or why it cannot be one. */
export function toMethodTool(
  host: ToolHost,
  name: string,
  decoration: McpToolDecoration,
  enhancers: MethodEnhancers,
  readDto: ReadDto | undefined,
): MethodTool | { readonly fault: McpToolFault } {
  const origin = `${host.name}.${name}`;
  const refuse = (reason: string) => ({ fault: { origin, ...(decoration.name && { name: decoration.name }), reason } });
  if (!('name' in decoration)) {
    return refuse('it has decorators of a tool but no @McpTool(), so it is none: add @McpTool() or remove them.');
  }
  const signature = readSignature(host.prototype, name);
  if ('fault' in signature) return refuse(signature.fault);
  const input = readToolInput(signature, decoration.inputSchema, readDto);
  if ('fault' in input) return refuse(input.fault);

  const method = (host.prototype as Record<string, Method>)[name]!;
  const call = callOf(host, method, (bound) => compileCall(enhancers, bound, signature));
  const tool: McpTool = {
    ...(decoration as McpTool),
    ...confirmation(decoration, input),
    inputSchema: input.schema,
    handler(args, caller, run) {
      const invoke = (taken: object) =>
        call(
          new McpExecutionContext({ tool }, caller, currentAmbient()?.request, taken as Record<string, unknown>, run),
        );
      return input.parse === undefined ? invoke(args) : input.parse(args).then(invoke);
    },
  };
  const rule = guardRule(host, method, enhancers);
  const admits = rule && (({ caller, request, args }: McpAdmission) => rule({ tool }, { caller, request, args }));
  const own = isOwnHost(host.type) && { own: true as const };
  return { entry: { tool, origin, ...own, ...(admits && { admits }) }, lost: input.lost };
}

/** The user is not asked about arguments that their class refuses, and what asks is given an instance of it. */
function confirmation({ confirm }: McpToolDecoration, { parse }: ToolInput): Pick<McpTool, 'confirm'> | undefined {
  if (parse === undefined || !isSaid(confirm)) return undefined;
  return {
    async confirm(args) {
      const taken = await parse(args);
      return typeof confirm === 'function' ? confirm(taken as typeof args) : confirm;
    },
  };
}
