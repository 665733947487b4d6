/**
 * What may be asked of the application: a path of its own, and nothing that leads away from it or adds a header.
 */
import { McpToolFailure } from '../../tools/failure.js';

export const PROFILED_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** A request, as it is asked for. */
export interface ProfileTarget {
  readonly method: (typeof PROFILED_METHODS)[number];
  readonly path: string;
  readonly body?: unknown;
}

/** Printable, and none that a parser of addresses would read as something else. */
const PATH = /^\/(?!\/)[\x21\x22\x24-\x5b\x5d-\x7e]*$/;
const WITHOUT_BODY = new Set(['GET', 'HEAD']);

/**
 * The address, at the application itself.
 *
 * @throws McpToolFailure for a path that is none of the application's.
 */
export function targetAddress({ method, path, body }: ProfileTarget, application: URL): URL {
  if (!PATH.test(path)) {
    throw new McpToolFailure(
      'path must be a path of this application, such as /orders?page=2: it begins with one "/", and holds no space, "#" or "\\".',
    );
  }
  if (body !== undefined && WITHOUT_BODY.has(method)) throw new McpToolFailure(`A ${method} request has no body.`);
  return new URL(path, application);
}
