/**
 * The questions of one run and what it keeps. Each key stands for one question: asked twice, it is put once.
 */
import { McpInputUnavailable, type McpInputNeed, type McpInputRequest, type McpPreparedQuestion } from './input.js';

/** What a key may be: it goes over the wire, and into logs. */
const KEY = /^[A-Za-z0-9_.-]{1,64}$/;

/** A question, and what a client must be able to do for it. */
export interface McpNeedingQuestion<A = unknown> extends McpPreparedQuestion<A> {
  readonly needs: McpInputNeed;
}

interface Asked {
  readonly question: string;
  readonly answer: Promise<unknown>;
}

/** How a run asks and remembers. */
export abstract class McpRunInputs {
  /** The keys that were asked under, in that order. */
  protected readonly keys = new Set<string>();
  /** What is wrong with the questions themselves: the author's fault, and nothing for a client to answer. */
  protected conflict: Error | undefined;
  private readonly asked = new Map<string, Asked>();
  private readonly kept = new Map<string, Promise<unknown>>();
  private readonly underWay = new Set<Promise<unknown>>();

  /** Whether the client can be asked for this. */
  abstract can(need: McpInputNeed): boolean;

  /** Puts a question. @param text the question as text: what changes it makes it another question */
  protected abstract put<A>(key: string, question: McpNeedingQuestion<A>, text: string): Promise<A>;

  /** What was kept under a key before this run, if anything. */
  protected abstract recall(key: string): { readonly value: unknown } | undefined;

  /** Why a client cannot be asked. */
  protected unavailable(need: McpInputNeed): McpInputUnavailable {
    return new McpInputUnavailable(need);
  }

  /** The run is over: nobody waits for an answer any more. */
  abstract over(): void;

  /** Keeps a value for the runs that go on from this one. */
  protected abstract keep(key: string, value: unknown): void;

  ask<A>(key: string, request: McpInputRequest<A>): Promise<A> {
    this.keys.add(key);
    const answer = this.askOnce(key, request);
    this.underWay.add(answer);
    // Also one that nobody has waited for yet must not end the process.
    answer.then(forget(this.underWay, answer), forget(this.underWay, answer));
    return answer;
  }

  remember<T>(key: string, compute: () => T | Promise<T>): Promise<T> {
    let kept = this.kept.get(key);
    if (kept === undefined) {
      this.kept.set(key, (kept = this.computeOnce(key, compute)));
      kept.catch(() => this.kept.delete(key)); // what failed may be tried again
    }
    return kept as Promise<T>;
  }

  /** Fulfilled once every question that was begun has been put or refused. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.underWay);
  }

  private async askOnce<A>(key: string, request: McpInputRequest<A>): Promise<A> {
    checkKey(key);
    checkRequest(key, request);
    if (!this.can(request.needs)) throw this.unavailable(request.needs);
    const question = { needs: request.needs, ...(await request.prepare()) };
    const text = JSON.stringify([question.method, question.params]);
    const earlier = this.asked.get(key);
    if (earlier === undefined) {
      const answer = this.put(key, question, text);
      this.asked.set(key, { question: text, answer });
      return answer;
    }
    if (earlier.question === text) return earlier.answer as Promise<A>;
    this.conflict = new Error(`The key "${key}" stands for two questions in one run: give each a key of its own.`);
    throw this.conflict;
  }

  private async computeOnce(key: string, compute: () => unknown): Promise<unknown> {
    checkKey(key);
    const known = this.recall(key);
    if (known !== undefined) return known.value;
    if (typeof compute !== 'function') {
      throw new TypeError(`run.remember("${key}", …) takes a function that computes the value: () => value.`);
    }
    const text = jsonOf(key, await compute());
    // The same kind of value the first time as all others: a Date would be a text the second time.
    const value = text === undefined ? undefined : (JSON.parse(text) as unknown);
    this.keep(key, value);
    return value;
  }
}

/** Of a run that has no client to ask. */
export class McpNoInputs extends McpRunInputs {
  can(): boolean {
    return false;
  }

  protected override unavailable(need: McpInputNeed): McpInputUnavailable {
    return new McpInputUnavailable(
      need,
      'Nobody can be asked here: tools, prompts and resources can ask, a completion cannot.',
    );
  }

  protected put<A>(): Promise<A> {
    throw new Error('There is nobody to ask.'); // never reached: `can` says so before
  }

  protected recall(): undefined {
    return undefined;
  }

  protected keep(): void {}

  over(): void {}
}

/** Whoever forgets `elicitForm()` around the form is told so, and by name. */
function checkRequest(key: string, request: unknown): void {
  const { needs, prepare } = (request ?? {}) as Partial<McpInputRequest>;
  if (typeof needs === 'string' && typeof prepare === 'function') return;
  throw new TypeError(
    `run.ask("${key}", …) takes a question: make one with elicitForm(), elicitUrl(), sample() or listRoots().`,
  );
}

/** @throws TypeError for what no client can carry: it names the key. */
function jsonOf(key: string, value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    throw new TypeError(
      `What run.remember("${key}", …) keeps must be JSON: no BigInt, and nothing that holds itself. Remember an id or a text.`,
    );
  }
}

/** @throws TypeError for a key that cannot go over the wire. */
function checkKey(key: unknown): void {
  if (typeof key === 'string' && KEY.test(key)) return;
  throw new TypeError('A key of run.ask() and run.remember() is 1 to 64 letters, digits, "_", "." or "-".');
}

function forget<T>(set: Set<T>, entry: T): () => void {
  return () => void set.delete(entry);
}
