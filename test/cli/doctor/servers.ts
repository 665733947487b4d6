/**
 * What the doctor visits: real gates over real HTTP, and small proxies before them that do one thing wrong.
 */
import {
  request as send,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { McpGateSettings } from '../../../src/gate/settings.js';
import { defineMcpGate } from '../../../src/gate/gate.js';
import type { McpTool } from '../../../src/tools/tool.js';
import { listen } from '../../support/http.js';
import { makeTool } from '../../support/tools.js';
import { alsoRead } from '../../support/written.js';

/** A server that is closed when the test ends. */
export interface Served {
  readonly port: number;
  /** The address of the gate on it. */
  readonly url: string;
}

const open: { close(): Promise<void> }[] = [];

/** Call it in `afterEach`. */
export async function closeServers(): Promise<void> {
  for (const server of open.splice(0)) await server.close();
}

export async function serve(listener: RequestListener): Promise<Served> {
  const server = await listen(listener);
  open.push(server);
  return { port: server.port, url: `http://127.0.0.1:${server.port}/mcp` };
}

/** Counts to `to` with a piece of progress every 110 ms, which is as often as a gate sends them. */
export const COUNTING: McpTool = makeTool({
  name: 'count',
  annotations: { readOnlyHint: false },
  inputSchema: { type: 'object', properties: { to: { type: 'integer' } } },
  async handler({ to }, _, run) {
    for (let done = 1; done <= Number(to); done += 1) {
      await new Promise((resolve) => setTimeout(resolve, 110));
      run.signal.throwIfAborted();
      run.progress(done, Number(to));
    }
    return 'counted';
  },
});

/** A gate on a bare server. `settings` may depend on its address, as a `publicUrl` does. */
export async function serveGate(
  settings: Partial<McpGateSettings> | ((url: string) => Partial<McpGateSettings>) = {},
  before?: (req: IncomingMessage) => void,
): Promise<Served> {
  let gate: ReturnType<typeof defineMcpGate> | undefined;
  const served = await serve((req, res) => {
    before?.(req);
    if (req.url?.startsWith('/.well-known/oauth-protected-resource')) void gate!.respondMetadata(req, res, '/mcp');
    else if (req.url === '/mcp') void gate!.respond(req, res);
    else
      res.writeHead(404, { 'content-type': 'application/json' }).end(`{"message":"Cannot ${req.method} ${req.url}"}`);
  });
  const wanted = typeof settings === 'function' ? settings(served.url) : settings;
  const stream = { graceMs: 100, heartbeatMs: 100 };
  gate = defineMcpGate(
    { name: 'shop', tools: [makeTool(), COUNTING], stream, ...wanted },
    { log: { debug() {}, warn: alsoRead, error: alsoRead } },
  );
  return served;
}

/** What a proxy does to the requests and the answers that pass it. */
export interface Proxying {
  /** Answers by itself; `true` when it has. */
  readonly answer?: (req: IncomingMessage, res: ServerResponse, body: Buffer) => boolean | void;
  /** The headers that it passes on. */
  readonly request?: (headers: IncomingHttpHeaders, req: IncomingMessage) => IncomingHttpHeaders;
  /** The headers that it passes back. */
  readonly response?: (headers: IncomingHttpHeaders, req: IncomingMessage) => IncomingHttpHeaders;
  /** Passes the body of an answer back; by itself it does so piece by piece. */
  readonly back?: (from: IncomingMessage, res: ServerResponse, req: IncomingMessage) => void;
  /** Reads no more of a body than this. */
  readonly onBody?: (req: IncomingMessage, size: number) => void;
}

/** A proxy that passes everything on to `target`, but for what it is told. The Host stays the client's. */
export function serveProxy(target: Served | (() => Served), proxying: Proxying = {}): Promise<Served> {
  return serve((req, res) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on('error', () => undefined);
    req.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      proxying.onBody?.(req, size);
    });
    req.on('end', () => pass(req, res, Buffer.concat(chunks)));
  });

  function pass(req: IncomingMessage, res: ServerResponse, body: Buffer): void {
    if (proxying.answer?.(req, res, body) === true) return;
    const { port } = typeof target === 'function' ? target() : target;
    const headers = proxying.request?.(req.headers, req) ?? req.headers;
    const on = send({ port, host: '127.0.0.1', path: req.url, method: req.method, headers, agent: false }, (from) => {
      res.writeHead(from.statusCode!, proxying.response?.(from.headers, req) ?? from.headers);
      from.on('error', () => res.destroy());
      if (proxying.back !== undefined) proxying.back(from, res, req);
      else {
        res.flushHeaders();
        from.pipe(res);
      }
    });
    on.on('error', () => res.destroy());
    res.on('close', () => on.destroy());
    on.end(body);
  }
}

/** Headers without some. */
export function without(headers: IncomingHttpHeaders, ...names: readonly (string | RegExp)[]): IncomingHttpHeaders {
  const isOut = (name: string) => names.some((each) => (typeof each === 'string' ? each === name : each.test(name)));
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isOut(name)));
}

/** An answer of a proxy's own. */
export function page(res: ServerResponse, status: number, headers: Record<string, string> = {}): true {
  res.writeHead(status, { 'content-type': 'text/html', ...headers }).end(`<html>${status} from the proxy</html>`);
  return true;
}
