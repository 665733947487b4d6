/**
 * What a test's client says when it is asked, in either era: on the way of a legacy call, or between the rounds of a modern one.
 */
import { isObject } from '../protocol/messages.js';

/** A question as the client gets it: `elicitation/create`, `sampling/createMessage` or `roots/list`. */
export interface McpTestQuestion {
  readonly method: string;
  /** `message` and `requestedSchema` of a form, `messages` of a question to a model. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** Answers as the client's user, its model, or the client: `{ action: 'accept', content: { … } }`, a message, `{ roots: [] }`. */
export type McpTestAnswers = (question: McpTestQuestion) => unknown;

/** What a client that answers declares. */
export const EVERY_CAPABILITY = Object.freeze({
  elicitation: { form: {}, url: {} },
  sampling: { tools: {} },
  roots: {},
});

/** Rounds of one call: more of them are a tool that asks for ever. */
const MAX_ROUNDS = 20;

/**
 * Sends a request, and again with its client's answers for as long as the gate asks for more.
 *
 * @throws Error when nothing answers, or when there is no end of questions.
 */
export async function askedThrough(
  params: object,
  send: (params: object) => Promise<unknown>,
  answers: McpTestAnswers | undefined,
): Promise<unknown> {
  let sent = params;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const result = await send(sent);
    if (!isObject(result) || result['resultType'] !== 'input_required') return result;
    if (answers === undefined) throw new Error('The gate asks its client: give mcpTestClient() "answers".');
    const questions = Object.entries(result['inputRequests'] as Record<string, McpTestQuestion>);
    const inputResponses: Record<string, unknown> = {};
    for (const [key, { method, params: asked = {} }] of questions) {
      inputResponses[key] = await answers({ method, params: asked });
    }
    sent = { ...params, inputResponses, requestState: result['requestState'] };
  }
  throw new Error(`The gate still asks after ${MAX_ROUNDS} rounds: do its questions change each time?`);
}
