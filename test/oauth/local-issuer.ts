/**
 * A real authorization server for tests, as small as can be: discovery, keys and introspection over HTTP on this machine,
 * every request counted, every answer replaceable.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JSONWebKeySet,
  type JWK,
  type JWTHeaderParameters,
  SignJWT,
} from 'jose';

type Answer = (req: IncomingMessage, res: ServerResponse, body: string) => void;

export const METADATA = '/.well-known/oauth-authorization-server';
export const OPENID_METADATA = '/.well-known/openid-configuration';

export class LocalIssuer {
  /** Requests by path. */
  readonly requests = new Map<string, number>();
  /** Answers that replace the usual ones, by path. */
  readonly answers = new Map<string, Answer>();
  /** What introspection says of a token; anything else is not active. */
  readonly opaque = new Map<string, Record<string, unknown>>();
  readonly authorizations: (string | undefined)[] = [];
  keys: { readonly kid: string; readonly privateKey: CryptoKey; readonly publicJwk: JWK }[] = [];
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(path = '', algorithm = 'ES256'): Promise<LocalIssuer> {
    const server = createServer((req, res) => void issuer.answer(req, res));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const issuer = new LocalIssuer(server, origin + path);
    await issuer.rotate('first', algorithm);
    return issuer;
  }

  /** Signs with a new key from now on, and publishes that one alone. */
  async rotate(kid: string, algorithm = 'ES256'): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
    this.keys = [{ kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: 'sig' } }];
  }

  /** A token that is good unless `claims` or `header` make it otherwise; an `undefined` claim is left out. */
  async sign(claims: Record<string, unknown> = {}, header: Partial<JWTHeaderParameters> = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const key = this.keys[0]!;
    const all = { iss: this.url, aud: RESOURCE, sub: 'ada', iat: now, exp: now + 300, ...claims };
    const kept = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    return new SignJWT(kept)
      .setProtectedHeader({ alg: key.publicJwk.alg!, kid: key.kid, typ: 'at+jwt', ...header })
      .sign(key.privateKey);
  }

  count(path: string): number {
    return this.requests.get(path) ?? 0;
  }

  get keySet(): JSONWebKeySet {
    return { keys: this.keys.map(({ publicJwk }) => publicJwk) };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const path = req.url ?? '';
    this.requests.set(path, this.count(path) + 1);
    let body = '';
    for await (const chunk of req) body += String(chunk);
    const answer = this.answers.get(path);
    if (answer !== undefined) return answer(req, res, body);
    if (path === METADATA) {
      return json(res, {
        issuer: this.url,
        jwks_uri: `${this.url}/keys`,
        introspection_endpoint: `${this.url}/introspect`,
      });
    }
    if (path === '/keys') return json(res, this.keySet);
    if (path === '/introspect') {
      this.authorizations.push(req.headers.authorization);
      const token = new URLSearchParams(body).get('token') ?? '';
      return json(res, this.opaque.get(token) ?? { active: false });
    }
    res.writeHead(404).end();
  }
}

/** The gate that tokens of these tests are for. */
export const RESOURCE = 'https://shop.example/api/mcp';

export function json(res: ServerResponse, value: unknown): void {
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** A token put together by hand: any header, any payload, any signature. */
export function forge(header: unknown, payload: unknown, signature = ''): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part(header)}.${part(payload)}.${signature}`;
}
