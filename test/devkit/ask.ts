/** An application with the devkit, and an agent that asks it. */
import type { ModuleMetadata } from '@nestjs/common';
import { McpDevkitModule } from '../../src/devkit/index.js';
import type { McpDevkitSettings } from '../../src/devkit/index.js';
import { serve, type Served, type ServeOptions } from '../nest/serve.js';

export interface Asked {
  readonly app: Served;
  /** A tool's answer as it came. */
  text(tool: string, args?: object): Promise<string>;
  /** The same as JSON. */
  ask(tool: string, args?: object): Promise<any>;
  inspect(subject: string, args?: object): Promise<any>;
}

export interface AskOptions extends ServeOptions {
  readonly path?: string;
  readonly settings?: McpDevkitSettings;
}

export async function serveDevkit(metadata: ModuleMetadata, given: AskOptions = {}): Promise<Asked> {
  const { path = '/mcp/devkit', settings, ...options } = given;
  const imports = [...(metadata.imports ?? []), McpDevkitModule.forRoot(settings)];
  const app = await serve({ ...metadata, imports }, options);
  const text = (tool: string, args: object = {}) => app.text(tool, args, { path });
  const ask = async (tool: string, args?: object) => JSON.parse(await text(tool, args)) as unknown;
  return { app, text, ask, inspect: (subject, args) => ask('nest_inspect', { subject, ...args }) };
}
