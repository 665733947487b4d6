/**
 * The official clients with an account of their own: each with a browser and a wallet, and a record of every request
 * that it made.
 */
import { auth, Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Browser } from './oauth-browser.js';
import type { ToolResult } from './official-clients.js';
import { REDIRECT_URI, Wallet } from './oauth-wallet.js';

/** One request of a client, and what came back. */
export interface Exchange {
  readonly method: string;
  readonly url: URL;
  readonly body: string;
  readonly status: number;
  readonly challenge: string | null;
}

/** What differs between the official clients. */
interface Connection {
  readonly list: () => Promise<string[]>;
  readonly call: (name: string, args: Record<string, unknown>) => Promise<ToolResult>;
  readonly finishAuth: (callback: URLSearchParams) => Promise<void>;
  readonly close: () => Promise<void>;
}

type Connect = (url: URL, wallet: Wallet, fetch: typeof globalThis.fetch) => { opened: Promise<void> } & Connection;

export const CLIENTS: readonly { name: string; connect: Connect }[] = [
  { name: 'the v1 client', connect: connectV1 },
  { name: 'the v2 client', connect: (...parts) => connectV2(undefined, ...parts) },
  { name: 'the v2 client, pinned to 2026-07-28', connect: (...parts) => connectV2('2026-07-28', ...parts) },
];

export interface AuthorizedClientOptions {
  readonly connect: Connect;
  /** The id of the person at the browser. */
  readonly user: string;
  /** The authorization server is told who is there, and asks nobody. @default true */
  readonly hinted?: boolean;
  /** @default a new one */
  readonly browser?: Browser;
}

export class AuthorizedClient {
  readonly wallet = new Wallet();
  readonly browser: Browser;
  readonly exchanges: Exchange[] = [];
  /** How often its user was sent to the browser. */
  authorizations = 0;
  private connection?: Connection;

  constructor(
    private readonly url: URL,
    private readonly options: AuthorizedClientOptions,
  ) {
    this.browser = options.browser ?? new Browser();
  }

  /** Connects; a gate that asks for a token gets one. */
  async open(): Promise<this> {
    let { opened, ...connection } = this.connect();
    if (!(await this.succeeds(opened))) {
      await this.authorize(connection.finishAuth);
      await connection.close();
      ({ opened, ...connection } = this.connect());
      await opened;
    }
    this.connection = connection;
    return this;
  }

  /** Gets a token before a gate asks for one: a mixed gate never does. @default scope what the gate's document names */
  async signIn(scope?: string): Promise<this> {
    const serverUrl = this.url;
    await auth(this.wallet, { serverUrl, ...(scope !== undefined && { scope }) });
    await this.authorize(async (callback) => {
      const [authorizationCode, iss] = [callback.get('code')!, callback.get('iss')!];
      await auth(this.wallet, { serverUrl, authorizationCode, iss });
    });
    return this;
  }

  list(): Promise<string[]> {
    return this.connection!.list();
  }

  /** Calls; when the client says that it lacks authorization the user goes to the browser, and it calls again. */
  async call(name: string, args: Record<string, unknown> = {}): Promise<ToolResult> {
    const first = this.connection!.call(name, args);
    if (await this.succeeds(first)) return first;
    await this.authorize(this.connection!.finishAuth);
    return this.connection!.call(name, args);
  }

  async close(): Promise<void> {
    await this.connection?.close();
  }

  private connect(): ReturnType<Connect> {
    return this.options.connect(this.url, this.wallet, this.fetch);
  }

  private async authorize(finishAuth: Connection['finishAuth']): Promise<void> {
    const { user, hinted = true } = this.options;
    const url = new URL(this.wallet.authorizationUrl!);
    if (hinted) url.searchParams.set('login_hint', user);
    this.authorizations += 1;
    await finishAuth(await this.browser.authorize(url, REDIRECT_URI, user));
  }

  private async succeeds(attempt: Promise<unknown>): Promise<boolean> {
    try {
      await attempt;
      return true;
    } catch (refusal) {
      if ((refusal as Error).message.startsWith('Unauthorized')) return false;
      throw refusal;
    }
  }

  private readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init);
    this.exchanges.push({
      method: init?.method ?? 'GET',
      url: new URL(input instanceof Request ? input.url : input),
      body:
        typeof init?.body === 'string' ? init.body : init?.body instanceof URLSearchParams ? init.body.toString() : '',
      status: response.status,
      challenge: response.headers.get('www-authenticate'),
    });
    return response;
  };
}

const IDENTITY = { name: 'nestjs-mcp-gate-tests', version: '1.0.0' };

function connectV1(url: URL, wallet: Wallet, fetch: typeof globalThis.fetch): ReturnType<Connect> {
  const client = new ClientV1(IDENTITY);
  const transport = new TransportV1(url, { authProvider: wallet, fetch });
  return {
    opened: client.connect(transport),
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args) => (await client.callTool({ name, arguments: args })) as ToolResult,
    finishAuth: (callback) => transport.finishAuth(callback.get('code')!),
    close: () => client.close(),
  };
}

function connectV2(
  pin: string | undefined,
  url: URL,
  wallet: Wallet,
  fetch: typeof globalThis.fetch,
): ReturnType<Connect> {
  const client = new ClientV2(IDENTITY, pin === undefined ? {} : { versionNegotiation: { mode: { pin } } });
  const transport = new TransportV2(url, { authProvider: wallet, fetch });
  return {
    opened: client.connect(transport),
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, args) => client.callTool({ name, arguments: args }),
    finishAuth: (callback) => transport.finishAuth(callback),
    close: () => client.close(),
  };
}
