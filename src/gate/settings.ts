/**
 * A gate's settings: every one with its default, and checked when the gate is defined, so that a mistake stops the boot
 * with a sentence that mends it (G1, G2).
 */
import type { McpAccountResolver } from '../account.js';
import type { McpEventBus } from '../events/bus.js';
import type { McpAuthorizationSettings } from '../oauth/settings.js';
import { MCP_SUPPORTED_VERSIONS, type McpVersion } from '../protocol/revisions.js';
import type { McpCompletion } from '../completions/completion.js';
import type { McpPrompt } from '../prompts/prompt.js';
import type { McpResource, McpResourceTemplate } from '../resources/resource.js';
import type { McpTool } from '../tools/tool.js';
import { checkGateSettings } from './settings-check.js';

/** A class: of a provider or controller whose tools are served, or of a module whose providers' tools are. */
export type McpToolClass = abstract new (...args: never[]) => object;

/** Where tools may come from: a class that Nest knows, or a tool written as a plain object. */
export type McpToolOrigin = McpToolClass | McpTool;

/** The time that an open answer may take before it becomes a stream, and how a stream is kept alive. */
export interface McpStreamSettings {
  /** Milliseconds until an answer that is not ready opens its stream silently. @default 5000 */
  graceMs?: number;
  /** Milliseconds between two SSE comments on a stream that says nothing. @default 15000 */
  heartbeatMs?: number;
}

/** One way in, as its author writes it. */
export interface McpGateSettings {
  /** The server's name, shown by clients and written to the log. */
  name: string;
  /** The server's version. @default '0.0.0' */
  version?: string;
  /** A name for people. */
  title?: string;
  /** Guidance for the agent: what this server is for, and in which order to use it. */
  instructions?: string;
  /**
   * The tools served: `'discovered'` for all that the application declares, or a list of provider classes, module
   * classes and plain tools. A remote gate must list them. The classes' resources and prompts are served with their tools.
   * @default 'discovered'
   */
  tools?: 'discovered' | readonly McpToolOrigin[];
  /** Resources and resource templates written as plain objects, beside those of the served classes. @default [] */
  resources?: readonly (McpResource | McpResourceTemplate)[];
  /** Prompts written as plain objects, beside those of the served classes. @default [] */
  prompts?: readonly McpPrompt[];
  /** Completions written as plain objects, beside those of the served classes. @default [] */
  completions?: readonly McpCompletion[];
  /** The route, below the application's global prefix. @default '/mcp' */
  path?: string;
  /** Serves peers other than this machine. Without it only direct loopback connections are. @default false */
  allowRemote?: boolean;
  /** Values of `Origin` that may call, exactly. A request without `Origin` passes: MCP clients send none. @default [] */
  allowedOrigins?: readonly string[];
  /** Host names (without port) that may call. @default loopback names on a local gate, any on a remote one */
  allowedHosts?: readonly string[];
  /** Whose tokens are taken. Without it the gate authenticates nobody. */
  authorization?: McpAuthorizationSettings;
  /** Finds the account behind a caller, for tools that act for a user. Needs `authorization`. */
  accounts?: McpAccountResolver;
  /** Roles of everybody who calls this gate, which authenticates nobody. @default [] */
  unprotectedRoles?: readonly string[];
  /** Which part of the protocol is served. */
  protocol?: {
    /** Revisions of the specification. @default all that the package speaks */
    versions?: readonly McpVersion[];
    /** Answers `server/discover`, which the specification requires. @default true */
    discover?: boolean;
  };
  /**
   * Entries on one page of a list of tools, resources, templates or prompts. Some clients read only the first page and never
   * see the others: leave it out unless yours are known to read on. Several processes need `secrets` with it.
   * @default none, a list is sent whole
   */
  pageSize?: number;
  /** Caching hints on modern results. @default { ttlMs: 0, scope: 'private' } */
  cache?: { ttlMs?: number; scope?: 'public' | 'private' };
  /** `false` answers 404, as if the gate were not there. @default true */
  enabled?: boolean;
  stream?: McpStreamSettings;
  /**
   * Milliseconds after which a call is stopped: what guards and `getMcpTools()` take of them counts, and a list that they hold up
   * is stopped too. A subscription has no end of this kind. @default none
   */
  maxRunMs?: number;
  /** Clients that wait to hear of changes. */
  subscriptions?: {
    /** How many subscriptions one caller may have at a time; 0: nobody has any, and none is offered. @default 64 */
    perCaller?: number;
    /**
     * How many all callers may have together: each costs memory, and a look at each change. Strangers behind many addresses are
     * many callers. @default 10000
     */
    total?: number;
  };
  /** What carries the news of changes to this gate, in place of the application's own bus, which ends with the process. */
  events?: McpEventBus;
  /**
   * What seals the texts that a client carries for this gate (the state of a call that waits for its user's answer, its
   * place in a list): the first seals, all open, so that a new one is put in front of the old. Each at least 32 characters,
   * from a random source. Needed when several processes serve one gate. @default one of this process alone
   */
  secrets?: readonly string[];
  /** Milliseconds that a client has to answer what a tool asks its user. @default 600000 */
  answerWithinMs?: number;
  /** The largest body taken, in bytes, after decompression. @default 4194304 */
  bodyLimit?: number;
}

