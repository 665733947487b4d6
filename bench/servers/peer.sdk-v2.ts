/**
 * Peer: the official SDK, version 2: its handler for both eras on `node:http`.
 */
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { describe, PROGRESS, READS, toolNames } from '../workload/catalogue.js';
import { sumZod } from '../workload/zod.js';
import { listen, options } from './serve.js';

const tools = toolNames(options.tools).map((name) => ({ name, description: describe(name), inputSchema: sumZod() }));

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  for (const { name, ...config } of tools) {
    server.registerTool(name, { ...config, annotations: READS }, ({ a, b }) => ({
      content: [{ type: 'text', text: String(a + b) }],
    }));
  }
  if (options.others) {
    server.registerTool('count', { description: 'Reports its progress a hundred times.' }, async ({ mcpReq }) => {
      for (let progress = 1; progress <= PROGRESS.reports; progress += 1) {
        const params = { progressToken: mcpReq._meta!.progressToken!, progress, total: PROGRESS.reports };
        await mcpReq.notify({ method: 'notifications/progress', params });
      }
      return { content: [{ type: 'text', text: PROGRESS.text }] };
    });
    server.registerTool('wait', { description: 'Says that it has begun, and never answers.' }, async ({ mcpReq }) => {
      const params = { progressToken: mcpReq._meta!.progressToken!, progress: 1 };
      await mcpReq.notify({ method: 'notifications/progress', params });
      return new Promise<never>(() => {});
    });
  }
  return server;
});

const respond = toNodeHandler(handler);
listen(createServer((req, res) => void respond(req, res)));
