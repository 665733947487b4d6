/**
 * The application of `gate.nest.ts` with everything in it but the gate: the same providers, their methods no tools.
 */
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { toolNames } from '../workload/catalogue.js';
import { HealthController } from './health.controller.js';
import { nestAdapter } from './nest-adapter.js';
import { announce, done, options, portOf } from './serve.js';

done('Node and Nest');
done('package'); // has none
const { pairOfMethods } = await import('./floor.method-pairs.js');
const names = toolNames(options.tools);
const pairs = Array.from({ length: names.length / 2 }, (_, at) => pairOfMethods(names[at * 2]!, names[at * 2 + 1]!));

@Module({ controllers: options.health ? [HealthController] : [], providers: pairs })
class PlainModule {}

done('classes');

const app = await NestFactory.create(PlainModule, nestAdapter(options.platform), { logger: false });
done('create()');
await app.init();
done('init()');
await app.listen(0, '127.0.0.1');
done('listen()');
announce(portOf(app.getHttpServer()));
