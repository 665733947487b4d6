import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SignJWT, generateKeyPair } from 'jose';
import { defineMcpGate } from '../../src/gate/gate.js';
import { rawRequest } from '../e2e/raw-request.js';
import { alsoRead } from '../support/written.js';

/** Nobody listens at the discard port. */
const AWAY = 'http://127.0.0.1:9';

describe('a gate whose issuer cannot be asked (A9)', () => {
  let server: Server;
  let url: URL;

  beforeAll(async () => {
    const warn: string[] = [];
    const gate = defineMcpGate(
      { name: 'shop', tools: [], authorization: { issuers: [AWAY] } },
      { log: { debug() {}, warn: (message) => (warn.push(message), alsoRead(message)), error() {} } },
    );
    server = createServer((req, res) => void gate.respond(req, res)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  });

  afterAll(async () => {
    server.close();
    await once(server, 'close');
  });

  it('asks a client to come back later, and sends nobody to sign in again', async () => {
    const { privateKey } = await generateKeyPair('ES256');
    const token = await new SignJWT({ sub: 'ada' })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' })
      .setIssuer(AWAY)
      .setAudience(url.href)
      .setExpirationTime('1h')
      .sign(privateKey);
    const answer = await rawRequest(url, { body: '{}', headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBe('5');
    expect(answer.headers['www-authenticate']).toBeUndefined();
  });
});
