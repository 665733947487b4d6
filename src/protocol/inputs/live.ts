/**
 * Questions to a legacy client: each goes out before the answer to its call, and the client's response to it lets the SAME run
 * go on (2025-11-25, elicitation, sampling, roots).
 */
import { McpInputUnavailable, type McpInputNeed } from '../../runs/input.js';
import { McpRunInputs, type McpNeedingQuestion } from '../../runs/inputs.js';
import { McpToolFailure } from '../../tools/failure.js';
import type { McpClientAnswer, McpMessageContext, McpOpenQuestion } from '../context.js';
import { MCP_ERROR } from '../errors.js';
import type { McpCall } from '../read.js';
import { declares, isKnownIn } from './capabilities.js';

/** How often one question is put to a client whose answers do not fit it. */
const MAX_TRIES = 3;

export class LiveInputs extends McpRunInputs {
  private readonly open = new Set<McpOpenQuestion>();
  private ended = false;

  constructor(
    private readonly call: McpCall,
    private readonly context: McpMessageContext,
  ) {
    super();
  }

  /**
   * Without sessions nobody knows what a client declared when it shook hands over HTTP: it is asked, and one that cannot says
   * so. Over a pipe it is known.
   */
  can(need: McpInputNeed): boolean {
    const { call, context } = this;
    if (context.question === undefined || !isKnownIn(call.version, need)) return false;
    return call.capabilities === undefined || declares(call.capabilities, need);
  }

  protected async put<A>(key: string, question: McpNeedingQuestion<A>): Promise<A> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const answer = await this.answerTo(question);
      const read = await question.read(answer);
      if (read !== undefined) return read.value;
    }
    throw new McpToolFailure(`The client's answers to "${key}" do not fit what it was asked.`);
  }

  private async answerTo({ method, params, needs }: McpNeedingQuestion): Promise<unknown> {
    if (this.ended) throw callIsOver();
    const question = this.context.question!(this.call.id, method, shaped(method, params));
    this.open.add(question);
    const answer = await question.answer;
    this.open.delete(question);
    if ('result' in answer) return answer.result;
    throw refusal(answer, needs);
  }

  over(): void {
    this.ended = true;
    for (const question of this.open) question.withdraw();
  }

  protected recall(): undefined {
    return undefined; // a live run keeps what it has computed by itself
  }

  protected keep(): void {}
}

function refusal({ error }: Exclude<McpClientAnswer, { result: unknown }>, needs: McpInputNeed): Error {
  switch (error) {
    case 'withdrawn':
      return callIsOver();
    case 'late':
      return new McpToolFailure('The client did not answer in time.');
    case MCP_ERROR.methodNotFound:
      return new McpInputUnavailable(needs);
    default:
      return new McpToolFailure('The client refused to answer.');
  }
}

function callIsOver(): DOMException {
  return new DOMException('The call is over.', 'AbortError');
}

/** A page needs an id in the revision that brought it (2025-11-25, elicitation, URL mode); there is none any more. */
function shaped(
  method: string,
  params: Readonly<Record<string, unknown>> | undefined,
): Readonly<Record<string, unknown>> | undefined {
  const isPage = method === 'elicitation/create' && params?.['mode'] === 'url';
  return isPage ? { ...params, elicitationId: crypto.randomUUID() } : params;
}
