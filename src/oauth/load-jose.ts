/**
 * jose, with the first token: an application whose gates are open starts without it.
 */
import type * as Jose from 'jose';

let loading: Promise<typeof Jose> | undefined;

export function loadJose(): Promise<typeof Jose> {
  return (loading ??= import('jose'));
}
