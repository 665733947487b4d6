/**
 * Questions that were put to clients of a gate and wait for their response, which comes as a message of its own. Each is
 * answered once, by whom it was put to, under an id that nobody else can guess.
 */
import { randomUUID } from 'node:crypto';
import type { McpClientAnswer, McpOpenQuestion } from '../protocol/context.js';
import type { RequestId } from '../protocol/messages.js';
import type { McpClock } from '../runs/clock.js';
import type { McpWayToClient } from './way-to-client.js';

/** One question, whom it is for, and the way to them. */
export interface McpQuestionPut {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>> | undefined;
  /** The request during which it is put. */
  readonly about: RequestId;
  readonly way: McpWayToClient;
  readonly principal: string;
  readonly clock: McpClock;
  /** Milliseconds that the client has. */
  readonly withinMs: number;
}

interface Waiting {
  readonly principal: string;
  readonly settle: (answer: McpClientAnswer) => void;
}

export class McpOpenQuestions {
  private readonly waiting = new Map<RequestId, Waiting>();

  /** How many wait. */
  get size(): number {
    return this.waiting.size;
  }

  put({ method, params, about, way, principal, clock, withinMs }: McpQuestionPut): McpOpenQuestion {
    const id = `ask-${randomUUID()}`;
    let settle!: Waiting['settle'];
    const answer = new Promise<McpClientAnswer>((resolve) => {
      settle = (known) => {
        if (!this.waiting.delete(id)) return;
        stopWaiting();
        resolve(known);
      };
    });
    const stopWaiting = clock.after(withinMs, () => {
      const told = { requestId: id, reason: 'It was not answered in time.' };
      way.notify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: told }, about);
      settle({ error: 'late' });
    });
    this.waiting.set(id, { principal, settle });
    way.ask({ jsonrpc: '2.0', id, method, ...(params && { params }) }, about);
    return { answer, withdraw: () => settle({ error: 'withdrawn' }) };
  }

  /** Takes a client's response. `false` when no question of ITS waits under that id: unknown, answered, or another's. */
  answer(principal: string, id: RequestId, answer: McpClientAnswer): boolean {
    const question = this.waiting.get(id);
    if (question === undefined || question.principal !== principal) return false;
    question.settle(answer);
    return true;
  }
}
