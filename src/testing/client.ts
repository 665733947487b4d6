/**
 * A client of one gate, for tests: it lists and calls tools as a given caller, in memory. What a tool's permissions,
 * arguments, progress and cancellation do over HTTP, they do here.
 */
import type { INestApplicationContext } from '@nestjs/common';
import type { McpCaller } from '../caller.js';
import { MCP_ERROR } from '../protocol/errors.js';
import { eraOf, type McpEra } from '../protocol/revisions.js';
import type { McpProgressParams } from '../runs/progress.js';
import type { McpPublishedTool } from '../tools/publish.js';
import type { McpCompletionResult } from '../completions/complete.js';
import type { McpCompletionTarget } from '../completions/completion.js';
import type { McpPublishedPrompt } from '../prompts/declared-prompt.js';
import type { McpPromptResult } from '../prompts/prompt.js';
import type { McpPublishedResource, McpPublishedTemplate } from '../resources/publish.js';
import type { CallToolResult, McpResourceContents } from '../tools/result.js';
import { askedThrough, EVERY_CAPABILITY, type McpTestAnswers } from './answering.js';
import { gateUnderTest, turnedAwayBecause } from './gate-under-test.js';
import { exchangeInMemory } from './in-memory-exchange.js';
import { fromWire, spokenVersion, TEST_CLIENT, toWire } from './in-memory-wire.js';
import { testCaller } from './test-caller.js';
import { McpTestError, testErrorOf } from './test-error.js';
import { testRequest } from './test-request.js';

/** Whom a test client speaks for, and to which gate. */
export interface McpTestClientOptions {
  /** The gate's name. @default the application's only one, or the only one that is enabled */
  readonly gate?: string;
  /**
   * Who calls. With a subject, a client, scopes or an expiry it is authenticated unless it says otherwise; the gate's
   * `scopeHierarchy` and `roles` apply to its scopes. @default a stranger
   */
  readonly caller?: Partial<McpCaller>;
  /** Speaks the newest revision of this era that the gate serves. @default 'modern', or 'legacy' when it is the only one */
  readonly era?: McpEra;
  /**
   * Answers what tools ask of their client, which then declares that it can be asked for everything. Without it the client
   * cannot be asked.
   */
  readonly answers?: McpTestAnswers;
  /** What the client declares that it can be asked for. @default everything beside `answers`, else nothing */
  readonly capabilities?: object;
  /** What guards and tools see as the HTTP request; each exchange gets a copy. @default a request with empty `headers` */
  readonly request?: object;
}

/** How far a call has come. */
export type McpTestProgress = Omit<McpProgressParams, 'progressToken'>;

/** What a call is accompanied by. */
export interface McpTestCallOptions {
  /** Hears of progress, thinned as over HTTP: at most every 100 ms, the last value is never lost. */
  readonly onProgress?: (progress: McpTestProgress) => void;
  /** Cancels the call: the run's signal aborts, and the call rejects with this signal's reason. */
  readonly signal?: AbortSignal;
}

/** What a call gave. */
export interface McpTestAnswer {
  /** The result as it would be on the wire, in the shape of the client's revision. */
  readonly result: CallToolResult;
  /** The result's texts, one after the other on lines of their own. */
  readonly text: string;
}

/** Every method rejects with an McpTestError when the gate answers by an error. */
export interface McpTestClient {
  /** The tools that this caller has, as published. */
  list(): Promise<McpPublishedTool[]>;
  /** Calls a tool. A business failure is a result with `isError: true`. */
  call(name: string, args?: object, options?: McpTestCallOptions): Promise<McpTestAnswer>;
  /** The resources that this caller has, as published. */
  listResources(): Promise<McpPublishedResource[]>;
  /** The resource templates that this caller has, as published. */
  listResourceTemplates(): Promise<McpPublishedTemplate[]>;
  /** Reads a resource: its contents, of which there is one unless its method gave several. */
  readResource(uri: string, options?: McpTestCallOptions): Promise<McpResourceContents[]>;
  /** The prompts that this caller has, as published. */
  listPrompts(): Promise<McpPublishedPrompt[]>;
  /** Fills in a prompt. Values are texts, as clients send them. */
  getPrompt(
    name: string,
    args?: Readonly<Record<string, string>>,
    options?: McpTestCallOptions,
  ): Promise<McpPromptResult>;
  /** What fits an argument of a prompt or a variable of a template, with what is typed so far and the others. */
  complete(
    target: McpCompletionTarget,
    value: string,
    others?: Readonly<Record<string, string>>,
    options?: McpTestCallOptions,
  ): Promise<McpCompletionResult>;
  /** What the gate tells an agent before anything else, with the number of tools that wait for authorization. */
  instructions(): Promise<string | undefined>;
}

