/**
 * Where a function or a class is written: V8 knows the script and the line of each, and source maps lead back to TypeScript.
 */
import type { SourceMap } from 'node:module';
import { relative, sep } from 'node:path';
import { locationsOf } from './function-locations.js';
import { sourceOf, type Place } from './source-maps.js';

export type { Place } from './source-maps.js';

/** What was found once, in whole paths: a function stays where it is, and asking V8 makes it tell of every script. */
const known = new WeakMap<Function, Place>();

/** The places of functions and classes as they are told, as far as they can be known. Never throws. */
export async function placesOf(functions: readonly Function[], project: string): Promise<ReadonlyMap<Function, Place>> {
  await learn(functions.filter((one) => !known.has(one)));
  const places = new Map<Function, Place>();
  for (const one of functions) {
    const place = known.get(one);
    if (place !== undefined) places.set(one, { ...place, file: told(place.file, project) });
  }
  return places;
}

async function learn(functions: readonly Function[]): Promise<void> {
  if (functions.length === 0) return;
  const maps = new Map<string, SourceMap | undefined>();
  for (const [one, location] of await locationsOf(functions)) {
    const place = sourceOf(location, maps);
    if (place !== undefined) known.set(one, place);
  }
}

/** Seen from the project; of a package, wherever it is kept, from its folder on. No path of this machine is told. */
function told(file: string, project: string): string {
  const parts = file.split(sep);
  const at = parts.lastIndexOf('node_modules');
  return (at < 0 ? relative(project, file) : parts.slice(at).join(sep)).replaceAll(sep, '/');
}
