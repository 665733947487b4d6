/**
 * D: an agent that works on the shop asks the running one. The session that docs/devkit.md shows is this one: with
 * UPDATE_DOCS=1 it is written anew, without it compared.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { connectAgent, type Agent } from './agent.js';
import { startShopApp, type ShopApp } from './shop-app.js';

const DOCUMENT = fileURLToPath(new URL('../../../docs/devkit.md', import.meta.url));
const [BEGIN, END] = ['<!-- session: begin -->', '<!-- session: end -->'];

/** What the agent wants to know, and what it asks. */
const SESSION: readonly (readonly [why: string, tool: string, args: Record<string, unknown>])[] = [
  ['What am I working on?', 'nest_card', {}],
  [
    'What answers at `/health`, and what runs around it?',
    'nest_inspect',
    { subject: 'routes', filter: '/health', detail: true },
  ],
  [
    'Whom do I break when I change the stock service?',
    'nest_inspect',
    { subject: 'providers', filter: 'StockService CatalogModule', detail: true },
  ],
  [
    'Why does a caller with `shop:read` not find the refund tool?',
    'nest_inspect',
    { subject: 'tools', gate: 'shop', filter: 'shop_', scopes: ['shop:read'] },
  ],
  ['Is anything wired wrong?', 'nest_check', {}],
];

let shop: ShopApp;
let agent: Agent;
beforeAll(async () => {
  shop = await startShopApp();
  agent = await connectAgent(`${shop.origin}/mcp/devkit`);
});
afterAll(async () => {
  await agent.client.close();
  await shop.close();
});

describe('an agent at /mcp/devkit of the shop', () => {
  it('gets the answers that docs/devkit.md shows', async () => {
    const session = await recorded();
    const document = readFileSync(DOCUMENT, 'utf8');
    const [before, rest] = document.split(BEGIN);
    const [shown, after] = rest!.split(END);
    if (process.env['UPDATE_DOCS'] !== undefined) {
      writeFileSync(DOCUMENT, `${before}${BEGIN}\n\n${session}\n\n${END}${after}`);
      return;
    }
    expect(steady(shown!.trim())).toBe(steady(session));
  });

  it('finds each route of the shop answering', async () => {
    const { items } = await agent.data<{ items: { method: string; path: string; gate?: string }[] }>('nest_inspect', {
      subject: 'routes',
    });
    const statuses = await Promise.all(
      items.map(async ({ method, path }) => [path, (await fetch(shop.origin + path, { method })).status]),
    );
    expect(statuses).toEqual([
      ['/mcp', 415], // a body of JSON is missing
      ['/mcp/account', 404], // disabled without an issuer
      ['/mcp/mixed', 404],
      ['/health', 200],
      ['/mcp/devkit', 415],
    ]);
  });

  it('finds the shop sound', async () => {
    expect(await agent.data('nest_check')).toMatchObject({ items: [], total: 0 });
  });

  it('finds no tool of the shop itself there, and none of these at the gate of the shop', async () => {
    const names = async (client: Agent['client']) => (await client.listTools()).tools.map(({ name }) => name);
    const open = await connectAgent(`${shop.origin}/mcp`);
    expect((await names(open.client)).filter((name) => name.startsWith('nest_'))).toEqual([]);
    expect((await names(agent.client)).filter((name) => !name.startsWith('nest_'))).toEqual([]);
    await open.client.close();
  });
});

async function recorded(): Promise<string> {
  const steps: string[] = [];
  for (const [why, tool, args] of SESSION) {
    const text = await agent.text(tool, args);
    const question = Object.keys(args).length === 0 ? tool : `${tool} ${JSON.stringify(args)}`;
    steps.push(`**${why}**\n\n\`${question}\`\n\n\`\`\`text\n${laidOut(text)}\n\`\`\``);
  }
  return steps.join('\n\n');
}

/** JSON with a line for each item: nothing is left out. */
function laidOut(text: string): string {
  if (!text.startsWith('{')) return text;
  return Object.entries(JSON.parse(text) as object)
    .map(([key, value]) =>
      Array.isArray(value) && value.some((item) => typeof item === 'object')
        ? `${key}:\n${value.map((item) => `  ${lines(item)}`).join('\n')}`
        : `${key}: ${JSON.stringify(value)}`,
    )
    .join('\n');
}

function lines(item: object): string {
  return Object.entries(item)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n    ');
}

/** Without what differs between two machines and two moments. */
function steady(text: string): string {
  return text.replace(/Nest [\d.]+ on|Node [\d.]+|NODE_ENV=\w+|process \d+|Up \d+ \w+|\d+ MB|:\d+$/gm, '…');
}
