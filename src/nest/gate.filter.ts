/**
 * What was thrown on a gate's route before the gate had its turn (a guard that refuses), said as JSON-RPC. Bound to the
 * controller, it stands before the application's own filters. Once the gate answers it does nothing: whoever stumbles
 * over a response that is none of his does not write over it.
 */
import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { STATUS_CODES } from 'node:http';
import type { McpBody } from '../gate/body.js';
import { businessMessage } from '../tools/http-exception.js';
import { exchangeOf } from './exchange.js';

const INVALID_REQUEST = -32600;
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
    const error = {
      code: status < 500 ? INVALID_REQUEST : INTERNAL,
      message: businessMessage(exception) ?? STATUS_CODES[status],
    };
    const { httpAdapter } = this.adapterHost;
    const response = http.getResponse<object>();
    httpAdapter.setHeader(response, 'Cache-Control', 'no-store, no-transform');
    httpAdapter.reply(response, { jsonrpc: '2.0', id: requestId(exchange.body), error }, status);
  }
}

/** The id of the refused message, if it can be read. */
function requestId(body: McpBody | undefined): string | number | null {
  const { id } = ((body !== undefined && 'value' in body && body.value) || {}) as { id?: unknown };
  return typeof id === 'string' || Number.isInteger(id) ? (id as string | number) : null;
}
