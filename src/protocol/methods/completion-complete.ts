/**
 * `completion/complete`: what fits an argument of a prompt, or a variable of a template (2026-07-28, completion).
 */
import type { Awaitable } from '../../awaitable.js';
import type { McpMessageContext } from '../context.js';
import { McpProtocolError, shortened } from '../errors.js';
import { abortedAnswer, inRun, whenFound } from '../in-run.js';
import { isObject } from '../messages.js';
import { offered } from '../offered.js';
import type { McpCall } from '../read.js';
import { unknownPrompt } from './prompts-get.js';
import type { McpCompletionQuestion, McpFoundCompletion } from '../../completions/catalogue.js';
import { completeMcpValue, completionResult, type McpCompletionOutcome } from '../../completions/complete.js';
import { fitting } from '../../completions/enumerated.js';

type Result = Record<string, unknown>;

/** What a client asks: for which argument, what is typed so far, and what the other arguments are. */
interface Asked extends McpCompletionQuestion {
  readonly value: string;
  readonly others: Readonly<Record<string, string>>;
}

/** The values; `undefined` when the client cancelled or left, and nothing may be sent. */
export function completionComplete(call: McpCall, context: McpMessageContext): Awaitable<Result | undefined> {
  return offered(call, context.completions?.(), (catalogue) => {
    const asked = readParams(call.params);
    return whenFound(call, context, catalogue.find(asked), (found) => {
      if (found === undefined) throw unknownTarget(asked);
      return answer(call, asked, found, context);
    });
  });
}

function answer(
  call: McpCall,
  asked: Asked,
  found: McpFoundCompletion,
  context: McpMessageContext,
): Awaitable<Result | undefined> {
  if ('texts' in found) return { completion: completionResult(fitting(found.texts, asked.value)) };
  if ('arguments' in found) {
    const names = found.arguments.join(', ') || 'none at all';
    throw McpProtocolError.invalidParams(`Unknown argument: ${shortened(asked.argument)}. There are: ${names}.`, 200);
  }
  const { entry } = found;
  const others = { arguments: asked.others };
  return inRun(
    call,
    context,
    (run) => completeMcpValue(entry, asked.value, others, context.caller, run),
    (end) =>
      typeof end === 'string'
        ? abortedAnswer('The completion', end)
        : shaped(end, `completion of ${entry.name}`, context),
  );
}

function shaped(outcome: McpCompletionOutcome, what: string, context: McpMessageContext): Result {
  switch (outcome.kind) {
    case 'result':
      return { completion: outcome.result };
    case 'refused':
      throw McpProtocolError.invalidParams(outcome.message, 200);
    case 'fault': {
      const id = context.report({ where: what, error: outcome.error });
      throw McpProtocolError.internal(`The completion failed. The server's log has the cause under ${id}.`);
    }
  }
}

/** Unknown and withheld are one answer (T12). */
function unknownTarget({ kind, of }: Asked): McpProtocolError {
  if (kind === 'prompt') return unknownPrompt(of);
  return McpProtocolError.invalidParams(`Unknown resource template: ${shortened(of)}`, 200);
}

function readParams({ ref, argument, context }: Readonly<Record<string, unknown>>): Asked {
  const target = isObject(ref) ? readReference(ref) : undefined;
  if (target === undefined) {
    throw refused(
      '"ref" is { type: "ref/prompt", name } or { type: "ref/resource", uri }, with a template as its uri.',
    );
  }
  if (!isObject(argument) || typeof argument['name'] !== 'string' || typeof argument['value'] !== 'string') {
    throw refused('"argument" is { name, value }, both texts.');
  }
  const others = isObject(context) ? (context['arguments'] ?? {}) : (context ?? {});
  if (!isObject(others) || !Object.values(others).every((value) => typeof value === 'string')) {
    throw refused('"context" is { arguments }, an object of texts, when it is present.');
  }
  const { name, value } = argument as { name: string; value: string };
  return { ...target, argument: name, value, others: others as Record<string, string> };
}

function readReference({ type, name, uri }: Record<string, unknown>): Pick<Asked, 'kind' | 'of'> | undefined {
  if (type === 'ref/prompt' && typeof name === 'string') return { kind: 'prompt', of: name };
  return type === 'ref/resource' && typeof uri === 'string' ? { kind: 'template', of: uri } : undefined;
}

function refused(message: string): McpProtocolError {
  return McpProtocolError.invalidParams(`Invalid parameters of "completion/complete": ${message}`);
}
