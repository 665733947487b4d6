/**
 * `subscriptions/listen`: a request whose answer is the end of it. Until then its client is told of the changes that it asked
 * for, as far as it can see them (2026-07-28, subscriptions).
 */
import { MCP_LISTS } from '../../events/event.js';
import { McpSubscription } from '../../events/subscription.js';
import type { McpAbortCause, McpOpenRun } from '../../runs/open-run.js';
import type { McpMessageContext } from '../context.js';
import { MCP_ERROR, McpProtocolError } from '../errors.js';
import { abortedAnswer } from '../in-run.js';
import { isObject, type JsonRpcNotification, type RequestId } from '../messages.js';
import { newsMessage, subscriptionMeta, viewOf, type McpNews, type McpNewsBound } from '../news.js';
import type { McpCall } from '../read.js';
import {
  checkRequestLength,
  LIST_FLAGS,
  readSubscriptionFilter,
  type McpSubscriptionFilter,
} from '../subscription-filter.js';

type Result = Record<string, unknown>;

/** The result that ends a subscription from this side; `undefined` when the client ended it, and nothing may be sent. */
export async function subscriptionsListen(call: McpCall, context: McpMessageContext): Promise<Result | undefined> {
  const { news } = context;
  if (news === undefined) throw McpProtocolError.methodNotFound(call.method);
  checkRequestLength(call.message);
  const asked = readSubscriptionFilter(call.params);
  if (!news.takesMore) {
    throw McpProtocolError.invalidRequest('A subscription is a stream: accept text/event-stream, too.', 406);
  }
  const run = news.open(call.id);
  if (typeof run === 'string') throw tooMany(run, news.bounds);
  return listen(call.id, asked, run, news, (error) => {
    context.report({ where: 'looking for changes to tell a client', error });
  });
}

/**
 * The notification that goes with the result where a channel outlives its subscriptions (2026-07-28, cancellation: a server
 * that tears one down must say so by its id).
 */
export function tornDown(message: unknown): JsonRpcNotification | undefined {
  if (!isObject(message) || message['method'] !== 'subscriptions/listen') return undefined;
  return { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: message['id'] } };
}

async function listen(
  id: RequestId,
  asked: McpSubscriptionFilter,
  run: McpOpenRun,
  news: McpNews,
  fail: (error: unknown) => void,
): Promise<Result | undefined> {
  const subscription = new McpSubscription(viewOf(news), {
    tell: (event) => news.tell(newsMessage(event, id), id),
    fail,
    after: (ms, work) => news.after(ms, work),
  });
  let leave: (() => void) | undefined;
  /** At once when it is aborted: what is still being looked at is not told any more. */
  function close(): void {
    leave?.();
    leave = undefined;
    subscription.end();
    run.end();
  }
  try {
    run.hold();
    const ended = new Promise<McpAbortCause>((resolve) => {
      run.onAbort((cause) => {
        close();
        resolve(cause);
      });
    });
    leave = news.hear((event) => subscription.hear(event));
    const agreed = await Promise.race([ended, agree(asked, subscription, news)]);
    if (typeof agreed === 'string') return abortedAnswer('The subscription', agreed);
    news.tell(acknowledgement(id, agreed), id);
    subscription.begin();
    return goodbye(id, await ended);
  } finally {
    close();
  }
}

/** What the gate will tell of all that was asked for: what it offers, and of URIs those that the caller can see. */
async function agree(
  asked: McpSubscriptionFilter,
  subscription: McpSubscription,
  news: McpNews,
): Promise<McpSubscriptionFilter> {
  const { prompts, resources } = news.now();
  const offered = { tools: true, prompts: await prompts?.(), resources: await resources?.() };
  const lists = MCP_LISTS.filter((kind) => asked[LIST_FLAGS[kind]] === true && offered[kind] !== undefined);
  await Promise.all(lists.map((kind) => subscription.follow(kind)));
  const flags: McpSubscriptionFilter = Object.fromEntries(lists.map((kind) => [LIST_FLAGS[kind], true]));
  if (asked.resourceSubscriptions === undefined || offered.resources === undefined) return flags;
  const view = viewOf(news);
  const uris = asked.resourceSubscriptions;
  const seen = await Promise.all(uris.map(async (uri) => view.sees(uri)));
  const visible = uris.filter((_, at) => seen[at]);
  for (const uri of visible) subscription.watch(uri);
  return { ...flags, resourceSubscriptions: visible };
}

function acknowledgement(id: RequestId, agreed: McpSubscriptionFilter): JsonRpcNotification {
  return {
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: { ...subscriptionMeta(id), notifications: agreed },
  };
}

/** The server's own end of it is a result; a client that left or cancelled hears nothing more. */
function goodbye(id: RequestId, cause: McpAbortCause): Result | undefined {
  return cause === 'cancelled' || cause === 'disconnected' ? undefined : { ...subscriptionMeta(id) };
}

function tooMany(bound: McpNewsBound, bounds: McpNews['bounds']): McpProtocolError {
  const most = bounds.perCaller === 1 ? 'one subscription' : `${bounds.perCaller} subscriptions`;
  const message =
    bound === 'perCaller'
      ? `This caller has ${most}, which is as many as it may have at a time: close one, or ask for everything in one.`
      : 'This server has as many subscriptions as it takes from all its callers: ask again later, or list again at times.';
  return new McpProtocolError(200, MCP_ERROR.internal, message);
}
