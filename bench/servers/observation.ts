/**
 * Who listens to Node's own channels of HTTP, switched off and on again: what listening costs is then seen within one
 * process, where two launches of one server differ by more.
 */
import channels from 'node:diagnostics_channel';
import { syncBuiltinESMExports } from 'node:module';

type Listener = Parameters<typeof channels.subscribe>[1];

const listening: (readonly [name: string | symbol, listener: Listener])[] = [];
const { subscribe } = channels;
let on = true;

/** Notes from now on who listens. */
export function noteListeners(): void {
  channels.subscribe = (name, listener) => {
    listening.push([name, listener]);
    subscribe(name, listener);
  };
  syncBuiltinESMExports();
}

export function listen(wanted: boolean): void {
  if (on === wanted) return;
  on = wanted;
  for (const [name, listener] of listening) (on ? subscribe : channels.unsubscribe)(name, listener);
}