/**
 * A client of a started application or testing module (`await app.init()`), without a port.
 *
 * Does NOT go through the gate's HTTP route: its guards and middleware, origins, and the check of tokens are not asked.
 *
 * @throws Error for a gate that is not there or not enabled, and for an application that has not started.
 */
export function mcpTestClient(app: INestApplicationContext, options: McpTestClientOptions = {}): McpTestClient {
  const gate = gateUnderTest(app, options.gate);
  const { settings } = gate;
  const caller = testCaller(settings, options.caller);
  const version = spokenVersion(settings, options.era);
  const away = turnedAwayBecause(settings, caller);
  const { answers, capabilities = answers === undefined ? {} : EVERY_CAPABILITY } = options;
  const client = { version, capabilities };
  let asked = 0;

  function ask(method: string, params: object, callOptions?: McpTestCallOptions): Promise<unknown> {
    return askedThrough(params, (sent) => send(method, sent, callOptions), answers);
  }

  async function send(
    method: string,
    params: object,
    { onProgress, signal }: McpTestCallOptions = {},
  ): Promise<unknown> {
    if (away !== undefined) throw turnedAway(away);
    const id = ++asked;
    const failures: unknown[] = [];
    const outcome = await exchangeInMemory(
      toWire(client, { id, method, params }, onProgress && id),
      { gate, caller, request: testRequest(options.request), ...client },
      {
        cancellation: toWire(client, { method: 'notifications/cancelled', params: { requestId: id } }),
        ...(signal && { signal }),
        ...(onProgress && { progress: guarded(onProgress, failures) }),
        ...(answers && { answers }),
      },
    );
    if (failures.length > 0) throw failures[0];
    signal?.throwIfAborted();
    const { body } = outcome.answer;
    if (body === undefined || !('result' in body)) throw await testErrorOf(outcome, method, params, gate);
    return fromWire(body.result);
  }

  /** Every page of a list, one after the other. */
  async function listAll<T>(method: string, member: string): Promise<T[]> {
    const all: T[] = [];
    let cursor: unknown;
    do {
      const page = (await ask(method, cursor === undefined ? {} : { cursor })) as Readonly<Record<string, unknown>>;
      all.push(...(page[member] as T[]));
      cursor = page['nextCursor'];
    } while (cursor !== undefined);
    return all;
  }

  return {
    list: () => listAll<McpPublishedTool>('tools/list', 'tools'),
    async call(name, args = {}, callOptions) {
      const result = (await ask('tools/call', { name, arguments: args }, callOptions)) as CallToolResult;
      return { result, text: textOf(result) };
    },
    listResources: () => listAll<McpPublishedResource>('resources/list', 'resources'),
    listResourceTemplates: () => listAll<McpPublishedTemplate>('resources/templates/list', 'resourceTemplates'),
    readResource: async (uri, readOptions) =>
      ((await ask('resources/read', { uri }, readOptions)) as { contents: McpResourceContents[] }).contents,
    listPrompts: () => listAll<McpPublishedPrompt>('prompts/list', 'prompts'),
    getPrompt: async (name, args = {}, getOptions) =>
      (await ask('prompts/get', { name, arguments: args }, getOptions)) as McpPromptResult,
    async complete(target, value, others = {}, completeOptions) {
      const isPrompt = 'prompt' in target;
      const ref = isPrompt
        ? { type: 'ref/prompt', name: target.prompt }
        : { type: 'ref/resource', uri: target.template };
      const argument = { name: isPrompt ? target.argument : target.variable, value };
      const params = { ref, argument, context: { arguments: others } };
      return ((await ask('completion/complete', params, completeOptions)) as { completion: McpCompletionResult })
        .completion;
    },
    async instructions() {
      const introduction =
        eraOf(version) === 'modern'
          ? await ask('server/discover', {})
          : await ask('initialize', { protocolVersion: version, capabilities: {}, clientInfo: TEST_CLIENT });
      return (introduction as { instructions?: string }).instructions;
    },
  };
}

/** What fails in a test's own listener fails the call, and not the tool that reports. */
function guarded(onProgress: (progress: McpTestProgress) => void, failures: unknown[]) {
  return (params: McpProgressParams): void => {
    const { progressToken: _, ...progress } = params;
    try {
      onProgress(progress);
    } catch (error) {
      failures.push(error);
    }
  };
}

function turnedAway(reason: string): McpTestError {
  const message = `This gate needs a valid access token: ${reason}. Give mcpTestClient() a "caller".`;
  return new McpTestError({ code: MCP_ERROR.invalidRequest, message });
}

function textOf({ content }: CallToolResult): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
