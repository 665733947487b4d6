import { jest } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { Browser } from './oauth-browser.js';
import { AuthorizedClient, type AuthorizedClientOptions, CLIENTS } from './oauth-clients.js';
import { type OAuthShop, openOAuthShop } from './oauth-shop.js';
import type { ToolResult } from './official-clients.js';

jest.setTimeout(60_000); // a busy machine

const ADA = 'C-001';
const BRUNO = 'C-002';
const [V1, V2] = CLIENTS;
const PUBLISH = { month: '2026-03', publish: true };

let stage: OAuthShop;
const opened: AuthorizedClient[] = [];

beforeAll(async () => (stage = await openOAuthShop()));
afterAll(async () => {
  for (const client of opened) await client.close();
  await stage?.close();
});

function clientAt(gate: URL, options: Partial<AuthorizedClientOptions> = {}): AuthorizedClient {
  const client = new AuthorizedClient(gate, { connect: V2!.connect, user: ADA, ...options });
  opened.push(client);
  return client;
}

const textOf = (result: ToolResult): string => result.content[0]?.text ?? '';
const customersIn = (result: ToolResult): string[] => [
  ...new Set((JSON.parse(textOf(result)) as { customer: string }[]).map(({ customer }) => customer)),
];

/** A request by hand, in a revision that can do without a handshake. */
async function ask(gate: URL, token: string | undefined, method: string, params: object = {}) {
  const response = await fetch(gate, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { status, headers } = response;
  return { status, challenge: headers.get('www-authenticate'), body: (await response.json()) as any };
}

describe.each(CLIENTS)('$name at a protected gate', ({ connect }) => {
  let client: AuthorizedClient;
  beforeAll(async () => {
    client = await clientAt(stage.account, { connect, hinted: false }).open();
  });

  it('finds the way to a token by itself: 401, RFC 9728, server metadata, registration, code with PKCE (A7)', () => {
    const [refused, , , , redeemed] = client.exchanges;
    const asked = client.wallet.authorizationUrl!.searchParams;

    expect(
      client.exchanges.slice(0, 6).map(({ method, url, status }) => `${method} ${url.pathname} ${status}`),
    ).toEqual([
      'POST /mcp/account 401',
      'GET /.well-known/oauth-protected-resource/mcp/account 200',
      'GET /.well-known/oauth-authorization-server 200',
      'POST /reg 201',
      'POST /token 200',
      'POST /mcp/account 200',
    ]);
    expect(refused!.challenge).toBe(
      'Bearer scope="shop:billing shop:orders shop:read", ' +
        `resource_metadata="${stage.shop.origin}/.well-known/oauth-protected-resource/mcp/account"`,
    );
    expect(asked.get('code_challenge_method')).toBe('S256');
    expect(asked.get('resource')).toBe(stage.account.href);
    expect(new URLSearchParams(redeemed!.body).get('resource')).toBe(stage.account.href);
    expect(new URLSearchParams(redeemed!.body).get('code_verifier')).toMatch(/^.{43,}$/);
    expect(client.browser.pages).toEqual([expect.stringContaining('Allow it as Ada Berg')]);
  });

  it('gets a token that is a JWT for this gate alone (A9)', () => {
    expect(decodeProtectedHeader(client.wallet.accessToken)).toMatchObject({ alg: 'ES256', typ: 'at+jwt' });
    expect(decodeJwt(client.wallet.accessToken)).toMatchObject({
      iss: stage.issuer,
      sub: ADA,
      aud: stage.account.href,
      scope: 'shop:billing shop:orders shop:read',
    });
  });

  it('calls in the name of the customer who signed in (A5)', async () => {
    expect(customersIn(await client.call('shop_my_orders'))).toEqual([ADA]);
  });

  it('is told of every scope when it publishes, is authorized once more, and succeeds (A4)', async () => {
    expect(textOf(await client.call('shop_report', { month: '2026-03' }))).toContain('"orders":31');
    expect(client.authorizations).toBe(1);
    const before = client.exchanges.length;

    const published = await client.call('shop_report', PUBLISH);

    expect(textOf(published)).toContain('"publishedAt"');
    const [forbidden, ...later] = client.exchanges.slice(before);
    expect(forbidden).toMatchObject({
      status: 403,
      challenge:
        'Bearer error="insufficient_scope", scope="shop:read shop:write", ' +
        `resource_metadata="${stage.shop.origin}/.well-known/oauth-protected-resource/mcp/account"`,
    });
    expect(later.at(-1)).toMatchObject({ method: 'POST', url: stage.account, status: 200 });
    expect(client.wallet.scopes).toEqual(expect.arrayContaining(['shop:read', 'shop:write']));
    await client.call('shop_report', { month: '2026-02', publish: true });
    expect(client.authorizations).toBe(2);
  });
});

describe('Two customers', () => {
  it('each see their own orders and the tools of their own scopes, also when they ask at once (A2, A5)', async () => {
    const ada = await clientAt(stage.account, { connect: V1!.connect }).open();
    const bruno = await clientAt(stage.account, { user: BRUNO }).open();

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, turn) => (turn % 2 === 0 ? ada : bruno).call('shop_my_orders')),
    );

    expect(answers.map((answer) => customersIn(answer).join())).toEqual(
      Array.from({ length: 20 }, (_, turn) => (turn % 2 === 0 ? ADA : BRUNO)),
    );
    const [hers, his] = await Promise.all([ada.list(), bruno.list()]);
    expect(his).toEqual(['shop_stock', 'shop_search', 'shop_my_orders', 'shop_report']);
    expect(hers.filter((tool) => !his.includes(tool))).toEqual(['shop_invoice', 'shop_refund']);
    await expect(bruno.call('shop_refund', { order: 'O-00001' })).rejects.toThrow('Unknown tool: shop_refund');
  });

  it('may share a browser: the second is asked who they are, and does not become the first', async () => {
    const browser = new Browser();
    const ada = await clientAt(stage.account, { browser, hinted: false }).open();
    const bruno = await clientAt(stage.account, { browser, hinted: false, user: BRUNO }).open();

    expect(customersIn(await bruno.call('shop_my_orders'))).toEqual([BRUNO]);
    expect(customersIn(await ada.call('shop_my_orders'))).toEqual([ADA]);
  });

  it.each(CLIENTS)('are refused again when they may not allow what a call needs ($name, A4)', async ({ connect }) => {
    const bruno = await clientAt(stage.account, { connect, user: BRUNO }).open();

    await expect(bruno.call('shop_report', PUBLISH)).rejects.toThrow();

    expect(bruno.authorizations).toBe(2);
    expect(bruno.wallet.scopes).not.toContain('shop:write');
    expect(bruno.exchanges.filter(({ url }) => url.href === stage.account.href).at(-1)!.status).toBe(403);
  });
});