/** The settings with every default filled in. */
export interface ResolvedGateSettings {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly instructions?: string;
  readonly tools: 'discovered' | readonly McpToolOrigin[];
  readonly resources: readonly (McpResource | McpResourceTemplate)[];
  readonly prompts: readonly McpPrompt[];
  readonly completions: readonly McpCompletion[];
  readonly path: string;
  readonly allowRemote: boolean;
  readonly allowedOrigins: readonly string[];
  readonly allowedHosts?: readonly string[];
  readonly authorization?: McpAuthorizationSettings;
  readonly accounts?: McpAccountResolver;
  readonly unprotectedRoles: readonly string[];
  readonly protocol: { readonly versions: readonly McpVersion[]; readonly discover: boolean };
  readonly pageSize?: number;
  readonly cache: { readonly ttlMs: number; readonly scope: 'public' | 'private' };
  readonly enabled: boolean;
  readonly stream: { readonly graceMs: number; readonly heartbeatMs: number };
  readonly maxRunMs?: number;
  readonly subscriptions: { readonly perCaller: number; readonly total: number };
  readonly events?: McpEventBus;
  readonly secrets?: readonly string[];
  readonly answerWithinMs: number;
  readonly bodyLimit: number;
}

/** How long an answer may stay silent before its stream opens, in milliseconds. */
export const MCP_STREAM_GRACE_MS = 5_000;
const HEARTBEAT_MS = 15_000;
/** A person reads, thinks, and may have to look something up. */
const ANSWER_WITHIN_MS = 10 * 60 * 1_000;
const SUBSCRIPTIONS_PER_CALLER = 64;
const SUBSCRIPTIONS_IN_TOTAL = 10_000;
const BODY_LIMIT = 4 * 1024 * 1024;

/**
 * The settings, checked and complete. The caller's object is not changed.
 *
 * @throws McpSettingsError that names every faulty setting and says how to mend it.
 */
export function resolveGateSettings(settings: McpGateSettings): ResolvedGateSettings {
  checkGateSettings(settings);
  const wanted: readonly string[] = settings.protocol?.versions ?? MCP_SUPPORTED_VERSIONS;
  return Object.freeze({
    name: settings.name,
    version: settings.version ?? '0.0.0',
    ...(settings.title !== undefined && { title: settings.title }),
    ...(settings.instructions !== undefined && { instructions: settings.instructions }),
    tools: settings.tools ?? 'discovered',
    resources: settings.resources ?? [],
    prompts: settings.prompts ?? [],
    completions: settings.completions ?? [],
    path: settings.path ?? '/mcp',
    allowRemote: settings.allowRemote ?? false,
    allowedOrigins: settings.allowedOrigins ?? [],
    ...(settings.allowedHosts !== undefined && { allowedHosts: settings.allowedHosts.map((h) => h.toLowerCase()) }),
    ...(settings.authorization !== undefined && { authorization: settings.authorization }),
    ...(settings.accounts !== undefined && { accounts: settings.accounts }),
    unprotectedRoles: settings.unprotectedRoles ?? [],
    protocol: {
      versions: MCP_SUPPORTED_VERSIONS.filter((version) => wanted.includes(version)), // newest first
      discover: settings.protocol?.discover ?? true,
    },
    ...(settings.pageSize !== undefined && { pageSize: settings.pageSize }),
    cache: { ttlMs: settings.cache?.ttlMs ?? 0, scope: settings.cache?.scope ?? 'private' },
    enabled: settings.enabled ?? true,
    stream: {
      graceMs: settings.stream?.graceMs ?? MCP_STREAM_GRACE_MS,
      heartbeatMs: settings.stream?.heartbeatMs ?? HEARTBEAT_MS,
    },
    ...(settings.maxRunMs !== undefined && { maxRunMs: settings.maxRunMs }),
    subscriptions: {
      perCaller: settings.subscriptions?.perCaller ?? SUBSCRIPTIONS_PER_CALLER,
      total: settings.subscriptions?.total ?? SUBSCRIPTIONS_IN_TOTAL,
    },
    ...(settings.events !== undefined && { events: settings.events }),
    ...(settings.secrets !== undefined && { secrets: settings.secrets }),
    answerWithinMs: settings.answerWithinMs ?? ANSWER_WITHIN_MS,
    bodyLimit: settings.bodyLimit ?? BODY_LIMIT,
  });
}
