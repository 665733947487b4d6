/**
 * Where clients look for who issues tokens for a gate: well-known paths at the root of the host, outside the
 * application's prefix and versions, so they are registered at the HTTP adapter itself (A7; RFC 9728, section 3).
 */
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { McpGate } from '../gate/gate.js';
import { pathOf } from '../gate/protection.js';
import { protectedResourcePath } from '../oauth/protected-resource.js';

/** A gate, and the whole paths under which the application serves it. */
export interface PlacedGate {
  readonly gate: McpGate;
  readonly paths: readonly string[];
}

const ROOT = protectedResourcePath('/');

@Injectable()
export class McpMetadataRoutes {
  constructor(private readonly host: HttpAdapterHost) {}

  /** Registers the documents of protected gates; the root one too when the application has one gate only. */
  register(gates: readonly PlacedGate[]): void {
    for (const { gate, paths } of gates) {
      const { authorization } = gate.settings;
      if (authorization === undefined) continue;
      const known = paths[0] ?? gate.settings.path;
      const outside = authorization.publicUrl === undefined ? [] : [new URL(authorization.publicUrl).pathname];
      const documents = new Set([...paths, ...outside].map(protectedResourcePath));
      if (gates.length === 1) documents.add(ROOT);
      for (const path of documents) this.serve(path, gate, (asked) => asked.slice(ROOT.length) || known);
    }
  }

  private serve(path: string, gate: McpGate, gatePath: (asked: string) => string): void {
    const handler = (request: object, response: object): void => {
      const { req, res, headers } = nodeExchange(request, response);
      void gate.respondMetadata(req, res, gatePath(pathOf(req)), headers);
    };
    const { httpAdapter } = this.host;
    httpAdapter.get(path, handler);
    httpAdapter.options(path, handler);
  }
}

/** Node's own request and response, taken over from Fastify when it is Fastify's. */
function nodeExchange(
  request: object,
  response: object,
): { req: IncomingMessage; res: ServerResponse; headers?: OutgoingHttpHeaders } {
  const reply = response as { raw?: ServerResponse; getHeaders(): OutgoingHttpHeaders; hijack?(): unknown };
  if (typeof reply.hijack !== 'function' || reply.raw === undefined) {
    return { req: request as IncomingMessage, res: response as ServerResponse };
  }
  const headers = reply.getHeaders();
  reply.hijack();
  return { req: (request as { raw: IncomingMessage }).raw, res: reply.raw, headers };
}
