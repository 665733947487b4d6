/**
 * Opens the gate on a free port of this machine, on either platform.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { EverythingModule } from './everything.module.js';

const HOST = '127.0.0.1';

export const PLATFORMS = ['Express', 'Fastify'] as const;
export type Platform = (typeof PLATFORMS)[number];

export interface ServedGate {
  readonly url: string;
  close(): Promise<void>;
}

export async function serveEverything(platform: Platform): Promise<ServedGate> {
  const port = await freePort();
  const origin = `http://${HOST}:${port}`;
  const adapter = platform === 'Express' ? new ExpressAdapter() : new FastifyAdapter();
  const app = await NestFactory.create<NestFastifyApplication>(
    EverythingModule.forRoot([origin]),
    adapter as FastifyAdapter,
    { logger: ['warn', 'error', 'fatal'], abortOnError: false, forceCloseConnections: true },
  );
  await app.listen(port, HOST);
  return { url: `${origin}/mcp`, close: () => app.close() };
}

/** Known before the gate is opened, because its settings name the origin. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
