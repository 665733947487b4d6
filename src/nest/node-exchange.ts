/**
 * Node's own request and response behind those of a framework: Express's are Node's, Fastify's are taken over, with the
 * headers that its plugins have set on the reply.
 */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** One exchange as Node has it. */
export interface NodeExchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** What a framework would have sent along, where it keeps that apart. */
  readonly headers?: OutgoingHttpHeaders;
}

/** What is used of a reply of Fastify. */
interface ReplyLike {
  readonly raw: ServerResponse;
  readonly request: { readonly raw: IncomingMessage };
  getHeaders(): OutgoingHttpHeaders;
  hijack(): unknown;
}

/** Takes an exchange over: from here on the framework sends nothing. */
export function takeOver(request: object, response: object): NodeExchange {
  if (!isReply(response)) return { req: request as IncomingMessage, res: response as ServerResponse };
  const headers = response.getHeaders();
  response.hijack();
  return { req: response.request.raw, res: response.raw, headers };
}

function isReply(response: object): response is ReplyLike {
  return typeof (response as Partial<ReplyLike>).hijack === 'function';
}
