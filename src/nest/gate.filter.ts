/**
 * What was thrown on a gate's route before the gate had its turn (a guard that refuses), said as JSON-RPC. Bound to the
 * controller, it stands before the application's own filters. Once the gate answers it does nothing: whoever stumbles
 * over a response that is none of his does not write over it.
 */
import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { STATUS_CODES, type IncomingMessage } from 'node:http';
import { refusal } from '../gate/admittance.js';
import { businessMessage } from '../tools/http-exception.js';
import { exchangeOf } from './exchange.js';

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
    const sent = exchange.body !== undefined && 'value' in exchange.body ? exchange.body.value : undefined;
    const { body } = refusal(http.getRequest<IncomingMessage>(), status, message, sent);
    const { httpAdapter } = this.adapterHost;
    const response = http.getResponse<object>();
    httpAdapter.setHeader(response, 'Cache-Control', 'no-store, no-transform');
    httpAdapter.reply(response, body, status);
  }
}
