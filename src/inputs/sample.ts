/**
 * A question for the client's model (2026-07-28, sampling).
 */
import type { McpInputRequest } from '../runs/input.js';

/** One part of a message for or of a model. */
export type McpSamplingContent =
  | { readonly type: 'text'; readonly text: string; readonly [key: string]: unknown }
  | {
      readonly type: 'image' | 'audio';
      readonly data: string;
      readonly mimeType: string;
      readonly [key: string]: unknown;
    }
  | {
      readonly type: 'tool_use';
      readonly id: string;
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
      readonly [key: string]: unknown;
    }
  | {
      readonly type: 'tool_result';
      readonly toolUseId: string;
      readonly content: readonly object[];
      readonly [key: string]: unknown;
    };

/** What was said so far. */
export interface McpSamplingMessage {
  readonly role: 'user' | 'assistant';
  readonly content: McpSamplingContent | readonly McpSamplingContent[];
}

/** What the model is to do. A client may choose another model, shorten, or show its user everything first. */
export interface McpSampling {
  readonly messages: readonly McpSamplingMessage[];
  /** The most tokens of the answer. */
  readonly maxTokens: number;
  readonly systemPrompt?: string;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  /** Names and priorities from 0 to 1; a client may ignore them. */
  readonly modelPreferences?: {
    readonly hints?: readonly { readonly name?: string }[];
    readonly costPriority?: number;
    readonly speedPriority?: number;
    readonly intelligencePriority?: number;
  };
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Tools that the model may ask for; needs a client with `sampling.tools`. */
  readonly tools?: readonly object[];
  readonly toolChoice?: { readonly mode?: 'auto' | 'required' | 'none' };
}

/** What the model said. */
export interface McpSample {
  readonly role: 'user' | 'assistant';
  readonly content: McpSamplingContent | readonly McpSamplingContent[];
  readonly model: string;
  /** `endTurn`, `stopSequence`, `maxTokens`, `toolUse`, or a word of the provider. */
  readonly stopReason?: string;
}

/**
 * Asks the client's model. The specification has deprecated sampling (2026-07-28, deprecated features): for new work call a
 * model of your own.
 */
export function sample(sampling: McpSampling): McpInputRequest<McpSample> {
  const withTools = sampling.tools !== undefined || sampling.toolChoice !== undefined;
  return {
    needs: withTools ? 'sampling.tools' : 'sampling',
    prepare: () => ({
      method: 'sampling/createMessage',
      params: { ...checked(sampling) },
      read: (answer) => (isSample(answer) ? { value: answer } : undefined),
    }),
  };
}

function checked(sampling: McpSampling): McpSampling {
  const { messages, maxTokens } = sampling;
  if (!Array.isArray(messages) || messages.length === 0 || !messages.every(isMessage)) {
    throw new TypeError('The messages of sample() must be an array of { role, content } with at least one of them.');
  }
  if (!Number.isInteger(maxTokens) || maxTokens < 1) {
    throw new TypeError('maxTokens of sample() must be a whole number above 0: the most tokens of the answer.');
  }
  return sampling;
}

function isSample(answer: unknown): answer is McpSample {
  if (!isMessage(answer)) return false;
  const { model, stopReason } = answer as unknown as Record<string, unknown>;
  return typeof model === 'string' && (stopReason === undefined || typeof stopReason === 'string');
}

function isMessage(value: unknown): value is McpSamplingMessage {
  if (typeof value !== 'object' || value === null) return false;
  const { role, content } = value as Record<string, unknown>;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  return (role === 'user' || role === 'assistant') && blocks.length > 0 && blocks.every(isBlock);
}

const FIELDS: ReadonlyMap<unknown, Readonly<Record<string, string>>> = new Map<
  unknown,
  Readonly<Record<string, string>>
>([
  ['text', { text: 'string' }],
  ['image', { data: 'string', mimeType: 'string' }],
  ['audio', { data: 'string', mimeType: 'string' }],
  ['tool_use', { id: 'string', name: 'string', input: 'object' }],
  ['tool_result', { toolUseId: 'string', content: 'object' }],
]);

function isBlock(block: unknown): boolean {
  if (typeof block !== 'object' || block === null) return false;
  const fields = FIELDS.get((block as { type?: unknown }).type);
  if (fields === undefined) return false;
  const values = block as Record<string, unknown>;
  return Object.entries(fields).every(([name, type]) => typeof values[name] === type && values[name] !== null);
}
