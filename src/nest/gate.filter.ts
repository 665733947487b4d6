/**
 * What was thrown on a gate's route before the gate had its turn (a guard that refuses), said as JSON-RPC. Bound to the
 * controller, it stands before the application's own filters. Once the gate answers it does nothing: whoever stumbles
 * over a response that is none of his does not write over it.
 */
import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { STATUS_CODES, type IncomingMessage } from 'node:http';
import { refusal } from '../gate/admittance.js';
import type { McpBody } from '../gate/body.js';
import { businessMessage } from '../tools/http-exception.js';
import { exchangeOf } from './exchange.js';

const INTERNAL = -32603;

@Catch()
export class McpGateFilter implements ExceptionFilter {
  private readonly logger = new Logger('McpGate');

  constructor(private readonly adapterHost: HttpAdapterHost) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const exchange = exchangeOf(http.getRequest<object>());
    if (exchange.taken === true) return;
    const status = exception instanceof HttpException ? exception.getStatus() : 500;
    if (!(exception instanceof HttpException)) {
      this.logger.error(exception instanceof Error ? exception.stack : exception);
    }
    const message = businessMessage(exception) ?? STATUS_CODES[status] ?? 'Unknown error';
    const { body } = refusal(http.getRequest<IncomingMessage>(), status, message) as { body: RefusalBody };
    if (status >= 500) body.error.code = INTERNAL;
    const { httpAdapter } = this.adapterHost;
    const response = http.getResponse<object>();
    httpAdapter.setHeader(response, 'Cache-Control', 'no-store, no-transform');
    httpAdapter.reply(response, { ...body, ...requestId(exchange.body) }, status);
  }
}

interface RefusalBody {
  readonly error: { code: number };
}

/** The id of the refused message, if it can be read. */
function requestId(body: McpBody | undefined): { id?: unknown } {
  const { id } = ((body !== undefined && 'value' in body && body.value) || {}) as { id?: unknown };
  return typeof id === 'string' || Number.isInteger(id) ? { id } : {};
}
