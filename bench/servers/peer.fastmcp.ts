/**
 * Peer: `fastmcp`, stateless. It speaks the legacy era only, and wants to be told its port.
 */
import { createServer } from 'node:net';
import { FastMCP } from 'fastmcp';
import { describe, PROGRESS, READS, toolNames } from '../workload/catalogue.js';
import { sumZod } from '../workload/zod.js';
import { announce, options, portOf } from './serve.js';

const server = new FastMCP({ name: 'bench', version: '1.0.0' });
for (const name of toolNames(options.tools)) {
  server.addTool({
    name,
    description: describe(name),
    parameters: sumZod(),
    annotations: READS,
    execute: ({ a, b }) => Promise.resolve(String(a + b)),
  });
}
server.addTool({
  name: 'count',
  description: 'Reports its progress a hundred times.',
  async execute(_args, { reportProgress }) {
    for (let done = 1; done <= PROGRESS.reports; done += 1) {
      await reportProgress({ progress: done, total: PROGRESS.reports });
    }
    return PROGRESS.text;
  },
});

const port = await freePort();
// Progress needs a stream; everything else is faster without one.
const enableJsonResponse = !options.others;
await server.start({
  transportType: 'httpStream',
  httpStream: { port, host: '127.0.0.1', endpoint: '/mcp', stateless: true, enableJsonResponse },
});
announce(port);

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const port = portOf(probe);
      probe.close(() => resolve(port));
    });
  });
}
