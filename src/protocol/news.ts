/**
 * What a client is told without having asked at that moment: in which words, and how what it can see is looked at.
 */
import { whenThere } from '../awaitable.js';
import type { McpEvent } from '../events/event.js';
import { fingerprint } from '../events/fingerprint.js';
import type { McpView } from '../events/subscription.js';
import { publishMcpPrompts } from '../prompts/declared-prompt.js';
import { publishMcpResources } from '../resources/publish.js';
import { normalUri } from '../resources/uri-template/normal-uri.js';
import type { McpOpenRun } from '../runs/open-run.js';
import { publishMcpTools } from '../tools/publish.js';
import type { McpMessageContext } from './context.js';
import { McpProtocolError } from './errors.js';
import type { JsonRpcNotification, RequestId } from './messages.js';
import { META_KEY } from './read.js';

/** What a caller can see. */
export type McpOffering = Pick<McpMessageContext, 'catalogue' | 'resources' | 'prompts'>;

/** What bounds how many subscriptions there are: of one caller, and of all. */
export type McpNewsBound = 'perCaller' | 'total';

/** Where changes are heard of, for one client. */
export interface McpNews {
  /** Whether the client takes anything before its answer. */
  readonly takesMore: boolean;
  /** How many subscriptions there may be. */
  readonly bounds: Readonly<Record<McpNewsBound, number>>;
  /** Opens a run that lasts until somebody ends it; or says what bounds it when there are as many as there may be. */
  open(requestId: RequestId): McpOpenRun | McpNewsBound;
  /** Hears of every change, until the result is called. */
  hear(listener: (event: McpEvent) => void): () => void;
  /** What there is for the caller at this moment. Whoever decides over it is asked anew. */
  now(): McpOffering;
  /** Calls back after milliseconds, unless the result is called before. */
  after(ms: number, work: () => void): () => void;
  /** @param about the request that it belongs to, when it belongs to one */
  tell(message: JsonRpcNotification, about?: RequestId): void;
}

/** What a client is told over the one channel that it has for everything, where there is one (legacy, over a pipe). */
export interface McpChannel {
  /** The client is ready to be told. */
  begin(): void;
  /** Tells it of changes under a URI. `false`: it follows as many as it may. */
  watch(uri: string): boolean;
  unwatch(uri: string): void;
}

/** The most URIs that one client may follow at a time. */
export const MOST_URIS = 100;

/** The most characters of one of them. */
const LONGEST_URI = 2_048;

/** @throws McpProtocolError `-32602` for anything but a URI that could be followed. */
export function followedUri(uri: unknown, what: string): string {
  if (typeof uri === 'string' && uri !== '' && uri.length <= LONGEST_URI) return uri;
  throw McpProtocolError.invalidParams(`${what} must be a URI of at most ${LONGEST_URI} characters.`);
}

const METHODS: Readonly<Record<McpEvent['kind'], string>> = {
  tools: 'notifications/tools/list_changed',
  prompts: 'notifications/prompts/list_changed',
  resources: 'notifications/resources/list_changed',
  resource: 'notifications/resources/updated',
};

/** An event as a client is told of it. */
export function newsMessage(event: McpEvent, subscription?: RequestId): JsonRpcNotification {
  const params = {
    ...(subscription !== undefined && subscriptionMeta(subscription)),
    ...(event.kind === 'resource' && { uri: event.uri }),
  };
  return { jsonrpc: '2.0', method: METHODS[event.kind], ...(Object.keys(params).length > 0 && { params }) };
}

/** What every message of a subscription carries: the id of the request that opened it (2026-07-28, subscriptions). */
export function subscriptionMeta(id: RequestId): { readonly _meta: Readonly<Record<string, unknown>> } {
  return { _meta: { [META_KEY.subscriptionId]: id } };
}

/** What one client can see, by the words of its lists. */
export function viewOf(news: Pick<McpNews, 'now'>): McpView {
  return {
    list(kind) {
      const offering = news.now();
      switch (kind) {
        case 'tools':
          return whenThere(offering.catalogue.list(), (tools) => fingerprint(publishMcpTools(tools)));
        case 'prompts':
          return whenThere(offering.prompts?.(), (prompts) =>
            whenThere(prompts?.list() ?? [], (list) => fingerprint(publishMcpPrompts(list))),
          );
        case 'resources':
          return whenThere(offering.resources?.(), (resources) =>
            whenThere(resources?.list() ?? [], (list) =>
              whenThere(resources?.templates() ?? [], (templates) =>
                [publishMcpResources(list), publishMcpResources(templates)].map(fingerprint).join(),
              ),
            ),
          );
      }
    },
    spelling: normalUri,
    sees: (uri) =>
      whenThere(news.now().resources?.(), (resources) =>
        whenThere(resources?.find(uri), (located) => located !== undefined),
      ),
  };
}
