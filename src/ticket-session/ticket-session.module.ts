/**
 * The module that an application imports to let its tools act in sessions.
 */
import { Module, type DynamicModule, type InjectionToken, type ModuleMetadata } from '@nestjs/common';
import { defineTicketSessionGate, type McpTicketSessionSettings } from './ticket-session-gate.js';
import { McpTicketSessions, TICKET_GATE } from './ticket-sessions.js';

/** How sessions are opened, and where tickets are redeemed. */
export interface McpTicketSessionOptions extends McpTicketSessionSettings {
  /** Where tickets are redeemed, outside of any prefix. @default '/mcp/session' */
  readonly path?: string;
}

/** The same, made by a factory: a login flow usually needs the application's own services. */
export interface McpTicketSessionAsyncOptions extends Pick<ModuleMetadata, 'imports'> {
  readonly inject?: InjectionToken[];
  readonly useFactory: (...injected: never[]) => McpTicketSessionOptions | Promise<McpTicketSessionOptions>;
}

const PATH = '/mcp/session';

/** Gives the application `McpTicketSessions`. */
@Module({})
export class McpTicketSessionModule {
  /** @throws TypeError when a setting cannot be used. */
  static forRoot(options: McpTicketSessionOptions): DynamicModule {
    return McpTicketSessionModule.forRootAsync({ useFactory: () => options });
  }

  static forRootAsync({ imports = [], inject = [], useFactory }: McpTicketSessionAsyncOptions): DynamicModule {
    const make = async (...injected: never[]) => {
      const { path = PATH, ...settings } = await useFactory(...injected);
      return { gate: defineTicketSessionGate(settings), path };
    };
    return {
      module: McpTicketSessionModule,
      imports,
      providers: [{ provide: TICKET_GATE, inject, useFactory: make }, McpTicketSessions],
      exports: [McpTicketSessions],
    };
  }
}
