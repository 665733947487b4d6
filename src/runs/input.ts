/**
 * What a run may ask for while it works: a question for the client's user, its model, or the client itself. One word for
 * both eras; how a question reaches the client is the protocol's.
 */
import type { Awaitable } from '../awaitable.js';

/** What a client must be able to do for a question. */
export type McpInputNeed = 'elicitation' | 'elicitation.url' | 'sampling' | 'sampling.tools' | 'roots';

/** A question, ready to be put. `elicitForm`, `elicitUrl`, `sample` and `listRoots` make one. */
export interface McpInputRequest<Answer = unknown> {
  readonly needs: McpInputNeed;
  /** @throws TypeError for a question that no client could be asked. */
  prepare(): Awaitable<McpPreparedQuestion<Answer>>;
}

/** A question as it goes out, and how its answer is read. */
export interface McpPreparedQuestion<Answer = unknown> {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params?: Readonly<Record<string, unknown>>;
  /** The answer, checked; `undefined` for one that does not fit the question. */
  read(answer: unknown): Awaitable<McpReadAnswer<Answer> | undefined>;
}

/** An answer that fits. */
export interface McpReadAnswer<Answer> {
  readonly value: Answer;
}

/** What the user chose when asked. */
export type McpElicitAction = 'accept' | 'decline' | 'cancel';

/** The `action` of an answer to `elicitation/create`; `undefined` when there is none. */
export function elicitActionOf(answer: unknown): McpElicitAction | undefined {
  const action = typeof answer === 'object' && answer !== null && 'action' in answer ? answer.action : undefined;
  return action === 'accept' || action === 'decline' || action === 'cancel' ? action : undefined;
}

/** The client cannot be asked for this: it did not say that it can, or there is no way to it. */
export class McpInputUnavailable extends Error {
  override readonly name = 'McpInputUnavailable';

  constructor(
    readonly needs: McpInputNeed,
    reason = `This client cannot be asked: it has no "${needs}". Look with run.can('${needs}') first, or do without.`,
  ) {
    super(reason);
  }

  /** What it would have to declare, as the wire has it. */
  get requiredCapabilities(): Readonly<Record<string, object>> {
    const [capability, part] = this.needs.split('.') as [string, string?];
    return { [capability]: part === undefined ? {} : { [part]: {} } };
  }
}

/** Whether something thrown is one of these; whatever it is, looking at it throws nothing. */
export function isInputUnavailable(thrown: unknown): thrown is McpInputUnavailable {
  return isInstance(thrown, McpInputUnavailable);
}

/**
 * Thrown by `run.ask()` when the answer comes with the client's next request: the method ends here, and begins anew then.
 * Whoever catches everything lets it pass; caught or not, the question is put.
 */
export class McpInputRequired extends Error {
  override readonly name = 'McpInputRequired';

  constructor(key: string) {
    super(`The answer to "${key}" comes with the client's next request.`);
  }
}

/** Whether something thrown ends a method because its client is asked, or cannot be: nothing for a filter to answer. */
export function isAboutInput(thrown: unknown): boolean {
  return isInstance(thrown, McpInputRequired) || isInputUnavailable(thrown);
}

/** `instanceof`, also of a proxy whose traps throw. */
function isInstance(thrown: unknown, type: abstract new (...args: never[]) => object): boolean {
  try {
    return thrown instanceof type;
  } catch {
    return false;
  }
}
