/**
 * One way in: who asks, may they, what do they say, and how to send back. The gate knows HTTP; what a message means is
 * the protocol's, and what a tool does is the tool's.
 */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { isPending } from '../awaitable.js';
import type { McpEventBus } from '../events/bus.js';
import { establishCaller, type McpCaller } from '../caller.js';
import type { McpServerFault } from '../protocol/context.js';
import { SYSTEM_CLOCK, type McpClock } from '../runs/clock.js';
import { McpLiveRuns } from '../runs/live-runs.js';
import type { McpToolSource } from '../tools/catalogue.js';
import { mcpDeclaredScopes } from '../tools/scopes.js';
import type { McpVisible } from '../tools/visibility.js';
import type { McpBody } from './body.js';
import { answerHttp } from './http-exchange.js';
import { CONSOLE_LOG, logFault, steadfast, type McpLog } from './log.js';
import { serverFacts } from './message-context.js';
import { metadataAnswer } from './metadata-response.js';
import { McpGateNews } from './news.js';
import { plainOffers, reservationsOf, type McpOffers } from './offers.js';
import { McpOpenQuestions } from './open-questions.js';
import { plainTools } from './plain-tools.js';
import { McpProtection } from './protection.js';
import { createMcpSeal } from './seal.js';
import { sendMcpJson } from './json-response.js';
import { converse, type McpStdioConversation, type McpStdioWay } from './stdio-conversation.js';
import { McpSetLevels } from './set-levels.js';
import { resolveGateSettings, type McpGateSettings, type ResolvedGateSettings } from './settings.js';

/** What a gate is given besides its settings. */
export interface McpGateParts {
  /** Where the tools come from. @default the plain tools in `settings.tools` */
  readonly source?: McpToolSource;
  /** Where resources and prompts come from. @default those that the settings list */
  readonly offers?: McpOffers;
  /** What tells of changes, when the settings name no other. @default nothing: clients are told of none */
  readonly events?: McpEventBus;
  /**
   * Makes another view of the framework's request, for rules that are asked again while it is still being answered: without what
   * was kept on it for the first time. @default the request itself
   */
  readonly requestAnew?: (request: unknown) => unknown;
  /** @default warnings and errors to the console */
  readonly log?: McpLog;
  /** @default the clock of the process */
  readonly clock?: McpClock;
}

/** What the host of a gate knows of one exchange. */
export interface McpHttpInput {
  /** The body, when the host has read it already. @default read here, within `bodyLimit` */
  readonly body?: McpBody;
  /** The framework's request: handed to the rules of entries, and readable below a tool. */
  readonly request?: unknown;
  /** Who asks, established by the host. @default the anonymous caller */
  readonly caller?: McpCaller;
  /** Headers to send along (what a framework had set before). */
  readonly headers?: OutgoingHttpHeaders;
}

/** One way in. */
export interface McpGate {
  readonly settings: ResolvedGateSettings;
  /** Answers one HTTP exchange, whatever comes. Never rejects. */
  respond(req: IncomingMessage, res: ServerResponse, input?: McpHttpInput): Promise<void>;
  /**
   * Answers who asks for the RFC 9728 document of the gate at `path` (the path under which the application serves it):
   * 404 for a gate that is not protected. Never rejects.
   */
  respondMetadata(
    req: IncomingMessage,
    res: ServerResponse,
    path: string,
    headers?: OutgoingHttpHeaders,
  ): Promise<void>;
  /**
   * Opens the conversation with the LOCAL OPERATOR, whose client sits at the other end of a pipe (S1, S3): whoever can start
   * this process. No token is asked for, and no tool served that waits for one. `serveMcpStdio` brings the lines.
   *
   * @throws Error for a gate that is not enabled.
   */
  respondStdio(way: McpStdioWay): McpStdioConversation;
  /** How many calls are under way. */
  readonly liveRuns: number;
  /** How many subscriptions to changes are open. */
  readonly openSubscriptions: number;
  /** The process ends: aborts the calls that are under way and those that still come, and ends subscriptions. */
  close(): void;
}

/**
 * A gate, ready to answer.
 *
 * @throws McpSettingsError for settings that cannot be used, McpDeclarationError for a bad tool in `tools`.
 */
export function defineMcpGate(settings: McpGateSettings, parts: McpGateParts = {}): McpGate {
  const resolved = resolveGateSettings(settings);
  const { clock = SYSTEM_CLOCK } = parts;
  const log = steadfast(parts.log ?? CONSOLE_LOG);
  const source = parts.source ?? plainTools(resolved);
  const offers = parts.offers ?? plainOffers(resolved);
  const report = (fault: McpServerFault) => logFault(log, resolved.name, fault);
  const protection =
    resolved.authorization &&
    new McpProtection({
      settings: resolved.authorization,
      local: !resolved.allowRemote,
      name: resolved.name,
      scopes: declaredScopes,
      log,
    });
  const live = new McpLiveRuns();
  const events = resolved.events ?? parts.events;
  const news =
    events && resolved.subscriptions.perCaller > 0
      ? new McpGateNews(events, resolved.subscriptions, (error) => void report({ where: 'the bus of events', error }))
      : undefined;
  const asked = {
    settings: resolved,
    server: serverFacts(resolved),
    source,
    offers,
    live,
    questions: new McpOpenQuestions(),
    ...(news && { news }),
    requestAnew: parts.requestAnew ?? ((request: unknown) => request),
    clock,
    seal: createMcpSeal(resolved.name, resolved.secrets),
    protection,
    levels: new McpSetLevels(clock),
    stranger: establishCaller({ roles: resolved.unprotectedRoles }),
    operator: establishCaller({ roles: resolved.unprotectedRoles, operator: true }),
    closed: false,
    report,
    onWithheld: ({ kind, name }: McpVisible, reason: string) =>
      log.debug(`[${resolved.name}] ${kind} ${name} is withheld: ${reason}.`),
  };

  async function declaredScopes(): Promise<readonly string[]> {
    const fresh = await source.fresh?.();
    const tools = [...source.fixed().entries, ...(fresh?.entries ?? [])].map(({ reservation }) => reservation);
    return mcpDeclaredScopes([...tools, ...(await reservationsOf(offers))]);
  }

  /** What goes wrong in answering is written to the log, and never thrown at the host. */
  function fail(res: ServerResponse, error: unknown): void {
    report({ where: 'answering', error });
    if (res.headersSent) res.destroy();
    else sendMcpJson(res, 500, undefined);
  }

  return {
    settings: resolved,
    get liveRuns() {
      return live.size;
    },
    get openSubscriptions() {
      return news?.size ?? 0;
    },
    respond(req, res, input = NOTHING_KNOWN) {
      if (res.destroyed) return DONE;
      try {
        const answered = answerHttp(asked, req, res, input);
        return isPending(answered) ? answered.catch((error) => fail(res, error)) : DONE;
      } catch (error) {
        fail(res, error);
        return DONE;
      }
    },
    async respondMetadata(req, res, path, headers) {
      try {
        const { status, body, headers: own } = await metadataAnswer(req, resolved, protection, path);
        sendMcpJson(res, status, body, { ...headers, ...own });
      } catch (error) {
        fail(res, error);
      }
    },
    respondStdio(way) {
      if (!resolved.enabled)
        throw new Error(`The gate "${resolved.name}" is not enabled: its settings say enabled: false.`);
      return converse(asked, way);
    },
    close() {
      asked.closed = true;
      live.abortAll('shutdown');
      news?.close();
    },
  };
}

const NOTHING_KNOWN: McpHttpInput = Object.freeze({});
const DONE: Promise<void> = Promise.resolve();
