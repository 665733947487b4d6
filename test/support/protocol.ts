/**
 * The protocol without a server: a message and what a transport would know of it in, an answer out. Whatever comes out
 * is held against the official schemas, in every test.
 */
import { ANONYMOUS_CALLER, type McpCaller } from '../../src/caller.js';
import type { McpAnswer, McpMessageContext, McpServerFacts, McpServerFault } from '../../src/protocol/context.js';
import { handleMcpMessage } from '../../src/protocol/handle-message.js';
import type { JsonRpcNotification } from '../../src/protocol/messages.js';
import { META_KEY } from '../../src/protocol/read.js';
import { eraOf, MCP_SUPPORTED_VERSIONS, type McpVersion } from '../../src/protocol/revisions.js';
import { collectMcpCompletions, completesAnything } from '../../src/completions/catalogue.js';
import type { McpCompletion } from '../../src/completions/completion.js';
import { declareMcpCompletions } from '../../src/completions/declare.js';
import { collectMcpPrompts } from '../../src/prompts/catalogue.js';
import { declareMcpPrompts } from '../../src/prompts/declare.js';
import type { McpPrompt, McpPromptEntry } from '../../src/prompts/prompt.js';
import { collectMcpResources } from '../../src/resources/catalogue.js';
import { declareMcpResources } from '../../src/resources/declare.js';
import type { McpResource, McpResourceEntry, McpResourceTemplate } from '../../src/resources/resource.js';
import { createMcpSeal } from '../../src/gate/seal.js';
import { createLogReporter, type McpLogLevel } from '../../src/runs/log.js';
import { McpOpenRun } from '../../src/runs/open-run.js';
import { createProgressReporter } from '../../src/runs/progress.js';
import { collectMcpTools } from '../../src/tools/catalogue.js';
import type { McpTool, McpToolEntry } from '../../src/tools/tool.js';
import { HandClock } from './hand-clock.js';
import { holdAgainstOfficialSchemas } from './official-schemas.js';
import { declare } from './tools.js';

export const SERVER: McpServerFacts = {
  name: 'shop',
  version: '1.2.3',
  versions: MCP_SUPPORTED_VERSIONS,
  discover: true,
  answerWithinMs: 60_000,
  cache: { ttlMs: 60_000, scope: 'private' },
};

/** What surrounds a message; everything has a default. */
export interface Surroundings {
  server?: Partial<McpServerFacts>;
  caller?: McpCaller;
  tools?: readonly (McpTool | McpToolEntry)[];
  prompts?: readonly (McpPrompt | McpPromptEntry)[];
  completions?: readonly McpCompletion[];
  resources?: readonly (McpResource | McpResourceTemplate | McpResourceEntry)[];
  /** `null`: a transport without headers. @default what a client of the revision sends */
  headers?: Record<string, string | string[] | undefined> | null;
  context?: Partial<McpMessageContext>;
  /** What a legacy client has asked to hear before. */
  levelSet?: McpLogLevel;
  /** Hears of each run that is opened. */
  onRun?: (run: McpOpenRun) => void;
}

/** What came of it. */
export interface Exchange extends McpAnswer {
  readonly notifications: JsonRpcNotification[];
  readonly reports: McpServerFault[];
  readonly cancelled: (string | number)[];
  /** Levels that the client has set. */
  readonly levels: McpLogLevel[];
  /** How many runs of work have ended; what is waited for before there is any counts for nothing. */
  readonly ends: number;
}

/** Says one message as it stands. */
export async function say(message: unknown, around: Surroundings = {}): Promise<Exchange> {
  const { caller = ANONYMOUS_CALLER, tools = [], headers = {} } = around;
  const index = declare(...tools);
  const clock = new HandClock();
  const notifications: JsonRpcNotification[] = [];
  const reports: McpServerFault[] = [];
  const cancelled: (string | number)[] = [];
  const levels: McpLogLevel[] = [];
  let ends = 0;
  const answer = await handleMcpMessage(message, {
    server: { ...SERVER, ...around.server },
    caller,
    catalogue: collectMcpTools({ fixed: () => index }, { caller }),
    ...offersOf(around, caller),
    ...(headers !== null && { headers }),
    seal: createMcpSeal('shop'),
    now: () => Date.now(),
    cancel: (id) => cancelled.push(id),
    report: (fault) => `log-${reports.push(fault)}`,
    setLogLevel: (level) => levels.push(level),
    openRun({ progressToken, logLevel, inputs, undecided }) {
      const sender = (method: string) => (params: object) =>
        notifications.push({ jsonrpc: '2.0', method, params: { ...params } });
      const send = sender('notifications/progress');
      const from = logLevel === 'as-set' ? around.levelSet : logLevel;
      const run = new McpOpenRun({
        id: 'run',
        ...(inputs && { inputs }),
        onEnd: () => (ends += undecided === true ? 0 : 1),
        ...(progressToken !== undefined && {
          progress: createProgressReporter({ token: progressToken, send, clock }),
        }),
        ...(from && { log: createLogReporter({ from, send: sender('notifications/message'), clock }) }),
      });
      around.onRun?.(run);
      return run;
    },
    ...around.context,
  });
  holdAgainstOfficialSchemas(message, answer, notifications);
  return { ...answer, notifications, reports, cancelled, levels, ends };
}

