import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defineMcpGate } from '../../src/gate/gate.js';
import { generateMcpKeys, mintMcpToken } from '../../src/oauth/mint.js';
import { rawRequest } from '../e2e/raw-request.js';

/** A server of the same machine that is not the gate. */
const OTHER = 'localhost:9999';

describe('a token that was meant for another port of this machine (A9)', () => {
  const servers: Server[] = [];

  afterAll(() => Promise.all(servers.map((server) => once(server.close(), 'close'))));

  async function opened(audience?: string) {
    const ownKeys = await generateMcpKeys();
    const authorization = { ownKeys, ...(audience !== undefined && { audience }) };
    const log = { debug() {}, warn() {}, error() {} };
    const gate = defineMcpGate({ name: 'shop', tools: [], authorization }, { log });
    const server = createServer((req, res) => void gate.respond(req, res)).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const ask = async (resource: string, host: string) => {
      const token = await mintMcpToken({ key: ownKeys, account: 'ada', resource, scopes: [], ttlSec: 60 });
      const headers = { authorization: `Bearer ${token}`, host, 'mcp-protocol-version': '2025-11-25' };
      return rawRequest(new URL(`http://127.0.0.1:${port}/mcp`), {
        body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
        headers,
      });
    };
    return { port, ask };
  }

  it.each([OTHER, 'localhost', '127.0.0.1:80', '[::1]:9999'])('is refused, although Host says %s', async (host) => {
    const { ask } = await opened();
    expect((await ask(`http://${host}/mcp`, host)).status).toBe(400);
  });

  it('is no bar to the gate under each of its own names', async () => {
    const { port, ask } = await opened();
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      expect((await ask(`http://${host}/mcp`, host)).status).toBe(200);
    }
  });

  it('leaves a forwarded port to a gate whose settings name the audience', async () => {
    const { ask } = await opened('urn:shop');
    expect((await ask('urn:shop', OTHER)).status).toBe(200);
    expect((await ask(`http://${OTHER}/mcp`, OTHER)).status).toBe(401);
  });
});
