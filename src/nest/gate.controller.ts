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

/** One handler for each: `@All()` would lose versions on Fastify. The gate refuses all but POST itself. */
const VERBS = { post: Post, get: Get, put: Put, patch: Patch, delete: Delete, options: Options };

/**
 * The controller of one gate, and its route. A class of its own for each gate: Nest tells controllers apart by class. Decorated
 * by hand: the compiler would note types that nobody reads, for a millisecond of each start.
 */
export function createGateController(gateToken: symbol, options: McpGateRouteOptions = {}): GateRoute {
  class McpGateController {
    constructor(readonly gate: McpGate) {}
  }
  Controller()(McpGateController);
  Inject(gateToken)(McpGateController, undefined, 0);
  UseFilters(McpGateFilter)(McpGateController);
  UseGuards(...(options.guards ?? []))(McpGateController);
  // Six verbs of JSON-RPC are no part of an application's own documented routes.
  Reflect.defineMetadata(SWAGGER_KEYS.API_EXCLUDE_CONTROLLER, [true], McpGateController);
  const route = new GateRoute(McpGateController, options.version);
  for (const [name, Verb] of Object.entries(VERBS)) {
    const named = {
      [name](this: McpGateController, request: object, response: object): void {
        answer(this.gate, request, response);
      },
    };
    const descriptor = { value: named[name]!, configurable: true, writable: true };
    Object.defineProperty(McpGateController.prototype, name, descriptor);
    markGateRoute(descriptor.value, route);
    Verb()(McpGateController.prototype, name, descriptor);
    Req()(McpGateController.prototype, name, 0);
    Res()(McpGateController.prototype, name, 1);
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
