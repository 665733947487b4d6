/**
 * A tool, or what else a method is, as Nest's guards, interceptors, filters and parameter decorators see it: an execution context of type `'mcp'`
 * whose HTTP request is the gate's, so that what was written for routes works as it is.
 */
import type { ArgumentsHost } from '@nestjs/common';
import type { McpCaller } from '../caller.js';
import type { McpRun } from '../runs/run.js';
import type { McpCompletion } from '../completions/completion.js';
import type { McpPrompt } from '../prompts/prompt.js';
import type { McpResource, McpResourceTemplate } from '../resources/resource.js';
import type { McpTool } from '../tools/tool.js';

/** `context.getType()` for a tool, and for what else a method is. */
export const MCP_CONTEXT_TYPE = 'mcp';

/** What a guard is asked about: exactly one of these. */
export interface McpExecutionSubject {
  readonly tool?: McpTool;
  readonly resource?: McpResource | McpResourceTemplate;
  readonly prompt?: McpPrompt;
  readonly completion?: McpCompletion;
}

/** What an execution context holds beside the HTTP request. */
export class McpExecutionContext {
  constructor(
    private readonly subject: McpExecutionSubject,
    readonly caller: McpCaller,
    /** The HTTP request of the framework; `undefined` on other transports. */
    readonly request: unknown,
    /**
     * The arguments of a call or a prompt, the variables of a template, `{ uri }` of a resource, `{ value, arguments }` of a
     * completion. A guard sees them as they came, and
     * none when the question is about a list.
     */
    readonly args?: Readonly<Record<string, unknown>>,
    /** The run. A guard is asked before there is one. */
    readonly run?: McpRun,
  ) {}

  /** The tool, when it is one. */
  get tool(): McpTool | undefined {
    return this.subject.tool;
  }

  /** The resource or the template of it, when it is one. */
  get resource(): McpResource | McpResourceTemplate | undefined {
    return this.subject.resource;
  }

  /** The prompt, when it is one. */
  get prompt(): McpPrompt | undefined {
    return this.subject.prompt;
  }

  /** The completion, when it is one. */
  get completion(): McpCompletion | undefined {
    return this.subject.completion;
  }

  /** What belongs to the context of a guard, an interceptor, a filter or a parameter decorator; `undefined` on a route. */
  static of(host: ArgumentsHost): McpExecutionContext | undefined {
    const held: unknown = host.getArgByIndex(FRAME_POSITION);
    return held instanceof McpExecutionContext ? held : undefined;
  }
}

const FRAME_POSITION = 3;

/** The arguments of a Nest context: request, response, next, and ours. */
export function contextArguments(frame: McpExecutionContext, response?: unknown): unknown[] {
  return [frame.request, response, undefined, frame];
}
