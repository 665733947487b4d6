/**
 * Peer: `@rekog/mcp-nest`, as its README sets it up: stateless, both eras, JSON until something must be streamed.
 */
import 'reflect-metadata';
import { type CanActivate, Injectable, Module, type Type, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController, McpStrategy, StreamableHttpTransport, Tool } from '@rekog/mcp-nest';
import { describe, oneTurn, PROGRESS, READS, type Sum, toolNames } from '../workload/catalogue.js';
import { sumZod } from '../workload/zod.js';
import { HealthController } from './health.controller.js';
import { nestAdapter } from './nest-adapter.js';
import { announce, options, portOf } from './serve.js';

const text = (value: string) => ({ content: [{ type: 'text', text: value }] });

function pairOfTools(one: string, other: string): Type<object> {
  @McpController()
  class Adders {
    @Tool({ name: one, description: describe(one), parameters: sumZod(), annotations: READS })
    one(@Payload() { a, b }: Sum) {
      return text(String(a + b));
    }

    @Tool({ name: other, description: describe(other), parameters: sumZod(), annotations: READS })
    other(@Payload() { a, b }: Sum) {
      return text(String(a + b));
    }
  }
  return Adders;
}

@Injectable()
class AnyoneGuard implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

@McpController()
class OtherTools {
  @Tool({ name: 'add_guarded', description: 'Adds two numbers behind a guard.', parameters: sumZod() })
  @UseGuards(AnyoneGuard)
  addGuarded(@Payload() { a, b }: Sum) {
    return text(String(a + b));
  }

  @Tool({ name: 'add_later', description: 'Adds two numbers after a while.', parameters: sumZod() })
  async addLater(@Payload() { a, b }: Sum) {
    await oneTurn();
    return text(String(a + b));
  }

  @Tool({ name: 'count', description: 'Reports its progress a hundred times.' })
  async count(@Ctx() context: McpContext) {
    for (let done = 1; done <= PROGRESS.reports; done += 1) {
      await context.reportProgress({ progress: done, total: PROGRESS.reports });
    }
    return text(PROGRESS.text);
  }
}

const names = toolNames(options.tools);
const pairs = Array.from({ length: names.length / 2 }, (_, at) => pairOfTools(names[at * 2]!, names[at * 2 + 1]!));

const others = [...(options.others ? [OtherTools] : []), ...(options.health ? [HealthController] : [])];

@Module({ controllers: [...pairs, ...others] })
class PeerModule {}

const app = await NestFactory.create(PeerModule, nestAdapter(options.platform), { logger: false });
const strategy = new McpStrategy({
  name: 'bench',
  version: '1.0.0',
  transports: [new StreamableHttpTransport()],
  logging: false,
});
strategy.setHttpAdapter(app.getHttpAdapter());
app.connectMicroservice({ strategy });
await app.startAllMicroservices();
await app.listen(0, '127.0.0.1');
announce(portOf(app.getHttpServer()));
