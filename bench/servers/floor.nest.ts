/**
 * Floor: a Nest application with ordinary routes, on Express or Fastify. Every ratio is taken to its Express form.
 */
import 'reflect-metadata';
import {
  Body,
  type CanActivate,
  Controller,
  HttpCode,
  Injectable,
  Module,
  Post,
  Res,
  UseGuards,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Response } from 'express';
import type { FastifyReply } from 'fastify';
import { SumDto } from '../workload/sum.dto.js';
import { oneTurn } from '../workload/catalogue.js';
import { callAnswer, listAnswer } from '../workload/answers.js';
import { openStream } from './bare-stream.js';
import { nestAdapter } from './nest-adapter.js';
import { noteListeners } from './observation.js';
import { announce, options, portOf } from './serve.js';

const call = { modern: callAnswer('modern'), legacy: callAnswer('legacy') };
const list = { modern: listAnswer('modern', options.tools), legacy: listAnswer('legacy', options.tools) };

@Injectable()
class AnyoneGuard implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

@Controller()
class BareController {
  @Post('call/modern')
  @HttpCode(200)
  callModern() {
    return call.modern;
  }

  @Post('call/legacy')
  @HttpCode(200)
  callLegacy() {
    return call.legacy;
  }

  @Post('list/modern')
  @HttpCode(200)
  listModern() {
    return list.modern;
  }

  @Post('list/legacy')
  @HttpCode(200)
  listLegacy() {
    return list.legacy;
  }

  @Post('later')
  @HttpCode(200)
  async later() {
    await oneTurn();
    return call.modern;
  }

  @Post('guarded')
  @HttpCode(200)
  @UseGuards(AnyoneGuard)
  guarded() {
    return call.modern;
  }

  @Post('dto')
  @HttpCode(200)
  dto(@Body(new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true })) _sum: SumDto) {
    return call.modern;
  }

  @Post('wait')
  wait(@Res() res: Response | FastifyReply) {
    if ('hijack' in res) openStream(res.hijack().raw);
    else openStream(res);
  }
}

/** Asked for by name, because the bench runs as production does. */
async function devkit() {
  noteListeners();
  const { McpDevkitModule } = await import('nestjs-mcp-gate/devkit');
  return McpDevkitModule.forRoot({ gate: false, evenInProduction: true });
}

@Module({ imports: options.devkit ? [await devkit()] : [], controllers: [BareController] })
class BareModule {}

const app = await NestFactory.create(BareModule, nestAdapter(options.platform), { logger: false });
await app.listen(0, '127.0.0.1');
announce(portOf(app.getHttpServer()));
