/**
 * Opens the shop on a port of this machine, and says what can be asked of it.
 */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INestApplication, LogLevel } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpGates, McpSettingsError } from 'nestjs-mcp-gate';
import { AppModule, GATE } from './app.module.js';
import { portFault } from './settings/port-fault.js';
import { ShopSettings } from './settings/shop.settings.js';
import { StartFault } from './settings/start-fault.js';
import { startupNote } from './startup-note.js';

const HOST = '127.0.0.1';
const LOG_LEVELS: LogLevel[] = ['warn', 'error', 'fatal'];

/**
 * Gives the addresses of the gates that take tokens: none without an issuer. `command` is what was typed to get here,
 * for whoever must type it again.
 * @throws StartFault when the settings, the database or the port stand in the way.
 */
export async function serveShop(print: (note: string) => void, command = 'npm start'): Promise<readonly string[]> {
  const { port } = ShopSettings.from(process.env);
  const app = await createApp();
  const origin = await listen(app, port, command);
  const gates = app.get(McpGates);
  const tools = gates.tools(GATE);
  const reserved = tools.filter((tool) => tool.reserved).length;
  const takingTokens = gates.names.map((name) => gates.get(name).settings).filter((gate) => gate.authorization);
  const protectedGates = takingTokens.map(({ path }) => origin + path);
  const address = `${origin}${gates.get(GATE).settings.path}`;
  print(startupNote({ address, served: tools.length - reserved, reserved, protectedGates }));
  return protectedGates;
}

async function createApp(): Promise<INestApplication> {
  try {
    // A fault is thrown, and main.ts says it: Nest need not log it too.
    const app = await NestFactory.create(AppModule, { logger: false, abortOnError: false });
    app.useLogger(LOG_LEVELS);
    app.enableShutdownHooks([], { useProcessExit: true });
    return await app.init();
  } catch (cause) {
    if (cause instanceof McpSettingsError) throw new StartFault(`${cause.message}\nCheck SHOP_ISSUER.`, { cause });
    throw cause;
  }
}

async function listen(app: INestApplication, port: number, command: string): Promise<string> {
  app.useLogger(false);
  try {
    await app.listen(port, HOST);
  } catch (cause) {
    await app.close();
    throw portFault(cause as NodeJS.ErrnoException, { host: HOST, port, variable: 'PORT', command });
  } finally {
    app.useLogger(LOG_LEVELS);
  }
  return `http://${HOST}:${((app.getHttpServer() as Server).address() as AddressInfo).port}`;
}
