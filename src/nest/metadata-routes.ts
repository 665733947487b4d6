/**
 * Where clients look for who issues tokens for a gate: well-known paths at the root of the host, outside the
 * application's prefix and versions, so they are registered at the HTTP adapter itself (A7; RFC 9728, section 3).
 */
import type { HttpAdapterHost } from '@nestjs/core';
import type { McpGate } from '../gate/gate.js';
import { pathOf } from '../gate/request-path.js';
import { protectedResourcePath } from '../oauth/protected-resource.js';
import { takeOver } from './node-exchange.js';

/** A gate, and the whole paths under which the application serves it. */
export interface PlacedGate {
  readonly gate: McpGate;
  readonly paths: readonly string[];
}

const ROOT = protectedResourcePath('/');

export class McpMetadataRoutes {
  constructor(private readonly host: HttpAdapterHost) {}

  /** Registers the documents of protected gates. */
  register(gates: readonly PlacedGate[]): void {
    const adapter: object | null | undefined = this.host.httpAdapter;
    if (!adapter) return; // a standalone application or a testing module: there is no HTTP to ask by
    for (const [path, placed] of documentsOf(gates.filter(({ gate }) => gate.settings.enabled))) {
      this.serve(path, placed);
    }
  }

  private serve(path: string, placed: readonly PlacedGate[]): void {
    const handler = (request: object, response: object): void => {
      const { req, res, headers } = takeOver(request, response);
      const { gate, paths } = meant(placed, req.headers.host);
      const gatePath = pathOf(req).slice(ROOT.length) || (paths[0] ?? gate.settings.path);
      void gate.respondMetadata(req, res, gatePath, headers);
    };
    const { httpAdapter } = this.host;
    httpAdapter.get(path, handler);
    httpAdapter.options(path, handler);
  }
}

/**
 * Which gates' documents stand where. A gate has one for each path of its own and one for the path of its `publicUrl`,
 * where a proxy may lead; several gates can share the latter. The only gate has the root one too, if it has one URI.
 */
function documentsOf(gates: readonly PlacedGate[]): Map<string, PlacedGate[]> {
  const documents = new Map<string, PlacedGate[]>();
  const guarded = gates.filter(({ gate }) => gate.settings.authorization !== undefined);
  function stand(path: string, placed: PlacedGate): void {
    const there = documents.get(path) ?? [];
    if (!there.includes(placed)) documents.set(path, [...there, placed]);
  }
  for (const placed of guarded) for (const path of placed.paths) stand(protectedResourcePath(path), placed);
  for (const placed of guarded) {
    const shown = publicUrlOf(placed);
    if (shown !== undefined) stand(protectedResourcePath(shown.pathname), placed);
    const isOne = shown !== undefined || (placed.paths.length === 1 && !/[:*{(]/.test(placed.paths[0]!));
    if (gates.length === 1 && isOne) stand(ROOT, placed);
  }
  return documents;
}

/** Of several gates the one that is known by the host that was asked; else the one that stands there itself. */
function meant(placed: readonly PlacedGate[], host: string | undefined): PlacedGate {
  return placed.find((each) => publicUrlOf(each)?.host === host?.toLowerCase()) ?? placed[0]!;
}

function publicUrlOf({ gate }: PlacedGate): URL | undefined {
  const publicUrl = gate.settings.authorization?.publicUrl;
  return publicUrl === undefined ? undefined : new URL(publicUrl);
}
