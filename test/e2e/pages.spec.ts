/** Both official clients walk all pages of each list, on both platforms; tools that are given anew come and go meanwhile. */
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Injectable } from '@nestjs/common';
import {
  McpModule,
  McpPrompt,
  McpResource,
  McpResourceTemplate,
  McpTool,
  type McpTool as Tool,
  type McpToolProvider,
} from 'nestjs-mcp-gate';
import { mcpTestClient } from 'nestjs-mcp-gate/testing';
import { PLATFORMS, serve, type Served } from '../nest/serve.js';

const NUMBERS = [1, 2, 3, 4, 5];
const TOOLS = ['ask', ...NUMBERS.map((number) => `report_${number}`)];

/** Four resources, templates and prompts of one method each. */
function fourTimes(decorate: (number: number) => MethodDecorator): MethodDecorator {
  return (target, key) => {
    for (const number of NUMBERS.slice(0, 4)) {
      const copy: PropertyDescriptor = { configurable: true, writable: true, value: () => String(key) };
      const name = `${String(key)}_${number}`;
      Object.defineProperty(target, name, copy);
      decorate(number)(target, name, copy);
    }
  };
}

@Injectable()
class Library implements McpToolProvider {
  numbers = NUMBERS;

  @McpTool({ name: 'ask', description: 'Asks.' })
  ask() {
    return 'asked';
  }

  getMcpTools(): Tool[] {
    return this.numbers.map((number) => ({
      name: `report_${number}`,
      description: 'A report.',
      inputSchema: { type: 'object' },
      handler: () => number,
    }));
  }

  @fourTimes((number) => McpResource({ uri: `shop://book/${number}`, name: `book ${number}` }))
  book() {}

  @fourTimes((number) => McpResourceTemplate({ uriTemplate: `shop://shelf${number}/{id}`, name: `shelf ${number}` }))
  shelf() {}

  @fourTimes((number) => McpPrompt({ name: `review_${number}` }))
  review() {}
}

/** What a page is asked for with, and what it is. */
type Fetch = (params: { cursor?: string } | undefined) => Promise<{ nextCursor?: string | undefined }>;

/** The members of all pages, page by page. */
async function walk(fetch: Fetch, member: string, key: string): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const result = await fetch(cursor === undefined ? undefined : { cursor });
    pages.push((result as Record<string, Record<string, string>[]>)[member]!.map((entry) => entry[key]!));
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  return pages;
}

type Lister = Pick<ClientV1, 'listTools' | 'listPrompts' | 'listResources' | 'listResourceTemplates' | 'close'>;

const IDENTITY = { name: 'nestjs-mcp-gate-tests', version: '1.0.0' };
const CLIENTS: readonly { name: string; connect: (url: URL) => Promise<Lister> }[] = [
  {
    name: 'v1 client',
    connect: async (url) => {
      const client = new ClientV1(IDENTITY);
      await client.connect(new TransportV1(url));
      return client;
    },
  },
  ...[undefined, 'auto' as const, { pin: '2026-07-28' }].map((mode) => ({
    name: `v2 client, ${JSON.stringify(mode) ?? 'legacy'}`,
    connect: async (url: URL) => {
      const client = new ClientV2(IDENTITY, mode && { versionNegotiation: { mode } });
      await client.connect(new TransportV2(url));
      return client as unknown as Lister;
    },
  })),
];

describe.each(PLATFORMS)('a gate with pages of two, on %s', (platform) => {
  let gate: Served;
  beforeAll(async () => {
    const imports = [McpModule.forRoot({ name: 'shop', pageSize: 2 })];
    gate = await serve({ imports, providers: [Library] }, { platform });
  });
  afterAll(() => gate.close());

  describe.each(CLIENTS)('$name', ({ name, connect }) => {
    /** Asked without a cursor, the v2 client walks by itself. */
    const pagesOf = (...all: string[]) =>
      name === 'v1 client'
        ? [all.slice(0, 2), all.slice(2, 4), all.slice(4)].filter(({ length }) => length > 0)
        : [all];
    let client: Lister;
    beforeAll(async () => {
      client = await connect(new URL('/mcp', gate.url));
    });
    afterAll(() => client.close());

    it('sees every tool, prompt, resource and template, in order', async () => {
      expect(await walk((params) => client.listTools(params), 'tools', 'name')).toEqual(pagesOf(...TOOLS));
      expect(await walk((params) => client.listPrompts(params), 'prompts', 'name')).toEqual(
        pagesOf('review_1', 'review_2', 'review_3', 'review_4'),
      );
      expect(await walk((params) => client.listResources(params), 'resources', 'uri')).toEqual(
        pagesOf('shop://book/1', 'shop://book/2', 'shop://book/3', 'shop://book/4'),
      );
      expect(await walk((params) => client.listResourceTemplates(params), 'resourceTemplates', 'uriTemplate')).toEqual(
        pagesOf('shop://shelf1/{id}', 'shop://shelf2/{id}', 'shop://shelf3/{id}', 'shop://shelf4/{id}'),
      );
    });
  });

  it('goes on behind an entry that is gone, and repeats none', async () => {
    const page = async (cursor?: string) => {
      const { body } = await gate.rpc('tools/list', cursor === undefined ? {} : { cursor });
      return body.result as { tools: { name: string }[]; nextCursor: string };
    };
    const library = gate.app.get(Library);
    const first = await page();
    const second = await page(first.nextCursor);
    expect(second.tools).toMatchObject([{ name: 'report_2' }, { name: 'report_3' }]);
    try {
      library.numbers = [0, 2, 4, 5]; // report_3, the last that was given, is gone
      expect((await page(second.nextCursor)).tools).toMatchObject([{ name: 'report_4' }, { name: 'report_5' }]);
    } finally {
      library.numbers = NUMBERS;
    }
  });

  it('is read to the end by the client for tests', async () => {
    const client = mcpTestClient(gate.app);
    expect((await client.list()).map(({ name }) => name)).toEqual(TOOLS);
    expect(await client.listPrompts()).toHaveLength(4);
    expect(await client.listResources()).toHaveLength(4);
    expect(await client.listResourceTemplates()).toHaveLength(4);
    expect(await mcpTestClient(gate.app, { era: 'legacy' }).list()).toHaveLength(TOOLS.length);
  });
});
