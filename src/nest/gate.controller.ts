/**
 * A gate as a controller of Nest: an ordinary route, so that prefix, version, middleware, CORS and guards apply, whose
 * response is the gate's alone, so that nothing written for the application's own answers changes it (G8).
 */
import {
  Controller,
  Delete,
  Get,
  Inject,
  Options,
  Patch,
  Post,
  Put,
  Req,
  Res,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import type { McpBody } from '../gate/body.js';
import type { McpGate, McpHttpInput } from '../gate/gate.js';
import { SWAGGER_KEYS } from '../tools/schemas/dto-swagger.js';
import { exchangeOf } from './exchange.js';
import { McpGateFilter } from './gate.filter.js';
import { GateRoute, type McpGateRouteOptions } from './gate.route.js';
import { markGateRoute } from './gate-routes.js';
import { takeOver } from './node-exchange.js';

/** The controller of one gate, and its route. A class of its own for each gate: Nest tells controllers apart by class. */
export function createGateController(gateToken: symbol, options: McpGateRouteOptions = {}): GateRoute {
  @Controller()
  @UseFilters(McpGateFilter)
  @UseGuards(...(options.guards ?? []))
  class McpGateController {
    constructor(@Inject(gateToken) private readonly gate: McpGate) {}

    @Post()
    post(@Req() request: object, @Res() response: object): void {
      answer(this.gate, request, response);
    }

    // The gate refuses other verbs itself. One handler for each: @All() would lose versions on Fastify.
    @Get()
    get(@Req() request: object, @Res() response: object): void {
      answer(this.gate, request, response);
    }

    @Put()
    put(@Req() request: object, @Res() response: object): void {
      answer(this.gate, request, response);
    }

    @Patch()
    patch(@Req() request: object, @Res() response: object): void {
      answer(this.gate, request, response);
    }

    @Delete()
    delete(@Req() request: object, @Res() response: object): void {
      answer(this.gate, request, response);
    }

    @Options()
    options(@Req() request: object, @Res() response: object): void {
      answer(this.gate, request, response);
    }
  }
  // Six verbs of JSON-RPC are no part of an application's own documented routes.
  Reflect.defineMetadata(SWAGGER_KEYS.API_EXCLUDE_CONTROLLER, [true], McpGateController);
  const route = new GateRoute(McpGateController, options.version);
  for (const verb of ['get', 'post', 'put', 'patch', 'delete', 'options'] as const) {
    markGateRoute(McpGateController.prototype[verb], route);
  }
  return route;
}

/**
 * Hands the exchange to the gate and returns at once: interceptors see `undefined` and find nothing that they could
 * change.
 */
function answer(gate: McpGate, request: object, response: object): void {
  const exchange = exchangeOf(request);
  exchange.taken = true;
  exchange.response = response;
  const { req, res, headers } = takeOver(request, response);
  const body = exchange.body ?? parsedBefore(request, req);
  const known: McpHttpInput = { request, ...(body && { body }), ...(headers && { headers }) };
  void gate.respond(req, res, known);
}

/** The body that something before the room has read already: the stream has nothing left to read. */
function parsedBefore(request: { readonly body?: unknown }, req: IncomingMessage): McpBody | undefined {
  return req.readableEnded ? { value: request.body } : undefined;
}
