/**
 * Peer: the official SDK, version 1, stateless on `node:http` as its documentation sets it up: a server and a transport
 * for each request. It speaks the legacy era only.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { describe, PROGRESS, READS, toolNames } from '../workload/catalogue.js';
import { sumShape } from '../workload/zod.js';
import { listen, options } from './serve.js';

const tools = toolNames(options.tools).map((name) => ({ name, description: describe(name), inputSchema: sumShape() }));

function createMcpServer(): McpServer {
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  for (const { name, ...config } of tools) {
    server.registerTool(name, { ...config, annotations: READS }, ({ a, b }) => ({
      content: [{ type: 'text', text: String(a + b) }],
    }));
  }
  if (options.others) {
    server.registerTool(
      'count',
      { description: 'Reports its progress a hundred times.' },
      async ({ _meta, sendNotification }) => {
        for (let progress = 1; progress <= PROGRESS.reports; progress += 1) {
          const params = { progressToken: _meta!.progressToken!, progress, total: PROGRESS.reports };
          await sendNotification({ method: 'notifications/progress', params });
        }
        return { content: [{ type: 'text', text: PROGRESS.text }] };
      },
    );
  }
  return server;
}

async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const server = createMcpServer();
  // Progress needs a stream; everything else is faster without one.
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: !options.others,
  });
  res.on('close', () => {
    void transport.close();
    void server.close();
  });
  await server.connect(transport);
  await transport.handleRequest(req, res);
}

listen(createServer((req, res) => void respond(req, res)));