describe('The billing desk', () => {
  it('refunds an order, and the same one never again (T8)', async () => {
    const ada = await clientAt(stage.account).open();

    expect(textOf(await ada.call('shop_refund', { order: 'O-00001' }))).toContain('"order":"O-00001"');
    const again = await ada.call('shop_refund', { order: 'O-00001' });

    expect(again.isError).toBe(true);
    expect(textOf(again)).toMatch(/^Order O-00001 was refunded on /);
  });
});

describe('An account that is disabled between two calls', () => {
  const disable = (disabled: 0 | 1): number =>
    stage.shop.database.run('UPDATE customers SET disabled = ? WHERE id = ?', disabled, BRUNO);
  afterEach(() => disable(0));

  it('is refused at the second, in the words that say nothing of the cause (A5)', async () => {
    const bruno = await clientAt(stage.account, { user: BRUNO }).open();
    expect(customersIn(await bruno.call('shop_my_orders'))).toEqual([BRUNO]);

    disable(1);
    const refused = await bruno.call('shop_my_orders');
    disable(0);

    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toBe('Tool shop_my_orders can not act for the account behind this token.');
    expect(customersIn(await bruno.call('shop_my_orders'))).toEqual([BRUNO]);
  });
});

describe('The mixed gate', () => {
  it('serves its public tools without a token, and does not know the others (A8, T12)', async () => {
    const stranger = await clientAt(stage.mixed).open();

    expect(stranger.authorizations).toBe(0);
    expect(await stranger.list()).toEqual(['shop_stock', 'shop_search']);
    expect(textOf(await stranger.call('shop_stock', { sku: 'A-001' }))).toContain('"stock"');
    await expect(stranger.call('shop_report', { month: '2026-03' })).rejects.toThrow('Unknown tool: shop_report');
  });

  it('serves the others to who brings a token, and asks for more where a call needs more (A4, A8)', async () => {
    const ada = await (await clientAt(stage.mixed).signIn()).open();

    expect(decodeJwt(ada.wallet.accessToken)).toMatchObject({ aud: stage.mixed.href, scope: 'shop:read' });
    expect(await ada.list()).toEqual(['shop_stock', 'shop_search', 'shop_report']);
    expect(textOf(await ada.call('shop_report', PUBLISH))).toContain('"publishedAt"');
    expect(ada.exchanges.map(({ status }) => status)).toContain(403);
    expect(ada.authorizations).toBe(2);
  });

  it('lets who may publish read as well: one scope contains the other', async () => {
    const ada = await (await clientAt(stage.mixed, { connect: V1!.connect }).signIn('shop:write')).open();

    expect(decodeJwt(ada.wallet.accessToken)).toMatchObject({ scope: 'shop:write' });
    expect(textOf(await ada.call('shop_report', { month: '2026-03' }))).toContain('"orders":31');
    expect(textOf(await ada.call('shop_report', PUBLISH))).toContain('"publishedAt"');
    expect(ada.authorizations).toBe(1);
  });
});

describe('A token of one gate', () => {
  it('is refused at the other (A9)', async () => {
    const ada = await clientAt(stage.mixed).signIn();

    const refused = await ask(stage.account, ada.wallet.accessToken, 'tools/list');

    expect(refused.status).toBe(401);
    expect(refused.challenge).toMatch(/^Bearer error="invalid_token", scope="/);
    expect(stage.log).toContainEqual(expect.stringContaining('[shop-account] a token was refused: audience-other'));
  });

  it('makes a stranger of its bearer where strangers are served, and nothing better (A8)', async () => {
    const ada = await clientAt(stage.account).open();

    const { status, body } = await ask(stage.mixed, ada.wallet.accessToken, 'tools/list');

    expect(status).toBe(200);
    expect(body.result.tools.map(({ name }: { name: string }) => name)).toEqual(['shop_stock', 'shop_search']);
    expect(stage.log).toContainEqual(expect.stringContaining('[shop-mixed] a token was refused: audience-other'));
  });
});

describe('After all this', () => {
  it('the log holds no token, nor a part of one (A9)', () => {
    const tokens = opened.map(({ wallet }) => wallet.accessToken).filter((token) => token !== '');

    expect(tokens.length).toBeGreaterThan(10);
    for (const part of tokens.flatMap((token) => token.split('.'))) expect(stage.log.join('\n')).not.toContain(part);
  });
});
