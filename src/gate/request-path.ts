/**
 * The path of a request, whatever form its target has and wherever it is asked.
 */
import type { IncomingMessage } from 'node:http';

/**
 * The path, also below a router that has cut it and where the target is a whole URL (RFC 9112, section 3.2.2). Without a
 * slash at its end: a framework may take both forms, and a gate has one URI.
 */
export function pathOf(req: IncomingMessage & { originalUrl?: string }): string {
  const target = (req.originalUrl ?? req.url ?? '/').split('?', 1)[0]!;
  const path = target.startsWith('/') || !URL.canParse(target) ? target : new URL(target).pathname;
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
