/**
 * Where a gate writes for its operator, and under which id a fault stands there.
 */
import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import type { McpServerFault } from '../protocol/context.js';

/** Where a gate writes for its operator. */
export interface McpLog {
  debug(message: string): void;
  warn(message: string): void;
  error(message: string): void;
  /** @default error */
  fatal?(message: string): void;
}

/** Warnings and errors; what is said at DEBUG is dropped. */
export const CONSOLE_LOG: McpLog = {
  debug() {},
  warn: (message) => console.warn(message),
  error: (message) => console.error(message),
};

/** The same log, which never throws: one that is down must not leave a request without its answer. */
export function steadfast(log: McpLog): McpLog {
  const quietly = (level: 'debug' | 'warn' | 'error') => (message: string) => {
    try {
      log[level](message);
    } catch {
      // there is nobody left to tell
    }
  };
  return {
    debug: quietly('debug'),
    warn: quietly('warn'),
    error: quietly('error'),
    fatal(message) {
      try {
        if (log.fatal === undefined) log.error(message);
        else log.fatal(message);
      } catch {
        // there is nobody left to tell
      }
    },
  };
}

/** Writes a fault with its cause, and gives the id that a client may be told in its place (T8, P15). */
export function logFault(log: McpLog, gate: string, { where, error, fatal }: McpServerFault): string {
  const id = randomUUID();
  const message = `[${gate}] ${where} failed (${id}): ${causeText(error)}`;
  if (fatal === true && log.fatal !== undefined) log.fatal(message);
  else log.error(message);
  return id;
}

/** What was thrown, for a log. A tool may throw anything, also what throws when it is looked at. */
export function causeText(cause: unknown): string {
  try {
    if (!(cause instanceof Error)) return inspect(cause, { depth: 1 });
    const stack: unknown = cause.stack;
    return typeof stack === 'string' ? stack : String(cause);
  } catch {
    return 'what was thrown cannot be read';
  }
}
