/**
 * `prompts/get`: one prompt, filled in for this caller (2026-07-28, prompts).
 */
import type { Awaitable } from '../../awaitable.js';
import type { McpMessageContext } from '../context.js';
import { McpProtocolError, shortened } from '../errors.js';
import { abortedAnswer, inAskingRun, whenFound } from '../in-run.js';
import type { InputRequiredResult } from '../inputs/input-required.js';
import { isObject } from '../messages.js';
import { offered } from '../offered.js';
import type { McpCall } from '../read.js';
import { getMcpPrompt, type McpPromptOutcome } from '../../prompts/get.js';

/** The messages, or what the prompt asks; `undefined` when the client cancelled or left, and nothing may be sent. */
export function promptsGet(
  call: McpCall,
  context: McpMessageContext,
): Awaitable<Record<string, unknown> | InputRequiredResult | undefined> {
  return offered(call, context.prompts?.(), (catalogue) => {
    const { name, args } = readPromptParams(call.params);
    return whenFound(call, context, catalogue.find(name, args), (entry) => {
      if (entry === undefined) throw unknownPrompt(name);
      return inAskingRun(
        call,
        context,
        `prompt ${name}`,
        (run) => getMcpPrompt(entry, args, context.caller, run),
        (end) => (typeof end === 'string' ? abortedAnswer(`Prompt ${name}`, end) : messages(end, name, context)),
      );
    });
  });
}

/** Unknown and withheld are one answer (T12). */
export function unknownPrompt(name: string): McpProtocolError {
  return McpProtocolError.invalidParams(`Unknown prompt: ${shortened(name)}`, 200);
}

function readPromptParams(params: Readonly<Record<string, unknown>>): { name: string; args: Record<string, unknown> } {
  const { name, arguments: args } = params;
  if (typeof name !== 'string' || name === '') {
    throw McpProtocolError.invalidParams('"name" of "prompts/get" must be a string that names a prompt.');
  }
  if (args === undefined || args === null) return { name, args: {} };
  if (!isObject(args)) throw McpProtocolError.invalidParams('"arguments" of "prompts/get" must be an object.');
  return { name, args };
}

function messages(outcome: McpPromptOutcome, name: string, context: McpMessageContext): Record<string, unknown> {
  switch (outcome.kind) {
    case 'result':
      return { ...outcome.result };
    case 'refused':
      throw McpProtocolError.invalidParams(outcome.message, 200);
    case 'fault': {
      const id = context.report({ where: `prompt ${name}`, error: outcome.error });
      throw McpProtocolError.internal(`Prompt ${name} failed. The server's log has the cause under ${id}.`);
    }
  }
}
