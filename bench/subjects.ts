/**
 * Who is measured: floors (what the platform costs without us), the gate, and its peers.
 */
import type { ServerOptions } from './servers/serve.js';
import { ERAS, type Era } from './workload/messages.js';

export interface Subject {
  readonly id: string;
  readonly label: string;
  readonly kind: 'floor' | 'gate' | 'peer';
  /** The file in `servers/`, without its extension. */
  readonly file: string;
  readonly platform?: ServerOptions['platform'];
  readonly eras: readonly Era[];
}

const LEGACY: readonly Era[] = ['legacy'];

function subject(
  id: string,
  label: string,
  file: string,
  more: Partial<Pick<Subject, 'platform' | 'eras'>> = {},
): Subject {
  return { id, label, file, kind: file.split('.')[0] as Subject['kind'], eras: ERAS, ...more };
}

export const SUBJECTS = {
  floorHttp: subject('floor-http', 'bare `node:http`', 'floor.node-http'),
  floorExpress: subject('floor-express', 'bare Express route', 'floor.express'),
  floorNestExpress: subject('floor-nest-express', 'bare Nest route, Express', 'floor.nest', { platform: 'express' }),
  floorNestFastify: subject('floor-nest-fastify', 'bare Nest route, Fastify', 'floor.nest', { platform: 'fastify' }),
  gateHttp: subject('gate-http', '**gate**, `node:http`', 'gate.node-http'),
  gateExpress: subject('gate-express', '**gate**, Nest Express', 'gate.nest', { platform: 'express' }),
  gateFastify: subject('gate-fastify', '**gate**, Nest Fastify', 'gate.nest', { platform: 'fastify' }),
  rekogExpress: subject('rekog-express', '`@rekog/mcp-nest`, Nest Express', 'peer.rekog', { platform: 'express' }),
  rekogFastify: subject('rekog-fastify', '`@rekog/mcp-nest`, Nest Fastify', 'peer.rekog', { platform: 'fastify' }),
  sdkV2: subject('sdk-v2', 'official SDK v2, `node:http`', 'peer.sdk-v2'),
  sdkV1: subject('sdk-v1', 'official SDK v1, `node:http`', 'peer.sdk-v1', { eras: LEGACY }),
  fastmcp: subject('fastmcp', '`fastmcp`, its own server', 'peer.fastmcp', { eras: LEGACY }),
} as const satisfies Record<string, Subject>;
