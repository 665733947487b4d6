/**
 * The gate that the current call came in by.
 */
import type { ModuleRef } from '@nestjs/core';
import type { IncomingMessage } from 'node:http';
import type { McpGate } from '../../gate/gate.js';
import { pathOf } from '../../gate/request-path.js';
import { McpGateRoutes } from '../../nest/gate-routes.js';
import { currentAmbient } from '../../runs/ambient.js';

type FrameworkRequest = IncomingMessage & { readonly raw?: IncomingMessage; readonly originalUrl?: string };

/** The gate; `undefined` for a call that came in by no route: on stdio, in a test. */
export function callingGate(modules: ModuleRef): McpGate | undefined {
  const request = currentAmbient()?.request as FrameworkRequest | undefined;
  const url = request?.originalUrl ?? request?.raw?.url ?? request?.url;
  if (url === undefined) return undefined;
  return modules.get(McpGateRoutes, { strict: false }).at(pathOf({ url } as IncomingMessage))?.gate;
}
