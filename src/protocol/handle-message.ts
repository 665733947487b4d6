/**
 * The protocol, whole: a parsed message and what it may know in, a status and a body out (P1), whatever the transport.
 */
import { allThere, isPending, whenThere, type Awaitable } from '../awaitable.js';
import type { McpAnswer, McpMessageContext } from './context.js';
import { eraError, eraResult } from './era.js';
import { MCP_ERROR, McpProtocolError } from './errors.js';
import { headerText } from './headers.js';
import type { InputRequiredResult } from './inputs/input-required.js';
import { isObject, isResponse, type JsonRpcResponse, type RequestId } from './messages.js';
import { completionComplete } from './methods/completion-complete.js';
import { discover } from './methods/discover.js';
import { initialize } from './methods/initialize.js';
import { loggingSetLevel } from './methods/logging-set-level.js';
import { ping } from './methods/ping.js';
import { promptsGet } from './methods/prompts-get.js';
import { promptsList } from './methods/prompts-list.js';
import { resourceTemplatesList } from './methods/resource-templates-list.js';
import { resourcesList } from './methods/resources-list.js';
import { resourcesRead } from './methods/resources-read.js';
import { resourcesSubscribe, resourcesUnsubscribe } from './methods/resources-subscribe.js';
import { subscriptionsListen } from './methods/subscriptions-listen.js';
import { toolsCall } from './methods/tools-call.js';
import { toolsList } from './methods/tools-list.js';
import { declaredVersion, readableId, readMessage, type McpCall, type McpNotice } from './read.js';
import { HEADERLESS_VERSION, MCP_PROTOCOL_VERSION, type McpEra } from './revisions.js';

type Result = Record<string, unknown> | InputRequiredResult;

/** A method: in which eras it exists, and what it answers in the newest shape. `undefined`: nothing may be sent. */
interface McpMethod {
  readonly eras: readonly McpEra[];
  answer(call: McpCall, context: McpMessageContext): Awaitable<Result | undefined>;
}

const METHODS: ReadonlyMap<string, McpMethod> = new Map<string, McpMethod>([
  ['initialize', { eras: ['legacy'], answer: initialize }],
  ['ping', { eras: ['legacy'], answer: ping }],
  ['logging/setLevel', { eras: ['legacy'], answer: loggingSetLevel }],
  ['server/discover', { eras: ['modern'], answer: discover }],
  ['tools/list', { eras: ['modern', 'legacy'], answer: toolsList }],
  ['tools/call', { eras: ['modern', 'legacy'], answer: toolsCall }],
  ['completion/complete', { eras: ['modern', 'legacy'], answer: completionComplete }],
  ['prompts/list', { eras: ['modern', 'legacy'], answer: promptsList }],
  ['prompts/get', { eras: ['modern', 'legacy'], answer: promptsGet }],
  ['resources/list', { eras: ['modern', 'legacy'], answer: resourcesList }],
  ['resources/templates/list', { eras: ['modern', 'legacy'], answer: resourceTemplatesList }],
  ['resources/read', { eras: ['modern', 'legacy'], answer: resourcesRead }],
  ['resources/subscribe', { eras: ['legacy'], answer: resourcesSubscribe }],
  ['resources/unsubscribe', { eras: ['legacy'], answer: resourcesUnsubscribe }],
  ['subscriptions/listen', { eras: ['modern'], answer: subscriptionsListen }],
]);

/** The only revision that knows batches. */
const BATCH_VERSION = '2025-03-26';
const MAX_BATCH = 100;

/**
 * Answers one parsed message (or a batch, in revision 2025-03-26): at once, unless something must be waited for. Never
 * throws or rejects: what goes wrong is an answer.
 *
 * @param message what the transport parsed; anything at all
 */
export function handleMcpMessage(message: unknown, context: McpMessageContext): Awaitable<McpAnswer> {
  return Array.isArray(message) ? answerBatch(message, context) : answerOne(message, context);
}

/**
 * The answer to a message that no method is asked for: it could not be parsed, or the transport refuses it. `message`, if
 * it was read, gives the id (P14).
 */
export function refuseMcpMessage(
  error: McpProtocolError,
  context: Pick<McpMessageContext, 'headers'>,
  message?: unknown,
): McpAnswer {
  return { status: error.status, body: error.toMessage(answerId(message, context)) };
}

function answerOne(message: unknown, context: McpMessageContext): Awaitable<McpAnswer> {
  let read: McpCall | McpNotice | undefined;
  try {
    if (isResponse(message) && takeResponse(message, context)) return { status: 202 };
    read = readMessage(message, context);
    if (read.id === undefined) return takeNotice(read, context);
    const method = METHODS.get(read.method);
    if (method === undefined || !method.eras.includes(read.era)) throw McpProtocolError.methodNotFound(read.method);
    const result = method.answer(read, context);
    if (!isPending(result)) return success(read, result, context);
    const { era } = read;
    return result
      .then((known) => success(read as McpCall, known, context))
      .catch((error) => failure(error, message, context, era));
  } catch (error) {
    return failure(error, message, context, read?.era);
  }
}

