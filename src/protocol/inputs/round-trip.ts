/**
 * Questions to a modern client: the call ends with them, and begins anew when the client brings the answers (2026-07-28,
 * multi round-trip requests).
 */
import { McpInputRequired, type McpInputNeed } from '../../runs/input.js';
import { McpRunInputs, type McpNeedingQuestion } from '../../runs/inputs.js';
import type { McpMessageContext } from '../context.js';
import type { McpCall } from '../read.js';
import { declares } from './capabilities.js';
import { digestOf } from './digest.js';
import { InputRequiredResult, type InputRequest } from './input-required.js';
import { sealState, type InputState, type StatedAnswer } from './state.js';

export class RoundTripInputs extends McpRunInputs {
  private readonly answers: Map<string, StatedAnswer>;
  private readonly remembered: Map<string, unknown>;
  private readonly required = new Map<string, { readonly request: InputRequest; readonly digest: string }>();

  constructor(
    private readonly capabilities: Readonly<Record<string, unknown>>,
    private readonly state: InputState,
  ) {
    super();
    this.answers = new Map(state.answers);
    this.remembered = new Map(state.kept);
  }

  can(need: McpInputNeed): boolean {
    return declares(this.capabilities, need);
  }

  protected async put<A>(key: string, question: McpNeedingQuestion<A>, text: string): Promise<A> {
    const { method, params } = question;
    const digest = await digestOf(text);
    const [asked, given] = this.answers.get(key) ?? this.unasked(key, digest);
    const read = asked === digest ? await question.read(given) : undefined;
    if (read !== undefined) {
      this.answers.set(key, [digest, given]);
      return read.value;
    }
    // Not asked yet, asked otherwise, or answered with something that does not fit: the client is asked (again).
    this.answers.delete(key);
    this.required.set(key, { request: { method, ...(params && { params }) }, digest });
    throw new McpInputRequired(key);
  }

  /** What came under a key without a state: an answer to whatever is asked under it. */
  private unasked(key: string, digest: string): StatedAnswer | [] {
    const { unasked } = this.state;
    return unasked !== undefined && Object.hasOwn(unasked, key) ? [digest, unasked[key]] : [];
  }

  protected recall(key: string): { readonly value: unknown } | undefined {
    return this.remembered.has(key) ? { value: this.remembered.get(key) } : undefined;
  }

  protected keep(key: string, value: unknown): void {
    this.remembered.set(key, value);
  }

  over(): void {} // the answers come with the next request, if they come

  /** The result that puts the open questions; `undefined` when there are none. */
  async result(call: McpCall, context: McpMessageContext): Promise<InputRequiredResult | undefined> {
    await this.settled();
    if (this.required.size === 0) return undefined;
    if (this.conflict !== undefined) throw this.conflict;
    const open = [...this.keys].flatMap((key) => {
      const question = this.required.get(key);
      return question === undefined ? [] : [[key, question] as const];
    });
    const requests = open.map(([key, { request }]) => [key, request] as const);
    const asked = new Map(open.map(([key, { digest }]) => [key, digest]));
    const state = await sealState(call, context, { asked, answers: this.answers, kept: this.remembered });
    return new InputRequiredResult(Object.fromEntries(requests), state);
  }
}
