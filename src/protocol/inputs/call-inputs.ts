/**
 * How the run of one call asks, whichever era its client is of: the ONE place that chooses. Made when a method first asks.
 */
import type { Awaitable } from '../../awaitable.js';
import type { McpRunInputs } from '../../runs/inputs.js';
import type { McpInputSource } from '../../runs/open-run.js';
import type { McpMessageContext } from '../context.js';
import type { McpCall } from '../read.js';
import { LiveInputs } from './live.js';
import type { InputRequiredResult } from './input-required.js';
import { RoundTripInputs } from './round-trip.js';
import { goesOn, NO_STATE, openState, type InputState } from './state.js';

export class CallInputs implements McpInputSource {
  private roundTrip: RoundTripInputs | undefined;

  constructor(
    private readonly call: McpCall,
    private readonly context: McpMessageContext,
    private readonly state: InputState,
  ) {}

  of(): McpRunInputs {
    if (this.call.era === 'legacy') return new LiveInputs(this.call, this.context);
    return (this.roundTrip = new RoundTripInputs(this.call.capabilities ?? {}, this.state));
  }

  /** What the client must answer before there is a result; `undefined` when nothing is open. */
  required(): Awaitable<InputRequiredResult | undefined> {
    return this.roundTrip?.result(this.call, this.context);
  }
}

/** The questions of a call. @throws McpProtocolError for a state that is not of this call. */
export function inputsOf(call: McpCall, context: McpMessageContext): Awaitable<CallInputs> {
  if (call.era === 'legacy' || !goesOn(call)) return new CallInputs(call, context, NO_STATE);
  return openState(call, context).then((state) => new CallInputs(call, context, state));
}
