/**
 * An application started for one command: a context without a port, whose log and prints go to standard error.
 */
import type { INestApplicationContext, LogLevel } from '@nestjs/common';
import { unlessInterrupted } from './interruption.js';
import { loadModule } from './load-module.js';
import { isColoured } from './paint.js';
import { withStrayOutputInErr } from './stray-output.js';
import type { McpCommandSurroundings } from './surroundings.js';

/** What an application says of itself while it starts is for whoever starts it for good. */
const LOG_LEVELS: LogLevel[] = ['warn', 'error', 'fatal'];

/**
 * Starts the application of a module file, works with it, and closes it whatever happens.
 *
 * @throws Error for a file that holds no application, and for one that does not start; the signal's reason when the user
 * interrupts the start; what its shutdown hooks fail with, also by hanging.
 */
export function withApplication<T>(
  file: string,
  given: McpCommandSurroundings,
  work: (app: INestApplicationContext, surroundings: McpCommandSurroundings) => Promise<T>,
): Promise<T> {
  return withStrayOutputInErr(given, async (surroundings) => {
    const app = await unlessInterrupted(surroundings.interrupted, start(file, surroundings));
    const { closeInTime } = await import('../nest/close-in-time.js');
    let outcome: T;
    try {
      outcome = await work(app, surroundings);
    } catch (error) {
      // What went wrong first is what the user has to hear last.
      await closeInTime(app).catch((fault: Error) => surroundings.err(`${fault.message}\n`));
      throw error;
    }
    await closeInTime(app);
    return outcome;
  });
}

async function start(file: string, surroundings: McpCommandSurroundings): Promise<INestApplicationContext> {
  const module = await loadModule(file, surroundings.cwd);
  const { ConsoleLogger } = await import('@nestjs/common');
  const { NestFactory } = await import('@nestjs/core');
  const logger = new ConsoleLogger({ colors: isColoured(surroundings, 'err'), logLevels: LOG_LEVELS });
  try {
    return await NestFactory.createApplicationContext(module, { logger, abortOnError: false });
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The application of ${file} does not start: ${said}`, { cause });
  }
}
