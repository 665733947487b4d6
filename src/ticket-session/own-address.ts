/**
 * Where the application itself listens, for requests that it sends to itself: on this machine, whatever address it has.
 */
import type { HttpAdapterHost } from '@nestjs/core';
import type { Server } from 'node:http';

/** The application's own origin; `undefined` while it listens on no port. */
export function ownAddress({ httpAdapter }: Pick<HttpAdapterHost, 'httpAdapter'>): URL | undefined {
  const server = (httpAdapter as HttpAdapterHost['httpAdapter'] | undefined)?.getHttpServer() as Server | undefined;
  const address = server?.address();
  if (typeof address !== 'object' || address === null) return undefined;
  const { port, family, address: name } = address;
  const everywhere = name === '::' || name === '0.0.0.0';
  const host = everywhere ? '127.0.0.1' : family === 'IPv6' ? `[${name}]` : name;
  return new URL(`http://${host}:${port}`);
}
