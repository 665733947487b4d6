/**
 * An authorization server for the demonstration and the tests, on this machine only and forgetful: what a production
 * system would take from Keycloak, Auth0 or Entra ID. `npm start` never loads it.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { faultPage } from './consent.page.js';
import { Interaction, sendPage } from './interaction.js';
import { createProvider } from './provider.js';

export interface AuthorizationServerOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** Whether a URI is that of a gate: tokens are given for gates only. */
  readonly isGate: (resource: string) => boolean;
  /** For tests: allows everything, unasked, in the name of the user in `login_hint`. @default false */
  readonly answersHints?: boolean;
}

export interface AuthorizationServer {
  /** `http://127.0.0.1:3001` */
  readonly issuer: string;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/** @throws the error of the socket when the port cannot be taken. */
export async function openAuthorizationServer({
  port,
  isGate,
  answersHints = false,
}: AuthorizationServerOptions): Promise<AuthorizationServer> {
  const server = createServer();
  server.listen(port, HOST);
  await once(server, 'listening');
  const host = `${HOST}:${(server.address() as AddressInfo).port}`;
  const provider = createProvider(`http://${host}`, isGate);
  const protocol = provider.callback();
  const interaction = new Interaction(provider, answersHints);
  server.on('request', (req: IncomingMessage, res: ServerResponse) => {
    // A web page that had a name of its own point here (DNS rebinding) gives itself away by that name.
    if (req.headers.host !== host) sendPage(res, 421, faultPage(`This server is called ${host}.`));
    else if (req.url?.startsWith('/interaction/')) void interaction.respond(req, res);
    else void protocol(req, res);
  });
  return {
    issuer: `http://${host}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
