/** P11: arguments that the published schema mirrors in headers, sent by the official client by itself. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Injectable } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsBoolean, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { Annotations, McpHeader, McpModule, McpTool } from 'nestjs-mcp-gate';
import { z } from 'zod';
import { PLATFORMS, serve, served, type Served } from '../nest/serve.js';
import { CLIENTS } from './official-clients.js';

const READS = { readOnlyHint: true, openWorldHint: false };

class Place {
  @IsOptional() @IsString() @McpHeader('Country') country?: string;
}

class OrderQuery {
  @IsOptional() @IsString() @McpHeader('Region') region?: string;
  @IsOptional() @IsInt() @McpHeader('Count') count?: number;
  @IsOptional() @IsBoolean() @McpHeader('Vip') vip?: boolean;
  @IsOptional() @ValidateNested() @Type(() => Place) place?: Place;
  @IsOptional() @IsString() note?: string;
}

const Zod = z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }), count: z.int().optional() });

const RAW = {
  type: 'object',
  properties: { tenant: { type: 'string', 'x-mcp-header': 'Tenant' } },
  required: ['tenant'],
  additionalProperties: false,
};

@Injectable()
class OrderTools {
  @McpTool({ name: 'orders', description: 'Orders of a region.' })
  @Annotations(READS)
  orders(query: OrderQuery) {
    return query;
  }

  @McpTool({ name: 'orders_zod', description: 'The same.', inputSchema: Zod })
  @Annotations(READS)
  zod(query: z.infer<typeof Zod>) {
    return query;
  }

  @McpTool({ name: 'orders_raw', description: 'The same.', inputSchema: RAW })
  @Annotations(READS)
  raw(query: unknown) {
    return query;
  }
}

const SHOP = { imports: [McpModule.forRoot({ name: 'shop' })], providers: [OrderTools] };

describe.each(PLATFORMS)('arguments mirrored in headers, on %s', (platform) => {
  let gate: Served;
  let client: Client;
  /** What the client sent beside the body, call by call. */
  const sent: Record<string, string>[] = [];

  beforeAll(async () => {
    gate = await serve(SHOP, { platform });
  });
  afterAll(() => gate.close());
  beforeEach(async () => {
    client = new Client({ name: 'tests', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/mcp', gate.url), {
        fetch: (url, init) => {
          const headers = [...new Headers(init?.headers)].filter(([name]) => name.startsWith('mcp-param-'));
          if (typeof init?.body === 'string' && init.body.includes('tools/call'))
            sent.push(Object.fromEntries(headers));
          return fetch(url, init);
        },
      }),
    );
  });
  afterEach(async () => {
    sent.length = 0;
    await client.close();
  });

  async function call(name: string, args: Record<string, unknown>): Promise<unknown> {
    const { content } = (await client.callTool({ name, arguments: args })) as { content: { text: string }[] };
    return JSON.parse(content[0]!.text);
  }

  it.each<[string, string, Record<string, unknown>, Record<string, string>]>([
    ['a text', 'orders', { region: 'us-west1' }, { 'mcp-param-region': 'us-west1' }],
    [
      'what no header can hold as it is',
      'orders',
      { region: 'größer\r\n als 3 €' },
      { 'mcp-param-region': '=?base64?Z3LDtsOfZXINCiBhbHMgMyDigqw=?=' },
    ],
    ['spaces around', 'orders', { region: ' eu ' }, { 'mcp-param-region': `=?base64?${btoa(' eu ')}?=` }],
    [
      'the sentinel itself',
      'orders',
      { region: '=?base64?eA==?=' },
      { 'mcp-param-region': `=?base64?${btoa('=?base64?eA==?=')}?=` },
    ],
    [
      'an integer and a boolean',
      'orders',
      { count: -7, vip: false },
      { 'mcp-param-count': '-7', 'mcp-param-vip': 'false' },
    ],
    ['a nested text', 'orders', { place: { country: 'DE' } }, { 'mcp-param-country': 'DE' }],
    ['nothing', 'orders', { note: 'x' }, {}],
    ['an argument of a Standard Schema', 'orders_zod', { region: 'eu', count: 2 }, { 'mcp-param-region': 'eu' }],
    ['an argument of a JSON Schema', 'orders_raw', { tenant: 'acme' }, { 'mcp-param-tenant': 'acme' }],
  ])('carry %s', async (_, name, args, headers) => {
    await client.listTools();
    expect(await call(name, args)).toEqual(args);
    expect(sent).toEqual([headers]);
  });

  it('are asked for of a client that has not read the schema yet, which then sends them', async () => {
    expect(await call('orders', { region: 'eu', count: 1 })).toEqual({ region: 'eu', count: 1 });
    expect(sent).toEqual([{}, { 'mcp-param-region': 'eu', 'mcp-param-count': '1' }]);
  });

  it('leave a wrong type to the tool, whose agent can mend it (T7)', async () => {
    await client.listTools();
    const result = await client.callTool({ name: 'orders', arguments: { count: 'seven' } });
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/count/) as string }] });
  });

  it('refuse an integer that is not exact any more', async () => {
    await client.listTools();
    await expect(call('orders', { count: 2 ** 53 })).rejects.toMatchObject({
      code: -32020,
      message: expect.stringMatching(/Mcp-Param-Count cannot mirror the argument "count"/) as string,
    });
  });

  it.each(CLIENTS)('are nothing that stands in the way of the $name', async ({ connect }) => {
    const other = await connect(new URL('/mcp', gate.url));
    await other.list();
    expect(await other.call('orders', { region: 'größe', count: 3 })).toMatchObject({
      content: [{ text: '{"region":"größe","count":3}' }],
    });
    await other.close();
  });
});

describe('a tool whose header clients would not take', () => {
  class TagQuery {
    @IsString({ each: true }) @McpHeader('Tags') tags!: string[];
  }

  @Injectable()
  class TagTools {
    @McpTool({ name: 'tagged', description: 'Products with these tags.' })
    @Annotations(READS)
    tagged(query: TagQuery) {
      return query;
    }
  }

  it('is discarded with a warning that names class and property, and the others are served (T4)', async () => {
    await served({ ...SHOP, providers: [OrderTools, TagTools] }, {}, async (gate) => {
      expect(await gate.list()).toEqual(['orders', 'orders_zod', 'orders_raw']);
      expect(gate.log.of('warn').filter((line) => line.includes('TagTools'))).toEqual([
        expect.stringMatching(/TagTools\.tagged.*x-mcp-header stands on "tags", which is not of type string/),
      ]);
    });
  });
});
