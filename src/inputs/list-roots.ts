/**
 * A question for the client itself: which folders its user has opened (2026-07-28, roots).
 */
import type { McpInputRequest } from '../runs/input.js';

/** A folder or file that the user works on. */
export interface McpRoot {
  /** A `file:` URI. */
  readonly uri: string;
  readonly name?: string;
}

/** The client's roots. */
export interface McpRoots {
  readonly roots: readonly McpRoot[];
}

/**
 * Asks for the client's roots. They are what the client says, no permission: a server must check a path like any other input.
 * The specification has deprecated roots (2026-07-28, deprecated features): for new work take paths as arguments.
 */
export function listRoots(): McpInputRequest<McpRoots> {
  return {
    needs: 'roots',
    prepare: () => ({
      method: 'roots/list',
      read: (answer) => (isRoots(answer) ? { value: answer } : undefined),
    }),
  };
}

function isRoots(answer: unknown): answer is McpRoots {
  if (typeof answer !== 'object' || answer === null) return false;
  const { roots } = answer as { roots?: unknown };
  return Array.isArray(roots) && roots.every(isRoot);
}

function isRoot(root: unknown): boolean {
  if (typeof root !== 'object' || root === null) return false;
  const { uri, name } = root as Record<string, unknown>;
  const isFile = typeof uri === 'string' && uri.startsWith('file://') && URL.canParse(uri);
  return isFile && (name === undefined || typeof name === 'string');
}