/** What is offered beside tools, of a gate that has any of it. */
function offersOf({ prompts, resources, completions }: Surroundings, caller: McpCaller): Partial<McpMessageContext> {
  const promptIndex = declareMcpPrompts((prompts ?? []).map(toPromptEntry));
  const resourceIndex = declareMcpResources((resources ?? []).map(toResourceEntry));
  const entries = (completions ?? []).map((completion, at) => ({ completion, origin: `Completions.${at}` }));
  const index = declareMcpCompletions(entries, { prompts: promptIndex, resources: resourceIndex });
  const catalogues = {
    prompts: collectMcpPrompts(promptIndex, { caller }),
    resources: collectMcpResources(resourceIndex, { caller }),
  };
  return {
    ...(prompts && { prompts: () => catalogues.prompts }),
    ...(resources && { resources: () => catalogues.resources }),
    ...(completesAnything(index, promptIndex) && {
      completions: () => collectMcpCompletions(index, catalogues, { caller }),
    }),
  };
}

function toPromptEntry(given: McpPrompt | McpPromptEntry): McpPromptEntry {
  return 'prompt' in given ? given : { prompt: given, origin: `Prompts.${given.name}` };
}

function toResourceEntry(given: McpResource | McpResourceTemplate | McpResourceEntry): McpResourceEntry {
  return 'resource' in given ? given : { resource: given, origin: `Resources.${given.name}` };
}

/** The message and headers of a client that speaks `version`. */
export function request(version: McpVersion, method: string, params: Record<string, unknown> = {}, id: unknown = 1) {
  const meta = {
    [META_KEY.version]: version,
    [META_KEY.capabilities]: {},
    [META_KEY.clientInfo]: { name: 'test', version: '0' },
    ...(params['_meta'] as object | undefined),
  };
  const modern = eraOf(version) === 'modern';
  return {
    message: { jsonrpc: '2.0', id, method, params: modern ? { ...params, _meta: meta } : params },
    headers: {
      ...(method !== 'initialize' && { 'mcp-protocol-version': version }),
      ...(modern && { 'mcp-method': method }),
      ...(modern && typeof params['name'] === 'string' && { 'mcp-name': params['name'] }),
      ...(modern && typeof params['uri'] === 'string' && { 'mcp-name': params['uri'] }),
    } as Record<string, string | string[] | undefined>,
  };
}

/** Asks as a client of `version` does. */
export async function ask(
  version: McpVersion,
  method: string,
  params: Record<string, unknown> = {},
  around: Surroundings = {},
): Promise<Exchange> {
  const { message, headers } = request(version, method, params);
  return say(message, { ...around, headers: around.headers === null ? null : { ...headers, ...around.headers } });
}

/** The result of an exchange that went well. */
export function resultOf({ status, body }: McpAnswer): Record<string, unknown> {
  if (status !== 200 || body === undefined || !('result' in body)) {
    throw new Error(`no result but ${status} ${JSON.stringify(body)}`);
  }
  return body.result;
}

/** In place of an id that an answer must not have. */
export const NO_ID = Symbol('no id');

/** What an error answer says, for tables. */
export function refusal(status: number, code: number, message: RegExp, id: unknown = 1, data?: unknown): unknown {
  return {
    status,
    body: {
      jsonrpc: '2.0',
      ...(id !== NO_ID && { id }),
      error: {
        code,
        message: expect.stringMatching(message) as unknown,
        ...(data !== undefined && { data }),
      },
    },
  };
}

/** An exchange without the test's own records. */
export function answerOf({ status, body, insufficientScopes }: McpAnswer): McpAnswer {
  return {
    status,
    ...(body !== undefined && { body }),
    ...(insufficientScopes !== undefined && { insufficientScopes }),
  };
}
