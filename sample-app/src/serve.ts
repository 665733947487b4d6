/**
 * Opens the shop on a port of this machine, and says what can be asked of it.
 */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INestApplication, LogLevel } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpGates } from 'nestjs-mcp-gate';
import { AppModule, GATE } from './app.module.js';
import { ShopSettings } from './settings/shop.settings.js';
import { StartFault } from './settings/start-fault.js';
import { startupNote } from './startup-note.js';

const HOST = '127.0.0.1';
const LOG_LEVELS: LogLevel[] = ['warn', 'error', 'fatal'];

/** @throws StartFault when the settings, the database or the port stand in the way. */
export async function serveShop(print: (note: string) => void): Promise<INestApplication> {
  const { port } = ShopSettings.from(process.env);
  // A fault is thrown, and main.ts says it: Nest need not log it too.
  const app = await NestFactory.create(AppModule, { logger: false, abortOnError: false });
  app.useLogger(LOG_LEVELS);
  app.enableShutdownHooks([], { useProcessExit: true });
  await app.init();
  const origin = await listen(app, port);
  const gates = app.get(McpGates);
  const tools = gates.tools(GATE);
  const reserved = tools.filter((tool) => tool.reserved).length;
  print(
    startupNote({ address: `${origin}${gates.get(GATE).settings.path}`, served: tools.length - reserved, reserved }),
  );
  return app;
}

async function listen(app: INestApplication, port: number): Promise<string> {
  app.useLogger(false);
  try {
    await app.listen(port, HOST);
  } catch (cause) {
    await app.close();
    throw new StartFault(portFault(cause as NodeJS.ErrnoException, port), { cause });
  } finally {
    app.useLogger(LOG_LEVELS);
  }
  return `http://${HOST}:${((app.getHttpServer() as Server).address() as AddressInfo).port}`;
}

function portFault({ code, message }: NodeJS.ErrnoException, port: number): string {
  if (code === 'EADDRINUSE') return `Port ${port} of ${HOST} is taken. PORT=0 npm start takes a free one.`;
  if (code === 'EACCES')
    return `Port ${port} needs rights that you do not have. Choose one from 1024 on: PORT=3000 npm start`;
  return `The shop cannot listen on port ${port} of ${HOST}: ${message}`;
}
