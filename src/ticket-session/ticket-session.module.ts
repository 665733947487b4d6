/**
 * The module that an application imports to let its tools act in sessions.
 */
import { Logger, Module, type DynamicModule, type InjectionToken, type ModuleMetadata } from '@nestjs/common';
import { defineTicketSessionGate, type McpTicketSessionSettings } from './ticket-session-gate.js';
import { McpTicketSessions, TICKET_GATE, type PlacedTicketGate } from './ticket-sessions.js';

/** How sessions are opened, and where tickets are redeemed. */
export interface McpTicketSessionOptions extends McpTicketSessionSettings {
  /** Where tickets are redeemed, outside of any prefix. @default '/mcp/session' */
  readonly path?: string;
}

/** The same, made by a factory: a login flow usually needs the application's own services. */
export interface McpTicketSessionAsyncOptions extends Pick<ModuleMetadata, 'imports'> {
  /** What the factory is given, in its order. @default nothing */
  readonly inject?: InjectionToken[];
  readonly useFactory: (...injected: never[]) => McpTicketSessionOptions | Promise<McpTicketSessionOptions>;
}

const PATH = '/mcp/session';
const NOWHERE = 'http://nowhere.invalid';
const KEYS = ['factor', 'localOnly', 'flow', 'audit', 'path'];

function checked(options: McpTicketSessionOptions): McpTicketSessionOptions {
  const unknown = Object.keys(options).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) {
    throw new TypeError(`"${unknown}" is not a setting of ticket sessions. The settings are: ${KEYS.join(', ')}.`);
  }
  const { path = PATH } = options;
  if (!path.startsWith('/') || leadsAway(path)) {
    throw new TypeError(`"path" must begin with one "/": "/${path.replace(/^[\s/\\]+/, '')}".`);
  }
  return options;
}

/** A second slash would lead to another machine, and the ticket with it: so would a backslash, or a tab before either. */
function leadsAway(path: string): boolean {
  return !URL.canParse(path, NOWHERE) || new URL(path, NOWHERE).origin !== NOWHERE;
}

/** Gives the application `McpTicketSessions`. */
@Module({})
export class McpTicketSessionModule {
  /** @throws TypeError when a setting cannot be used. */
  static forRoot(options: McpTicketSessionOptions): DynamicModule {
    return McpTicketSessionModule.forRootAsync({ useFactory: () => options });
  }

  /** The same, where the settings need other providers. @throws TypeError, at boot, when one cannot be used. */
  static forRootAsync({ imports = [], inject = [], useFactory }: McpTicketSessionAsyncOptions): DynamicModule {
    const log = new Logger('McpTicketSession');
    const make = async (...injected: never[]): Promise<PlacedTicketGate> => {
      const { path = PATH, ...settings } = checked(await useFactory(...injected));
      return { gate: defineTicketSessionGate(settings, { log }), path, log };
    };
    return {
      module: McpTicketSessionModule,
      imports,
      providers: [{ provide: TICKET_GATE, inject, useFactory: make }, McpTicketSessions],
      exports: [McpTicketSessions],
    };
  }
}
