/**
 * Where a function or a class is written: V8 knows the script and the line of each, and source maps lead back to TypeScript.
 */
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Where something is written. */
export interface Place {
  /** Below the project's folder when it is in it. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

interface Script {
  readonly url: string;
  readonly map?: string | undefined;
}

interface InspectorSession {
  connect(): void;
  disconnect(): void;
  post(method: string, params: object, done: (error: Error | null, result: never) => void): void;
  post(method: string): void;
  on(event: string, listener: (message: { params: never }) => void): void;
}

/** What was found once: a function stays where it is, and asking V8 makes it tell of every script. */
const known = new WeakMap<Function, Place>();

/** Questions that are asked at the same time each show what is theirs. */
let asked = 0;

/** The places of functions and classes, as far as they can be known. Never throws. */
export async function placesOf(functions: readonly Function[], project: string): Promise<ReadonlyMap<Function, Place>> {
  await learn(functions.filter((one) => !known.has(one)));
  const places = new Map<Function, Place>();
  for (const one of functions) {
    const place = known.get(one);
    if (place !== undefined) places.set(one, { ...place, file: told(place.file, project) });
  }
  return places;
}

/** Remembers the places of these, in whole paths. */
async function learn(functions: readonly Function[]): Promise<void> {
  if (functions.length === 0) return;
  const inspector = await import('node:inspector').catch(() => undefined); // a Node without V8's inspector has none
  if (inspector === undefined) return;
  const session = new inspector.Session() as unknown as InspectorSession;
  const scripts = new Map<string, Script>();
  const contexts: number[] = [];
  session.on(
    'Debugger.scriptParsed',
    ({ params }: { params: { scriptId: string; url: string; sourceMapURL?: string } }) =>
      scripts.set(params.scriptId, { url: params.url, map: params.sourceMapURL }),
  );
  session.on('Runtime.executionContextCreated', ({ params }: { params: { context: { id: number } } }) =>
    contexts.push(params.context.id),
  );
  const own = globalThis as unknown as Record<symbol, unknown>;
  const shown = `nestjs-mcp-gate:shown:${(asked += 1)}`;
  try {
    session.connect();
    await ask(session, 'Runtime.enable', {});
    await ask(session, 'Debugger.enable', {});
    await ask(session, 'Debugger.setSkipAllPauses', { skip: true }); // nobody is there to go on after a `debugger`
    own[Symbol.for(shown)] = functions;
    const located = await locate(session, contexts, shown);
    const mapped = new Map<string, SourceMap | undefined>();
    for (const [at, { scriptId, lineNumber, columnNumber = 0 }] of located) {
      const script = scripts.get(scriptId);
      const place = script && placeIn(script, lineNumber, columnNumber, mapped);
      if (place !== undefined) known.set(functions[at]!, place);
    }
  } catch {
    // somebody else has the debugger: answers are given without places
  } finally {
    delete own[Symbol.for(shown)];
    session.disconnect();
  }
}

interface Location {
  readonly scriptId: string;
  readonly lineNumber: number;
  readonly columnNumber?: number;
}

interface RemoteObject {
  readonly type?: string;
  readonly objectId?: string;
  readonly value?: unknown;
}

interface Properties {
  readonly result: readonly { readonly name: string; readonly value?: RemoteObject }[];
  readonly internalProperties?: readonly { readonly name: string; readonly value?: RemoteObject }[];
}

/** V8's word for each function, by its place in the list. */
async function locate(
  session: InspectorSession,
  contexts: readonly number[],
  shown: string,
): Promise<Map<number, Location>> {
  const found = new Map<number, Location>();
  const expression = `globalThis[Symbol.for(${JSON.stringify(shown)})]`;
  for (const contextId of contexts) {
    const { result } = await ask<{ result: RemoteObject }>(session, 'Runtime.evaluate', { expression, contextId });
    if (result.objectId === undefined) continue;
    const list = await ask<Properties>(session, 'Runtime.getProperties', {
      objectId: result.objectId,
      ownProperties: true,
    });
    for (const { name, value } of list.result) {
      if (!/^\d+$/.test(name) || value?.objectId === undefined) continue;
      const { internalProperties = [] } = await ask<Properties>(session, 'Runtime.getProperties', {
        objectId: value.objectId,
        ownProperties: true,
      });
      const location = internalProperties.find((property) => property.name === '[[FunctionLocation]]')?.value?.value;
      if (location !== undefined) found.set(Number(name), location as Location);
    }
    return found;
  }
  return found;
}

function ask<T>(session: InspectorSession, method: string, params: object): Promise<T> {
  return new Promise((resolved, rejected) => {
    session.post(method, params, (error, result) => (error === null ? resolved(result) : rejected(error)));
  });
}

function placeIn(
  { url, map }: Script,
  line: number,
  column: number,
  mapped: Map<string, SourceMap | undefined>,
): Place | undefined {
  const file = url.startsWith('file:') ? fileURLToPath(url) : url;
  if (!file.startsWith('/') && !/^[A-Za-z]:[\\/]/.test(file)) return undefined;
  if (!mapped.has(file)) mapped.set(file, map ? readMap(map, file) : undefined);
  const entry = mapped.get(file)?.findEntry(line, column);
  if (entry !== undefined && 'originalSource' in entry && entry.originalSource !== undefined) {
    const source = sourceFile(entry.originalSource, file);
    if (existsSync(source)) return { file: source, line: entry.originalLine + 1 };
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

function sourceFile(source: string, script: string): string {
  if (source.startsWith('file:')) return fileURLToPath(source);
  return fileURLToPath(new URL(source, pathToFileURL(script)));
}

/** Seen from the project; of a package, wherever it is kept, from its folder on. No path of this machine is told. */
function told(file: string, project: string): string {
  const parts = file.split(sep);
  const at = parts.lastIndexOf('node_modules');
  return (at < 0 ? relative(project, file) : parts.slice(at).join(sep)).replaceAll(sep, '/');
}
