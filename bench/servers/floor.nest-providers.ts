/**
 * The application of `gate.nest.ts` with everything in it but the gate: the same providers, their methods no tools.
 */
import 'reflect-metadata';
import { Injectable, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Sum } from '../workload/catalogue.js';
import { nestAdapter } from './nest-adapter.js';
import { announce, options, portOf } from './serve.js';

function pairOfMethods(): Type<object> {
  @Injectable()
  class Adders {
    one({ a, b }: Sum): string {
      return String(a + b);
    }

    other({ a, b }: Sum): string {
      return String(a + b);
    }
  }
  return Adders;
}

@Module({ providers: Array.from({ length: options.tools / 2 }, pairOfMethods) })
class PlainModule {}

const app = await NestFactory.create(PlainModule, nestAdapter(options.platform), { logger: false });
await app.listen(0, '127.0.0.1');
announce(portOf(app.getHttpServer()));
