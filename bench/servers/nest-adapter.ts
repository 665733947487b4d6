/**
 * The platform under a Nest application.
 */
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';

export function nestAdapter(platform: 'express' | 'fastify' = 'express'): ExpressAdapter | FastifyAdapter {
  return platform === 'fastify' ? new FastifyAdapter() : new ExpressAdapter();
}
