/**
 * The end of an application whose server closes no connection by force, as Nest does by default: clients are told, and what
 * the gates have under way keeps nobody (R1, S4).
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Injectable, Module, UseGuards, type CanActivate, type INestApplication, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { McpGates, McpModule, McpTool } from 'nestjs-mcp-gate';
import { compiled } from '../support/compiled.js';
import { dial, postText, type Wire } from '../support/http.js';
import { ended } from '../support/listening.js';
import { request } from '../support/protocol.js';
import type { McpVersion } from '../../src/protocol/revisions.js';
import { EndlessModule } from './processes/endless.module.js';
import { LogBook, PLATFORMS, type Platform } from './serve.js';

async function start(platform: Platform, module: Type = EndlessModule): Promise<INestApplication> {
  const adapter = platform === 'Fastify' ? new FastifyAdapter() : new ExpressAdapter();
  const app = await NestFactory.create(module, adapter as ExpressAdapter, { logger: new LogBook() });
  await app.listen(0, '127.0.0.1');
  return app;
}

function said(version: McpVersion, method: string, params: Record<string, unknown>, id: number): string {
  const { message, headers } = request(version, method, params, id);
  return postText(JSON.stringify(message), headers as Record<string, string>);
}

const shuttingDown = (id: number, what: string) =>
  `{"jsonrpc":"2.0","id":${id},"error":{"code":-32603,"message":"${what} was stopped: the server is shutting down.`;

type Three = readonly [listening: Wire, calling: Wire, asked: Wire];

/** A subscription, a call, and a question to the user of another, all of them begun. */
async function underWay([listening, calling, asked]: Three): Promise<void> {
  const LOUD = { 'io.modelcontextprotocol/logLevel': 'info' };
  listening.socket.write(said('2026-07-28', 'subscriptions/listen', { notifications: { toolsListChanged: true } }, 1));
  calling.socket.write(said('2026-07-28', 'tools/call', { name: 'endless', arguments: {}, _meta: LOUD }, 2));
  asked.socket.write(said('2025-11-25', 'tools/call', { name: 'asking', arguments: {} }, 3));
  await Promise.all([listening.until(/acknowledged/), calling.until(/begun/), asked.until(/elicitation\/create/)]);
}

function expectGoodbyes([listening, calling, asked]: Three): void {
  expect(listening.text).toContain(JSON.stringify(ended().result._meta).slice(1, -1));
  expect(calling.text).toContain(shuttingDown(2, 'Tool endless'));
  expect(asked.text).toContain(shuttingDown(3, 'Tool asking'));
}

describe.each(PLATFORMS)('an application on %s that is closed', (platform) => {
  let app: INestApplication;
  const wires: Wire[] = [];
  beforeEach(async () => {
    app = await start(platform);
  });
  afterEach(async () => {
    for (const { socket } of wires.splice(0)) socket.destroy();
    await app.close();
  });

  async function open(): Promise<Wire> {
    const wire = await dial(((app.getHttpServer() as Server).address() as AddressInfo).port);
    wires.push(wire);
    return wire;
  }

  it('says goodbye to subscriptions, calls and whoever was asked, and waits for no connection that is kept alive', async () => {
    const wires = [await open(), await open(), await open()] as const;
    await underWay(wires);
    const gate = app.get(McpGates).get('shop');
    expect([gate.openSubscriptions, gate.liveRuns]).toEqual([1, 2]);
    const gone = Promise.all(wires.map(({ socket }) => once(socket, 'close')));
    await app.close();
    await gone;
    expectGoodbyes(wires);
    expect([gate.openSubscriptions, gate.liveRuns]).toEqual([0, 0]);
  });

  it('closes the connection of a client that is late with its body, which would be kept alive longer than anybody waits', async () => {
    const late = await open();
    const server = app.getHttpServer() as Server;
    const text = said('2025-11-25', 'tools/call', { name: 'endless' }, 1);
    const begun = once(server, 'request');
    late.socket.write(text.slice(0, -1));
    await begun;
    const closed = app.close();
    while (server.listening) await new Promise((resolve) => setImmediate(resolve));
    late.socket.write(text.slice(-1));
    expect(await late.until(/shutting down/)).toMatch(/^connection: close\r$/im);
    await closed;
  });
});

/** It is asked, and never answers. */
@Injectable()
class NeverDecides implements CanActivate {
  canActivate(): Promise<boolean> {
    return new Promise(() => undefined);
  }
}

@Injectable()
class Guarded {
  @UseGuards(NeverDecides)
  @McpTool({ name: 'guarded', description: 'Nobody knows who may have it.' })
  guarded(): string {
    return 'never';
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'shop' })], providers: [Guarded] })
class UndecidedModule {}

test.each(PLATFORMS)(
  'a guard that never decides over a call or a list holds no application on %s (R1)',
  async (platform) => {
    const app = await start(platform, UndecidedModule);
    const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
    const wires = [await dial(port), await dial(port)] as const;
    wires[0].socket.write(said('2025-11-25', 'tools/call', { name: 'guarded', arguments: {} }, 1));
    wires[1].socket.write(said('2026-07-28', 'tools/list', {}, 2));
    const gate = app.get(McpGates).get('shop');
    while (gate.liveRuns < 2) await new Promise((resolve) => setImmediate(resolve));
    await app.close();
    expect(await wires[0].until(/shutting down/)).toContain(shuttingDown(1, 'The request'));
    expect(await wires[1].until(/shutting down/)).toContain(shuttingDown(2, 'The request'));
  },
);

describe.each(PLATFORMS)('the process of an application on %s', (platform) => {
  const SOURCE = new URL('./processes/closing.ts', import.meta.url);

  it.each([
    ['when it gets a signal', (child: ChildProcess) => child.kill('SIGTERM'), [null, 'SIGTERM']],
    [
      'by itself when it was closed: nothing is left that runs',
      (child: ChildProcess) => child.send('close'),
      [0, null],
    ],
  ])('says goodbye and ends %s', async (_, end, ending) => {
    const child = fork(compiled(SOURCE), [platform], { silent: true });
    const exit = once(child, 'exit');
    try {
      const [port] = (await once(child, 'message')) as [number];
      const wires = [await dial(port), await dial(port), await dial(port)] as const;
      await underWay(wires);
      const gone = Promise.all(wires.map(({ socket }) => once(socket, 'close')));
      end(child);
      expect(await exit).toEqual(ending);
      await gone;
      expectGoodbyes(wires);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
