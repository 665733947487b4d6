/**
 * The platform under a Nest application.
 */
// What Nest looks for when it creates an application, and finds here because a peer needs it: half of that step is its files.
import '@nestjs/microservices';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';

export function nestAdapter(platform: 'express' | 'fastify' = 'express'): ExpressAdapter | FastifyAdapter {
  return platform === 'fastify' ? new FastifyAdapter() : new ExpressAdapter();
}
