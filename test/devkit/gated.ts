/** An application with the devkit behind a gate that takes tokens, and agents that carry them. */
import type { ModuleMetadata } from '@nestjs/common';
import type { McpAccount } from '../../src/account.js';
import { McpDevkitModule, type McpDevkitSettings } from '../../src/devkit/index.js';
import { bearing, KEYS, tokenFor, type Granted } from '../authorization/tokens.js';
import { serve, type Served, type ServeOptions } from '../nest/serve.js';

export const PATH = '/mcp/devkit';

export interface Gated {
  readonly app: Served;
  /** The result of a call with a token that grants this; without one, a stranger's. */
  call(tool: string, args?: object, granted?: Granted): Promise<any>;
  /** Its text as JSON; throws when the call failed. */
  ask(tool: string, args?: object, granted?: Granted): Promise<any>;
  list(granted?: Granted): Promise<string[]>;
}

/** Serves at 127.0.0.1; `accounts` finds whom tools act for. */
export async function gated(
  metadata: ModuleMetadata,
  options: ServeOptions & {
    accounts?: (subject: string) => McpAccount | undefined;
    settings?: McpDevkitSettings;
  } = {},
): Promise<Gated> {
  const { accounts, settings, ...rest } = options;
  const devkit = McpDevkitModule.forRoot({
    gate: {
      authorization: { ownKeys: KEYS, anonymous: true },
      ...(accounts && { accounts: ({ subject = '' }) => accounts(subject) }),
    },
    ...settings,
  });
  const app = await serve({ ...metadata, imports: [...(metadata.imports ?? []), devkit] }, rest);
  const init = async (granted?: Granted) => ({
    path: PATH,
    ...(granted && bearing(await tokenFor(`${app.url}${PATH}`, granted))),
  });
  const call: Gated['call'] = async (tool, args = {}, granted) => app.call(tool, args, await init(granted));
  return {
    app,
    call,
    async ask(tool, args, granted) {
      const result = await call(tool, args, granted);
      if (result?.isError === true || result?.content === undefined) throw new Error(JSON.stringify(result));
      return JSON.parse(result.content[0].text);
    },
    list: async (granted) => app.list(await init(granted)),
  };
}
