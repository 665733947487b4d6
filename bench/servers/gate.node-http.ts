/**
 * The gate without Nest: plain tools on a `node:http` server.
 */
import { createServer } from 'node:http';
import { defineMcpGate, type McpRun } from 'nestjs-mcp-gate';
import { describe, PROGRESS, READS, sumSchema, toolNames } from '../workload/catalogue.js';
import { listen, options } from './serve.js';

const adders = toolNames(options.tools).map((name) => ({
  name,
  description: describe(name),
  inputSchema: sumSchema(),
  annotations: READS,
  handler: ({ a, b }: Record<string, unknown>) => String(Number(a) + Number(b)),
}));

const NO_ARGUMENTS = { type: 'object', properties: {}, additionalProperties: false };

const streaming = [
  {
    name: 'count',
    description: 'Reports its progress a hundred times.',
    inputSchema: NO_ARGUMENTS,
    handler(_args: object, _caller: unknown, run?: McpRun) {
      for (let done = 1; done <= PROGRESS.reports; done += 1) run?.progress(done, PROGRESS.reports);
      return PROGRESS.text;
    },
  },
  {
    name: 'wait',
    description: 'Never answers.',
    inputSchema: NO_ARGUMENTS,
    handler: () => new Promise<never>(() => {}),
  },
];

/** Time in leaps: between any two progress reports the least interval has passed. Timers stay what they are. */
let leaps = 0;
const leaping = {
  now: () => (leaps += 1_000),
  after(ms: number, work: () => void) {
    const timer = setTimeout(work, ms).unref();
    return () => clearTimeout(timer);
  },
};

const { graceMs, heartbeatMs, unthinned } = options;
const gate = defineMcpGate(
  {
    name: 'bench',
    version: '1.0.0',
    tools: [...streaming, ...adders],
    stream: { ...(graceMs && { graceMs }), ...(heartbeatMs && { heartbeatMs }) },
  },
  unthinned ? { clock: leaping } : {},
);

listen(createServer((req, res) => void gate.respond(req, res)));
