/**
 * From a place in a script to the place in what it was compiled from, by its source map.
 */
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { FunctionLocation } from './function-locations.js';

/** Where something is written. */
export interface Place {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** Whole paths; `undefined` for what is in no file. `read` keeps the maps of scripts that were read before. */
export function sourceOf(
  { script: { url, map }, line, column }: FunctionLocation,
  read: Map<string, SourceMap | undefined>,
): Place | undefined {
  const file = url.startsWith('file:') ? fileAt(url) : url;
  if (file === undefined || (!file.startsWith('/') && !/^[A-Za-z]:[\\/]/.test(file))) return undefined;
  if (!read.has(file)) read.set(file, map ? readMap(map, file) : undefined);
  const entry = read.get(file)?.findEntry(line, column);
  if (entry !== undefined && 'originalSource' in entry && entry.originalSource !== undefined) {
    const source = fileAt(entry.originalSource, pathToFileURL(file));
    if (source !== undefined && existsSync(source)) return { file: source, line: entry.originalLine + 1 };
  }
  return { file, line: line + 1 };
}

function readMap(map: string, file: string): SourceMap | undefined {
  try {
    const inline = /^data:[^,]*?(;base64)?,(.*)$/s.exec(map);
    const text = inline
      ? Buffer.from(inline[2]!, inline[1] === undefined ? 'utf8' : 'base64').toString()
      : readFileSync(resolve(dirname(file), decodeURI(map)), 'utf8');
    return new SourceMap(JSON.parse(text) as SourceMapPayload);
  } catch {
    return undefined;
  }
}

/** The file at an address; `undefined` for one that is no file's, as bundlers write them: `webpack://shop/src/main.ts`. */
function fileAt(address: string, base?: URL): string | undefined {
  try {
    return fileURLToPath(new URL(address, base));
  } catch {
    return undefined;
  }
}
