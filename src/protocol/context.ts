/**
 * Everything that the protocol may know and do. It has no socket, no container, no clock and no logger: whoever calls it
 * brings them here (P1).
 */
import type { McpAccountResolver } from '../account.js';
import type { Awaitable } from '../awaitable.js';
import type { McpCaller } from '../caller.js';
import type { McpCompletionCatalogue } from '../completions/catalogue.js';
import type { McpPromptCatalogue } from '../prompts/catalogue.js';
import type { McpResourceCatalogue } from '../resources/catalogue.js';
import type { McpInputSource, McpOpenRun } from '../runs/open-run.js';
import type { McpLogLevel } from '../runs/log.js';
import type { McpCatalogue } from '../tools/catalogue.js';
import type { JsonRpcResponse, RequestId } from './messages.js';
import type { McpChannel, McpNews } from './news.js';
import type { McpVersion } from './revisions.js';
import type { McpSeal } from './seal.js';

/** Who serves, and how: the part of a gate's settings that the protocol reads. */
export interface McpServerFacts {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  /** Guidance for the agent, sent by `initialize` and `server/discover`. */
  readonly instructions?: string;
  /** Revisions served, newest first. */
  readonly versions: readonly McpVersion[];
  /** Whether `server/discover` is answered. */
  readonly discover: boolean;
  /** Milliseconds that a client has to answer what a run asks. */
  readonly answerWithinMs: number;
  /** Entries of one page of a list. @default all of it on the first */
  readonly pageSize?: number;
  /** Hints on modern cacheable results (2026-07-28, caching). */
  readonly cache: { readonly ttlMs: number; readonly scope: 'public' | 'private' };
}

/** What a run is opened for. */
export interface McpRunRequest {
  readonly requestId: RequestId;
  /** The token under which the client listens for progress, if it asked for it. */
  readonly progressToken?: RequestId | undefined;
  /**
   * From which level on the client wants to hear what is logged; `'as-set'`: from the one that it has set before
   * (`setLogLevel`), if it has. @default it wants to hear nothing
   */
  readonly logLevel?: McpLogLevel | 'as-set' | undefined;
  /** How the run asks its client. @default it cannot */
  readonly inputs?: McpInputSource | undefined;
  /**
   * It is still being found out what there is for the caller, so the answer may be any. Nothing works yet, and nothing is sent
   * before the answer. @default the work begins
   */
  readonly undecided?: true;
}

/** What became of a question: the client's result, the code of its error, or that nobody waits any more. */
export type McpClientAnswer =
  { readonly result: unknown; readonly error?: undefined } | { readonly error: number | 'late' | 'withdrawn' };

/** A question that was put to a client. */
export interface McpOpenQuestion {
  /** Never rejects. */
  readonly answer: Promise<McpClientAnswer>;
  /** Nobody waits for the answer any more. */
  withdraw(): void;
}

/** What `handleMcpMessage` works with. */
export interface McpMessageContext {
  readonly server: McpServerFacts;
  readonly caller: McpCaller;
  /** Finds the account behind the caller, for tools that act for a user. */
  readonly accounts?: McpAccountResolver;
  /** Missing scopes are answered with a challenge that a client can step up on, instead of an `isError` result. */
  readonly challenges?: boolean;
  /** The tools of THIS caller for this request. */
  readonly catalogue: McpCatalogue;
  /** The resources of THIS caller; nothing when the gate has none at all, whoever asks. */
  resources?(): Awaitable<McpResourceCatalogue | undefined>;
  /** The prompts of THIS caller; nothing when the gate has none at all, whoever asks. */
  prompts?(): Awaitable<McpPromptCatalogue | undefined>;
  /** What completes arguments for THIS caller; nothing when nothing does, whoever asks. */
  completions?(): Awaitable<McpCompletionCatalogue | undefined>;
  /**
   * The headers of an HTTP request, lower-cased names. Absent on a transport without headers: their rules then do not
   * apply.
   */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The revision of a legacy request that names none. @default '2025-03-26' */
  readonly assumedVersion?: McpVersion;
  /** Opens a run for a request. Its progress goes to the transport. */
  openRun(request: McpRunRequest): McpOpenRun;
  /** A client cancels a request of its own (legacy `notifications/cancelled`). */
  cancel?(requestId: RequestId): void;
  /** What a client declared when it shook hands, on a transport that still knows. */
  readonly agreedCapabilities?: Readonly<Record<string, unknown>>;
  /** Puts a question to the client before its answer. Absent where it takes nothing before that. */
  question?(about: RequestId, method: string, params: Readonly<Record<string, unknown>> | undefined): McpOpenQuestion;
  /** Takes the client's response to a question. `false` when none of its waits under that id. */
  answer?(id: RequestId, answer: McpClientAnswer): boolean;
  /** Milliseconds since 1970. */
  now(): number;
  /** Where the client may hear of changes; absent where none are told of. */
  readonly news?: McpNews;
  /** The one channel of a client that has one for all that it is told; absent where every request has its own way back. */
  readonly channel?: McpChannel;
  /** A client sets the level of what it wants to hear from now on (legacy `logging/setLevel`). @default forgotten */
  setLogLevel?(level: McpLogLevel): void;
  /** Seals what the client is to carry until it asks again. */
  readonly seal: McpSeal;
  /** Takes a fault of the server to its log, and gives the id under which it stands there. */
  report(fault: McpServerFault): string;
}

/** Something that went wrong here, not at the client. */
export interface McpServerFault {
  /** What was being done, without any value of the client. */
  readonly where: string;
  readonly error: unknown;
  /** The set-up is at fault: the log says it at FATAL. */
  readonly fatal?: boolean;
}

/** What to send back. */
export interface McpAnswer {
  /** The HTTP status; other transports ignore it. */
  readonly status: number;
  /** Absent for accepted notifications, and for a run that was cancelled: nothing may be sent. */
  readonly body?: JsonRpcResponse | readonly JsonRpcResponse[];
  /** The call needs all these scopes and its caller lacks some: the transport makes the challenge. */
  readonly insufficientScopes?: readonly string[];
}
