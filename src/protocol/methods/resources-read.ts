/**
 * `resources/read`: what is under one URI, read for this caller (2026-07-28, resources).
 */
import type { Awaitable } from '../../awaitable.js';
import type { McpMessageContext } from '../context.js';
import { McpProtocolError } from '../errors.js';
import { abortedAnswer, inAskingRun, whenFound } from '../in-run.js';
import type { InputRequiredResult } from '../inputs/input-required.js';
import { offered } from '../offered.js';
import type { McpCall } from '../read.js';
import { readMcpResource, type McpReadOutcome } from '../../resources/read.js';

/** The contents, or what reading asks; `undefined` when the client cancelled or left, and nothing may be sent. */
export function resourcesRead(
  call: McpCall,
  context: McpMessageContext,
): Awaitable<Record<string, unknown> | InputRequiredResult | undefined> {
  return offered(call, context.resources?.(), (catalogue) => {
    const uri = call.params['uri'];
    if (typeof uri !== 'string' || uri === '') {
      throw McpProtocolError.invalidParams('"uri" of "resources/read" must be a string that names a resource.');
    }
    return whenFound(call, context, catalogue.find(uri), (located) => {
      if (located === undefined) throw McpProtocolError.resourceNotFound(uri);
      const what = `${located.entry.kind} ${located.entry.name}`;
      return inAskingRun(
        call,
        context,
        what,
        (run) => readMcpResource(located, uri, context.caller, run),
        (end) => (typeof end === 'string' ? abortedAnswer(`Reading ${what}`, end) : contents(end, uri, what, context)),
      );
    });
  });
}

function contents(
  outcome: McpReadOutcome,
  uri: string,
  what: string,
  context: McpMessageContext,
): Record<string, unknown> {
  switch (outcome.kind) {
    case 'contents':
      return { contents: outcome.contents };
    case 'absent':
      throw McpProtocolError.resourceNotFound(uri, outcome.message);
    case 'refused':
      throw McpProtocolError.invalidParams(outcome.message, 200, { uri });
    case 'fault': {
      const id = context.report({ where: what, error: outcome.error });
      throw McpProtocolError.internal(`Reading ${what} failed. The server's log has the cause under ${id}.`);
    }
  }
}
