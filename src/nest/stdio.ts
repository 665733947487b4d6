/**
 * An application of Nest as a command that a client starts and speaks to over standard input and output: a context without a
 * port (S5), whose every other output goes to standard error (S2).
 */
import { ConsoleLogger, type DynamicModule, type INestApplicationContext, type Type } from '@nestjs/common';
import type { NestApplicationContextOptions } from '@nestjs/common/interfaces/nest-application-context-options.interface.js';
import { NestFactory } from '@nestjs/core';
import { endProcess, LAST_WORDS_MS } from '../stdio/end-process.js';
import { ProcessEnd, type ServingProcess } from '../stdio/process-end.js';
import { serveMcpStdio } from '../stdio/serve.js';
import { claimStandardOutput } from '../stdio/standard-output.js';
import { chosenGate, gatesOf } from './chosen-gate.js';
import { closeInTime } from './close-in-time.js';
import { exportedModule } from './exported-module.js';

/** The application's root module; or a function that imports it, and before which nothing of it has run. */
export type McpStdioApplication = Type | DynamicModule | (() => Promise<object>);

/** What a command of an application may say. */
export interface McpStdioOptions {
  /** The gate's name. @default the application's only one, or the only one that is enabled */
  readonly gate?: string;
  /** Nest's logger. Whichever it is, what it prints goes to standard error. @default that of Nest */
  readonly logger?: NestApplicationContextOptions['logger'];
}

/** An application of Nest over standard input and output: one line makes a command. */
export const McpStdio = Object.freeze({
  /**
   * Serves one gate to the client that has started this process, and ends the process: with code 0 when the client leaves or
   * a signal comes (running calls are aborted, then Nest's shutdown hooks run), with 1 for what is uncaught or does not start.
   *
   * ```ts
   * await McpStdio.run(() => import('./app.module.js'));
   * ```
   *
   * Asks for no token: the caller is the LOCAL OPERATOR, who has no tool that waits for one. Guards of routes, global guards
   * and middleware are not asked; guards of tools are.
   */
  async run(application: McpStdioApplication, options: McpStdioOptions = {}): Promise<void> {
    await endProcess(await serveApplication(application, options, process), process, LAST_WORDS_MS);
  },
});

/**
 * Serves until the end, and gives the exit code. Never rejects.
 *
 * @param write where the protocol goes. @default standard output, which from here on takes nothing else
 */
export async function serveApplication(
  application: McpStdioApplication,
  { gate, logger }: McpStdioOptions,
  process: ServingProcess,
  write = claimStandardOutput(process),
): Promise<number> {
  const end = new ProcessEnd(process);
  let app: INestApplicationContext | undefined;
  try {
    app = await end.orGivenUp(start(application, logger ?? loggerFor(process)));
    if (app === undefined) return end.code;
    const serving = serveMcpStdio(chosenGate(gatesOf(app), gate), {
      input: process.stdin,
      write,
      signal: end.signal,
      request: () => ({ headers: {} }), // of nobody: who looks for credentials finds none
    });
    await end.orGivenUp(serving, LAST_WORDS_MS); // a client that does not read its last answers keeps nobody
  } catch (error) {
    end.fail(error);
  }
  try {
    if (app !== undefined) await closeInTime(app, end.cause);
  } catch (error) {
    end.fail(error);
  }
  return end.code;
}

async function start(
  application: McpStdioApplication,
  logger: NonNullable<McpStdioOptions['logger']>,
): Promise<INestApplicationContext> {
  const module = isLoader(application) ? moduleOf(await application()) : application;
  return NestFactory.createApplicationContext(module, { logger, abortOnError: false });
}

function moduleOf(imported: object): Type {
  return typeof imported === 'function' ? (imported as Type) : exportedModule(imported, 'The imported file');
}

function isLoader(application: McpStdioApplication): application is () => Promise<object> {
  return typeof application === 'function' && !/^class\b/.test(Function.prototype.toString.call(application));
}

/** Nest's own, in colours only where a person reads. */
function loggerFor({ stderr, env }: ServingProcess): ConsoleLogger {
  const inColours = stderr.isTTY && env['NO_COLOR'] === undefined;
  return new ConsoleLogger(inColours ? {} : { colors: false });
}
