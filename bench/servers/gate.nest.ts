/**
 * The gate in a Nest application, on Express or Fastify: decorated methods of ordinary providers.
 */
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { toolNames } from '../workload/catalogue.js';
import { HealthController } from './health.controller.js';
import { nestAdapter } from './nest-adapter.js';
import { announce, done, options, portOf } from './serve.js';

done('Node and Nest');
const { McpModule } = await import('nestjs-mcp-gate');
done('package');
const { pairOfTools } = await import('./gate.tool-pairs.js');
const names = toolNames(options.tools);
const pairs = Array.from({ length: names.length / 2 }, (_, at) => pairOfTools(names[at * 2]!, names[at * 2 + 1]!));
const others = options.others ? Object.values(await import('./gate.other-tools.js')) : [];
const { graceMs, heartbeatMs, keys } = options;
const authorization = keys && { ownKeys: keys };
const stream = { ...(graceMs && { graceMs }), ...(heartbeatMs && { heartbeatMs }) };

@Module({
  imports: [McpModule.forRoot({ name: 'bench', version: '1.0.0', stream, ...(authorization && { authorization }) })],
  controllers: options.health ? [HealthController] : [],
  providers: [...pairs, ...others],
})
class GateModule {}

done('classes');

const app = await NestFactory.create(GateModule, nestAdapter(options.platform), { logger: false });
done('create()');
await app.init();
done('init()');
await app.listen(0, '127.0.0.1');
done('listen()');
announce(portOf(app.getHttpServer()));
