/**
 * What a gate does not offer it does not answer for: without resources there is no method that asks for one.
 */
import { whenThere, type Awaitable } from '../awaitable.js';
import { McpProtocolError } from './errors.js';
import type { McpCall } from './read.js';

/**
 * Goes on with a catalogue.
 *
 * @throws McpProtocolError `-32601` when there is none.
 */
export function offered<C, R>(
  call: McpCall,
  catalogue: Awaitable<C | undefined>,
  goOn: (catalogue: C) => Awaitable<R>,
): Awaitable<R> {
  return whenThere(catalogue, (known) => {
    if (known === undefined) throw McpProtocolError.methodNotFound(call.method);
    return goOn(known);
  });
}
