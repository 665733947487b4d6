/**
 * One way in: who asks, may they, what do they say, and how to send back. The gate knows HTTP; what a message means is
 * the protocol's, and what a tool does is the tool's.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { ANONYMOUS_CALLER, type McpCaller } from '../caller.js';
import type { McpServerFacts, McpServerFault } from '../protocol/context.js';
import { McpProtocolError } from '../protocol/errors.js';
import { handleMcpMessage, refuseMcpMessage } from '../protocol/handle-message.js';
import { SYSTEM_CLOCK, type McpClock } from '../runs/clock.js';
import { McpLiveRuns } from '../runs/live-runs.js';
import { collectMcpTools, type McpToolSource } from '../tools/catalogue.js';
import { declareMcpTools } from '../tools/declare.js';
import type { McpTool } from '../tools/tool.js';
import { checkMcpAccess } from './access.js';
import { readMcpBody, type McpBody } from './body.js';
import { bodyRefusal } from './body-refusal.js';
import { corsHeaders, isPreflight, preflightHeaders } from './cors.js';
import { watchDisconnect } from './disconnect.js';
import { openMcpRun } from './open-run.js';
import { createMcpResponseStream, sendMcpJson } from './response-stream.js';
import { resolveGateSettings, type McpGateSettings, type ResolvedGateSettings } from './settings.js';
import { McpSettingsError } from './settings-check.js';

/** Where a gate writes for its operator. */
export interface McpLog {
  debug(message: string): void;
  warn(message: string): void;
  error(message: string): void;
  fatal?(message: string): void;
}

/** What a gate is given besides its settings. */
export interface McpGateParts {
  /** Where the tools come from. @default the plain tools in `settings.tools` */
  readonly source?: McpToolSource;
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
  /** How many calls are under way. */
  readonly liveRuns: number;
  /** The process ends: aborts the calls that are under way, and those that still come. */
  close(): void;
}

const CONSOLE_LOG: McpLog = {
  debug() {},
  warn: (message) => console.warn(message),
  error: (message) => console.error(message),
};

/**
 * A gate, ready to answer.
 *
 * @throws McpSettingsError for settings that cannot be used, McpDeclarationError for a bad tool in `tools`.
 */
export function defineMcpGate(settings: McpGateSettings, parts: McpGateParts = {}): McpGate {
  const resolved = resolveGateSettings(settings);
  const { log = CONSOLE_LOG, clock = SYSTEM_CLOCK } = parts;
  const source = parts.source ?? plainSource(resolved);
  const server = serverFacts(resolved);
  const live = new McpLiveRuns();
  let closed = false;

  function report({ where, error, fatal }: McpServerFault): string {
    const id = randomUUID();
    const message = `[${resolved.name}] ${where} failed (${id}): ${error instanceof Error ? error.stack : String(error)}`;
    if (fatal === true && log.fatal !== undefined) log.fatal(message);
    else log.error(message);
    return id;
  }

  async function answer(req: IncomingMessage, res: ServerResponse, input: McpHttpInput, body: McpBody): Promise<void> {
    const caller = input.caller ?? callerOf(resolved);
    const headers = responseHeaders(req, res, input);
    const stream = createMcpResponseStream({ res, headers, accept: req.headers.accept, clock, ...resolved.stream });
    if ('fault' in body) {
      stream.finish(refuseMcpMessage(bodyRefusal(body.fault, resolved.bodyLimit), req));
      return;
    }
    const principal = caller.subject === undefined ? `peer ${req.socket.remoteAddress}` : `subject ${caller.subject}`;
    const catalogue = collectMcpTools(source, {
      caller,
      request: input.request,
      onWithheld: (tool, reason) => log.debug(`[${resolved.name}] tool ${tool.name} is withheld: ${reason}.`),
    });
    const result = await handleMcpMessage(body.value, {
      server,
      caller,
      catalogue,
      headers: req.headers,
      report,
      cancel: (requestId) => live.cancel(principal, requestId),
      openRun(request) {
        const { maxRunMs } = resolved;
        const run = openMcpRun({ request, caller, host: input.request, clock, maxRunMs, live, principal, stream });
        if (closed) run.abort('shutdown');
        else watchDisconnect(req, res, () => run.abort('disconnected'));
        stream.expectDelay();
        return run;
      },
    });
    stream.finish(result);
  }

  return {
    settings: resolved,
    get liveRuns() {
      return live.size;
    },
    async respond(req, res, input = {}) {
      try {
        if (res.destroyed) return;
        const refusal = refuse(req, resolved);
        if (refusal === undefined) {
          await answer(req, res, input, input.body ?? (await readMcpBody(req, resolved.bodyLimit)));
        } else
          sendMcpJson(res, refusal.status, refusal.body, { ...responseHeaders(req, res, input), ...refusal.headers });
      } catch (error) {
        report({ where: 'answering', error });
        if (!res.headersSent) sendMcpJson(res, 500, undefined);
        else res.destroy();
      }
    },
    close() {
      closed = true;
      live.abortAll('shutdown');
    },
  };
}

/** What is refused before the body counts: a gate that is off, a stranger, a verb. */
function refuse(
  req: IncomingMessage,
  settings: ResolvedGateSettings,
): { status: number; body?: unknown; headers?: OutgoingHttpHeaders } | undefined {
  if (!settings.enabled) return { status: 404 };
  const reason = checkMcpAccess({ remoteAddress: req.socket.remoteAddress, headers: req.headers }, settings);
  if (reason !== undefined) return refuseMcpMessage(McpProtocolError.invalidRequest(reason, 403), req);
  if (isPreflight(req)) return { status: 204, headers: preflightHeaders(req) };
  if (req.method === 'POST') return undefined;
  const error = McpProtocolError.invalidRequest('This gate is called with POST.', 405);
  return { ...refuseMcpMessage(error, req), headers: { Allow: 'POST' } };
}

/** CORS headers only for an origin that is on the list, and only where the application has not set its own. */
function responseHeaders(
  req: IncomingMessage,
  res: ServerResponse,
  input: McpHttpInput,
): OutgoingHttpHeaders | undefined {
  const set = (name: string) =>
    res.hasHeader(name) || Object.keys(input.headers ?? {}).some((key) => key.toLowerCase() === name);
  if (req.headers.origin === undefined || set('access-control-allow-origin')) return input.headers;
  return { ...input.headers, ...corsHeaders(req) };
}

function callerOf({ unprotectedRoles }: ResolvedGateSettings): McpCaller {
  return unprotectedRoles.length === 0
    ? ANONYMOUS_CALLER
    : Object.freeze({ ...ANONYMOUS_CALLER, roles: unprotectedRoles });
}

function serverFacts(settings: ResolvedGateSettings): McpServerFacts {
  const { name, version, title, instructions, protocol, cache } = settings;
  return {
    name,
    version,
    ...(title !== undefined && { title }),
    ...(instructions !== undefined && { instructions }),
    versions: protocol.versions,
    discover: protocol.discover,
    cache,
  };
}

/** Without Nest a gate serves the plain tools that its settings list. */
function plainSource({ tools }: ResolvedGateSettings): McpToolSource {
  if (tools === 'discovered' || tools.some((tool) => typeof tool === 'function')) {
    throw new McpSettingsError([
      '"tools" must be an array of tools: without Nest there is nothing to discover them in.',
    ]);
  }
  const index = declareMcpTools((tools as McpTool[]).map((tool, at) => ({ tool, origin: `settings.tools[${at}]` })));
  return { fixed: () => index };
}
