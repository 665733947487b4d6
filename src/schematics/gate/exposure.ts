/**
 * Who may call a generated gate (N1), and what of its code depends on that.
 */
import type { Names } from '../names.js';
import { oneOf } from '../choice.js';

/** This machine; everybody with a token; everybody, and with a token more. */
export const EXPOSURES = ['local', 'oauth', 'mixed'] as const;
export type Exposure = (typeof EXPOSURES)[number];

/** What the templates of a gate are filled with. */
export interface GateWords {
  readonly names: Names;
  readonly expose: Exposure;
  /** The end of relative imports: `.js` in an ES module. */
  readonly js: string;
}

/** What is chosen. The Nest CLI refuses options that it does not know, and knows one called "type". */
export function exposureOf({ expose, type }: { readonly expose?: string; readonly type?: string }): Exposure {
  if (expose !== undefined && type !== undefined && expose !== type) {
    throw new Error(`"expose" and "type" say the same thing, and here ${expose} and ${type}: leave one out.`);
  }
  return oneOf(EXPOSURES, expose ?? type ?? 'local', 'a way to expose a gate');
}

/** The tools that are written. */
export function gateTools(tool: string, expose: Exposure): string[] {
  return [`${tool}_find`, `${tool}_rebuild`, ...(expose === 'oauth' ? [`${tool}_me`] : [])];
}
