/**
 * A result that asks the client for more before there is one (2026-07-28, InputRequiredResult).
 */

/** One question on the wire. */
export interface InputRequest {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

export class InputRequiredResult {
  readonly resultType = 'input_required';

  constructor(
    readonly inputRequests: Readonly<Record<string, InputRequest>>,
    readonly requestState: string,
  ) {}

  /** The result with what every result says. */
  toWire(_meta: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const { resultType, inputRequests, requestState } = this;
    return { resultType, inputRequests, requestState, _meta };
  }
}
