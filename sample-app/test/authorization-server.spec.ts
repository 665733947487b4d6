import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { decodeJwt } from 'jose';
import { Browser } from '../../test/e2e/oauth-browser.js';
import { type AuthorizationServer, openAuthorizationServer } from '../src/oauth/authorization-server.js';

const GATE = 'http://127.0.0.1:1/mcp/account';
const REDIRECT = 'http://127.0.0.1:9/callback';
const VERIFIER = 'a-verifier-of-at-least-forty-three-characters';
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

let server: AuthorizationServer;
let client: string;
beforeAll(async () => {
  server = await openAuthorizationServer({ port: 0, isGate: (resource) => resource === GATE });
  client = await register('An agent', 'shop:read');
});
afterAll(() => server?.close());

async function register(name: string, scope: string): Promise<string> {
  const response = await fetch(`${server.issuer}/reg`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: name, scope, redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' }),
  });
  return ((await response.json()) as { client_id: string }).client_id;
}

/** An authorization request as a client sends it; what is `undefined` is left out. */
function asking(rest: Record<string, string | undefined> = {}): URL {
  const asked = {
    response_type: 'code',
    client_id: client,
    redirect_uri: REDIRECT,
    scope: 'shop:read',
    resource: GATE,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...rest,
  };
  const url = new URL('/auth', server.issuer);
  for (const [name, value] of Object.entries(asked)) if (value !== undefined) url.searchParams.set(name, value);
  return url;
}

const answer = async (url: URL, user = 'C-001'): Promise<Record<string, string>> =>
  Object.fromEntries(await new Browser().authorize(url, REDIRECT, user));

async function redeem(code: string, rest: Record<string, string> = {}): Promise<{ status: number; body: any }> {
  const fields = {
    grant_type: 'authorization_code',
    code,
    code_verifier: VERIFIER,
    redirect_uri: REDIRECT,
    client_id: client,
    resource: GATE,
    ...rest,
  };
  const response = await fetch(`${server.issuer}/token`, { method: 'POST', body: new URLSearchParams(fields) });
  return { status: response.status, body: await response.json() };
}

describe('The authorization server of the demonstration', () => {
  it('asks who is there, what may be done and where it leads, in words that a client cannot turn into markup', async () => {
    const hostile = await register('<script>alert("1")</script>', '');
    const browser = new Browser();
    const url = asking({ client_id: hostile, scope: 'shop:orders shop:billing', login_hint: 'C-001' });
    await browser.authorize(url, REDIRECT).catch(() => undefined);
    const [page] = browser.pages;

    expect(page).toContain('&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;');
    expect(page).not.toContain('<script>');
    for (const words of [REDIRECT, GATE, 'see your orders', 'Allow it as Ada Berg', 'Allow it as Bruno Costa']) {
      expect(page).toContain(words);
    }
  });

  it('gives a token for the gate that was named, with what was asked for and the user may allow', async () => {
    const { code } = await answer(asking({ scope: 'shop:orders shop:billing' }), 'C-002');
    const { body } = await redeem(code!);

    expect(body).toMatchObject({ token_type: 'Bearer', scope: 'shop:orders' });
    expect(decodeJwt(body.access_token as string)).toMatchObject({ sub: 'C-002', aud: GATE, scope: 'shop:orders' });
  });

  it('does not hold a client to the scopes that it registered with, or no step-up would ever succeed', async () => {
    const { code } = await answer(asking({ scope: 'shop:read shop:write' }));

    expect((await redeem(code!)).body).toMatchObject({ scope: 'shop:read shop:write' });
  });

  it('asks each time who is there, also a browser that was here before', async () => {
    const browser = new Browser();
    await browser.authorize(asking(), REDIRECT, 'C-001');
    const second = await browser.authorize(asking(), REDIRECT, 'C-002');
    const { body } = await redeem(second.get('code')!);

    expect(decodeJwt(body.access_token as string)).toMatchObject({ sub: 'C-002' });
  });

  it.each([
    ['without PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request', 'C-001'],
    ['with a plain code challenge', { code_challenge_method: 'plain' }, 'invalid_request', 'C-001'],
    ['for something that is no gate', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target', 'C-001'],
    ['when the user refuses', {}, 'access_denied', ''],
    ['when the user may allow nothing of it', { scope: 'shop:write' }, 'access_denied', 'C-002'],
  ])('gives no code %s', async (_, rest, error, user) => {
    const answered = await answer(asking(rest), user);

    expect(answered).toMatchObject({ error, iss: server.issuer });
    expect(answered).not.toHaveProperty('code');
  });

  it.each([
    ['a second time', {}, 'invalid_grant'],
    ['for another verifier', { code_verifier: VERIFIER.toUpperCase() }, 'invalid_grant'],
    ['for another gate', { resource: `${GATE}2` }, 'invalid_target'],
  ])('redeems no code %s', async (how, rest, error) => {
    const { code } = await answer(asking());
    if (how === 'a second time') await redeem(code!);

    expect(await redeem(code!, rest)).toMatchObject({ status: 400, body: { error } });
  });

  it('says that an interaction is over instead of failing', async () => {
    const response = await fetch(`${server.issuer}/interaction/nowhere`);

    expect(response.status).toBe(400);
    expect(await response.text()).toContain('that did not work');
  });

  it('answers to its own name only, whatever name a web page has given to this machine', async () => {
    const asked = request(`${server.issuer}/.well-known/oauth-authorization-server`, {
      headers: { host: 'rebound.example' },
    }).end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    response.resume();

    expect(response.statusCode).toBe(421);
  });
});
