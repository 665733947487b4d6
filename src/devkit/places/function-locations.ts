/**
 * Where V8 has a function from: its script, and the line and the column in it. Only the inspector tells.
 */

/** A script, as V8 has it. */
export interface Script {
  /** An address, or a path. */
  readonly url: string;
  /** Where its source map is: an address, or the map itself. */
  readonly map?: string | undefined;
}

/** Where a function begins. Both numbers from 0. */
export interface FunctionLocation {
  readonly script: Script;
  readonly line: number;
  readonly column: number;
}

interface InspectorSession {
  connect(): void;
  disconnect(): void;
  post(method: string, params: object, done: (error: Error | null, result: never) => void): void;
  post(method: string): void;
  on(event: string, listener: (message: { params: never }) => void): void;
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

/** Questions that are asked at the same time each show what is theirs. */
let asked = 0;

/** As far as V8 tells: of a function of its own it does not, and while somebody else has the debugger of none. Never throws. */
export async function locationsOf(functions: readonly Function[]): Promise<ReadonlyMap<Function, FunctionLocation>> {
  const found = new Map<Function, FunctionLocation>();
  const inspector = await import('node:inspector').catch(() => undefined); // a Node without V8's inspector has none
  if (inspector === undefined) return found;
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
    for (const [at, { scriptId, lineNumber, columnNumber = 0 }] of await locate(session, contexts, shown)) {
      const script = scripts.get(scriptId);
      if (script !== undefined) found.set(functions[at]!, { script, line: lineNumber, column: columnNumber });
    }
  } catch {
    // somebody else has the debugger: answers are given without places
  } finally {
    delete own[Symbol.for(shown)];
    session.disconnect();
  }
  return found;
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
