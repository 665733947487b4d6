/** An application in a process of its own, which says its port, and closes when it is told to or gets a signal. */
import 'reflect-metadata';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { EndlessModule } from './endless.module.js';

const adapter = process.argv[2] === 'Fastify' ? new FastifyAdapter() : new ExpressAdapter();
const app = await NestFactory.create(EndlessModule, adapter as ExpressAdapter, { logger: false });
app.enableShutdownHooks();
await app.listen(0, '127.0.0.1');
process.once('message', () => {
  process.disconnect();
  void app.close();
});
process.send!(((app.getHttpServer() as Server).address() as AddressInfo).port);
