/** A gate behind a bare `node:http` server, with a hand-turned clock and a log that a test can read. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { defineMcpGate, type McpGate, type McpGateParts, type McpHttpInput } from '../../src/gate/gate.js';
import type { McpGateSettings } from '../../src/gate/settings.js';
import type { McpRun } from '../../src/runs/run.js';
import type { McpTool } from '../../src/tools/tool.js';
import { HandClock } from './hand-clock.js';
import { listen, send, type Answer, type Asked } from './http.js';
import { request } from './protocol.js';
import { makeTool } from './tools.js';
import { alsoRead } from './written.js';
import type { McpVersion } from '../../src/protocol/revisions.js';

export interface ServedGate {
  readonly gate: McpGate;
  readonly port: number;
  readonly clock: HandClock;
  readonly log: readonly string[];
  /** Every exchange that came in, oldest first. */
  readonly exchanges: readonly { readonly req: IncomingMessage; readonly res: ServerResponse }[];
  readonly send: (asked: Asked) => Promise<Answer>;
  /** Asks as a client of `version` does. */
  readonly ask: (
    version: McpVersion,
    method: string,
    params?: Record<string, unknown>,
    asked?: Asked & { id?: unknown },
  ) => Promise<Answer>;
  close(): Promise<void>;
}

/** Serves `settings`; `input` is what a host would know of each exchange, `parts` what it would bring. */
export async function serve(
  settings: Partial<McpGateSettings> = {},
  input?: (req: IncomingMessage, res: ServerResponse) => McpHttpInput,
  parts: McpGateParts = {},
): Promise<ServedGate> {
  const clock = new HandClock();
  const log: string[] = [];
  const write = (level: string) => (message: string) => {
    log.push(`${level} ${message}`);
    alsoRead(message);
  };
  const gate = defineMcpGate(
    { name: 'shop', tools: [makeTool()], ...settings },
    { clock, log: { debug: write('debug'), warn: write('warn'), error: write('error') }, ...parts },
  );
  const exchanges: { req: IncomingMessage; res: ServerResponse }[] = [];
  const server = await listen((req, res) => {
    exchanges.push({ req, res });
    void gate.respond(req, res, input?.(req, res));
  });
  const sendTo = (asked: Asked) => send(server.port, asked);
  return {
    gate,
    port: server.port,
    clock,
    log,
    exchanges,
    send: sendTo,
    ask(version, method, params = {}, { id = 1, ...asked } = {}) {
      const { message, headers } = request(version, method, params, id);
      return sendTo({ ...asked, body: JSON.stringify(message), headers: { ...headers, ...asked.headers } });
    },
    close: () => server.close(),
  };
}

/** What a test holds of a call that is under way. */
export interface HeldCall {
  readonly run: McpRun;
  readonly finish: (value: unknown) => void;
}

/** A tool whose every call waits for the test. */
export function heldTool(name = 'held'): { readonly tool: McpTool; next(): Promise<HeldCall> } {
  const arrived: HeldCall[] = [];
  const waiting: ((call: HeldCall) => void)[] = [];
  return {
    tool: makeTool({
      name,
      handler: (_, __, run) =>
        new Promise((finish) => {
          const waiter = waiting.shift();
          if (waiter === undefined) arrived.push({ run, finish });
          else waiter({ run, finish });
        }),
    }),
    next: async () => arrived.shift() ?? new Promise((resolve) => waiting.push(resolve)),
  };
}

/** Resolves when a run is aborted, with the words it is told. */
export function aborted({ signal }: McpRun): Promise<string> {
  return new Promise((resolve) => {
    const tell = () => resolve((signal.reason as Error).message);
    if (signal.aborted) tell();
    else signal.addEventListener('abort', tell, { once: true });
  });
}
