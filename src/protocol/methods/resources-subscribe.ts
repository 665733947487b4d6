/**
 * `resources/subscribe` and `resources/unsubscribe` of the legacy revisions (2025-11-25, resources). Over a transport that has
 * no channel for what is not an answer, nobody is told of anything, and no capability promises it.
 */
import type { Awaitable } from '../../awaitable.js';
import type { McpMessageContext } from '../context.js';
import { McpProtocolError } from '../errors.js';
import { whenFound } from '../in-run.js';
import { followedUri, MOST_URIS } from '../news.js';
import { offered } from '../offered.js';
import type { McpCall } from '../read.js';

type Result = Record<string, unknown>;

export function resourcesSubscribe(call: McpCall, context: McpMessageContext): Awaitable<Result | undefined> {
  return offered(call, context.resources?.(), (catalogue) => {
    const uri = uriOf(call);
    return whenFound(call, context, catalogue.find(uri), (located) => {
      if (located === undefined) throw McpProtocolError.resourceNotFound(uri);
      if (context.channel?.watch(uri) === false) throw tooMany();
      return {};
    });
  });
}

/** One answer, whether or not there is such a resource: what was subscribed to may be gone by now. */
export function resourcesUnsubscribe(call: McpCall, context: McpMessageContext): Awaitable<Result> {
  return offered(call, context.resources?.(), () => {
    const uri = uriOf(call);
    context.channel?.unwatch(uri);
    return {};
  });
}

function uriOf({ method, params }: McpCall): string {
  return followedUri(params['uri'], `"uri" of "${method}"`);
}

function tooMany(): McpProtocolError {
  return McpProtocolError.invalidParams(
    `This client follows ${MOST_URIS} resources, which is as many as it may: unsubscribe from one.`,
    200,
  );
}
