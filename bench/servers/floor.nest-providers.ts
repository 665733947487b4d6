/**
 * The application of `gate.nest.ts` with everything in it but the gate: the same providers, their methods no tools.
 */
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { toolNames } from '../workload/catalogue.js';
import { pairOfMethods } from './floor.method-pairs.js';
import { HealthController } from './health.controller.js';
import { nestAdapter } from './nest-adapter.js';
import { announce, options, portOf } from './serve.js';

const names = toolNames(options.tools);
const pairs = Array.from({ length: names.length / 2 }, (_, at) => pairOfMethods(names[at * 2]!, names[at * 2 + 1]!));

@Module({ controllers: options.health ? [HealthController] : [], providers: pairs })
class PlainModule {}

const app = await NestFactory.create(PlainModule, nestAdapter(options.platform), { logger: false });
await app.listen(0, '127.0.0.1');
announce(portOf(app.getHttpServer()));