function success(call: McpCall, result: Result | undefined, context: McpMessageContext): McpAnswer {
  if (result === undefined) return { status: 202 };
  return { status: 200, body: { jsonrpc: '2.0', id: call.id, result: eraResult(call, result, context) } };
}

function failure(error: unknown, message: unknown, context: McpMessageContext, era?: McpEra): McpAnswer {
  const known = error instanceof McpProtocolError ? eraError(error, era) : unforeseen(error, context);
  const { status, insufficientScopes } = known;
  const body = known.toMessage(answerId(message, context));
  return insufficientScopes === undefined ? { status, body } : { status, body, insufficientScopes };
}

function takeNotice(notice: McpNotice, context: McpMessageContext): McpAnswer {
  const requestId = notice.params['requestId'];
  // A modern client on HTTP closes its stream instead (2026-07-28, cancellation).
  const cancels = notice.method === 'notifications/cancelled' && (notice.era === 'legacy' || !context.headers);
  if (cancels && (typeof requestId === 'string' || typeof requestId === 'number')) context.cancel?.(requestId);
  if (notice.method === 'notifications/initialized' && notice.era === 'legacy') context.channel?.begin();
  return { status: 202 };
}

/** `false` for a response that nobody waits for: it is then refused like any message without a method. */
function takeResponse({ id, result, error }: Record<string, unknown>, context: McpMessageContext): boolean {
  if (typeof id !== 'string' || context.answer === undefined) return false;
  if (error === undefined) return context.answer(id, { result });
  return context.answer(id, { error: isObject(error) && typeof error['code'] === 'number' ? error['code'] : 0 });
}

function answerBatch(messages: readonly unknown[], context: McpMessageContext): Awaitable<McpAnswer> {
  const version = spokenVersion(context);
  if (version !== BATCH_VERSION || !context.server.versions.includes(BATCH_VERSION)) {
    return refuseMcpMessage(
      McpProtocolError.invalidRequest(`A batch exists in revision ${BATCH_VERSION} only: send one message at a time.`),
      context,
    );
  }
  if (messages.length === 0 || messages.length > MAX_BATCH) {
    return refuseMcpMessage(McpProtocolError.invalidRequest(`A batch holds 1 to ${MAX_BATCH} messages.`), context);
  }
  return whenThere(allThere(messages.map((message) => answerBatched(message, context))), (answers) => {
    const bodies = answers.flatMap(({ body }) => (body === undefined ? [] : [body as JsonRpcResponse]));
    return bodies.length === 0 ? { status: 202 } : { status: 200, body: bodies };
  });
}

function answerBatched(message: unknown, context: McpMessageContext): Awaitable<McpAnswer> {
  const why = unfitForBatch(message);
  if (why === undefined) return answerOne(message, context);
  return { status: 400, body: McpProtocolError.invalidRequest(why).toMessage(answerId(message, context)) };
}

/** Why a message cannot be part of a batch. Of another revision: over a pipe there is no header that it would contradict. */
function unfitForBatch(message: unknown): string | undefined {
  if (!isObject(message)) return undefined;
  if (message['method'] === 'initialize') return '"initialize" must not be part of a batch.';
  const declared = declaredVersion(message);
  if (declared === undefined || declared === BATCH_VERSION) return undefined;
  return `A batch exists in revision ${BATCH_VERSION} only, and "_meta" names another. Send this message by itself.`;
}

function unforeseen(error: unknown, context: McpMessageContext): McpProtocolError {
  const id = context.report({ where: 'the protocol', error });
  return new McpProtocolError(500, MCP_ERROR.internal, `The server failed. Its log has the cause under ${id}.`);
}

/** What tells the revision of a message that may be anything. */
type SpokenIn = Pick<McpMessageContext, 'headers' | 'assumedVersion'>;

function answerId(message: unknown, context: SpokenIn): RequestId | null | undefined {
  return readableId(message) ?? unreadableId(context);
}

/** In place of an id that could not be read: nothing since 2025-11-25, before that `null` as JSON-RPC 2.0 has it. */
function unreadableId(context: SpokenIn): null | undefined {
  return spokenVersion(context) >= '2025-11-25' ? undefined : null;
}

function spokenVersion({ headers, assumedVersion }: SpokenIn): string {
  if (headers === undefined) return assumedVersion ?? MCP_PROTOCOL_VERSION;
  return headerText(headers, 'mcp-protocol-version') ?? assumedVersion ?? HEADERLESS_VERSION;
}
