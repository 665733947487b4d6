/**
 * A gate that authenticates: from a request to its caller or to the challenge that says what to bring, and the document
 * that tells a client who issues tokens (A4, A7, A8; RFC 6750, RFC 9728).
 */
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { whenThere, type Awaitable } from '../awaitable.js';
import type { McpCaller } from '../caller.js';
import { createMcpAuthenticator, type McpAuthentication, type McpAuthenticator } from '../oauth/authenticate.js';
import { bearerChallenge } from '../oauth/challenge.js';
import {
  protectedResourceDocument,
  protectedResourceMetadataUrl,
  type McpProtectedResourceDocument,
} from '../oauth/protected-resource.js';
import { authorizationServers, type McpAuthorizationSettings } from '../oauth/settings.js';
import { refusal, type McpRefusal } from './admittance.js';
import { pathOf } from './request-path.js';

/** What a protection is made of. */
export interface McpProtectionOptions {
  readonly settings: McpAuthorizationSettings;
  /** The gate is reached directly from this machine, so the port that a request names must be the one it came in by. */
  readonly local: boolean;
  /** The gate's name, for the document and the log. */
  readonly name: string;
  /** Every scope that the gate's tools declare. */
  readonly scopes: () => Promise<readonly string[]>;
  readonly log: { debug(message: string): void; warn(message: string): void };
}

/** Who asks (`undefined`: a stranger who is served), or why nobody is served. */
export type McpEstablished = { readonly caller: McpCaller | undefined } | { readonly refusal: McpRefusal };

/** Who asks a protected gate. */
export class McpProtection {
  private readonly authenticator: McpAuthenticator;

  constructor(private readonly options: McpProtectionOptions) {
    this.authenticator = createMcpAuthenticator(options.settings, { log: options.log });
  }

  /**
   * The caller of a request; `undefined` for a stranger whom a mixed gate serves; or the 401 that asks for a token (503
   * while its issuer cannot be asked). A token that is refused makes a stranger, never more.
   *
   * Does NOT read a token from anywhere but the `Authorization` header.
   */
  establish(req: IncomingMessage): Awaitable<McpEstablished> {
    const resource = this.resourceAt(req);
    if (resource === undefined) return { refusal: badHost(req) };
    return whenThere(this.authenticator.authenticate(authorizationOf(req), resource), (found) =>
      found.kind === 'caller' ? { caller: found.caller } : this.answerStranger(req, found),
    );
  }

  private async answerStranger(
    req: IncomingMessage,
    found: Exclude<McpAuthentication, { kind: 'caller' }>,
  ): Promise<McpEstablished> {
    const { settings, name, log } = this.options;
    if (found.kind === 'rejected') log.warn(`[${name}] a token was refused: ${found.reason}.`);
    if (settings.anonymous === true) return { caller: undefined };
    if (found.kind === 'rejected' && found.reason === 'issuer-unreachable') return { refusal: tryLater(req) };
    const headers = this.challenge(
      req,
      await this.options.scopes(),
      found.kind === 'rejected' ? 'invalid_token' : undefined,
    );
    return { refusal: { ...refusal(req, 401, 'This gate needs a valid access token.'), headers } };
  }

  /**
   * The challenge for a call whose scopes the caller lacks, all of them in one (A4): 403 for a token that does not reach,
   * 401 for a caller that showed none.
   */
  stepUp(
    req: IncomingMessage,
    caller: McpCaller | undefined,
    scopes: readonly string[],
  ): { status: number; headers: OutgoingHttpHeaders } {
    const known = caller?.authenticated === true;
    return {
      status: known ? 403 : 401,
      headers: this.challenge(req, scopes, known ? 'insufficient_scope' : undefined),
    };
  }

  /** The RFC 9728 document of the gate whose canonical URI is `resource`. */
  async document(resource: string): Promise<McpProtectedResourceDocument> {
    const { settings, name, scopes } = this.options;
    return protectedResourceDocument({
      resource,
      authorizationServers: authorizationServers(settings),
      scopes: await scopes(),
      name,
    });
  }

  /**
   * The gate's canonical URI: what the settings say, else where the request found it. `undefined` when the `Host` of the
   * request cannot be it (see `badHost`). Its host is the client's own word: a gate that others reach needs `publicUrl`,
   * and a local one, whose names the access guard knows, takes it with its own port only. Otherwise a token for another
   * server of this machine would do.
   */
  resourceAt(req: IncomingMessage, path = pathOf(req)): string | undefined {
    const { settings, local } = this.options;
    const { publicUrl, audience } = settings;
    if (publicUrl !== undefined) return publicUrl;
    const scheme = 'encrypted' in req.socket && req.socket.encrypted === true ? 'https' : 'http';
    const url = `${scheme}://${req.headers.host ?? 'localhost'}${path}`;
    const port = portOf(url);
    if (port === undefined) return undefined;
    return audience !== undefined || !local || port === req.socket.localPort ? url : undefined;
  }

  private challenge(req: IncomingMessage, scope: readonly string[], error?: string): OutgoingHttpHeaders {
    const resource = this.resourceAt(req);
    if (resource === undefined) return {}; // refused before
    const resourceMetadata = protectedResourceMetadataUrl(resource);
    return { 'WWW-Authenticate': bearerChallenge({ scope, resourceMetadata, ...(error !== undefined && { error }) }) };
  }
}

/** The port of a URL; `undefined` for what is none. */
function portOf(url: string): number | undefined {
  try {
    const { port, protocol } = new URL(url);
    if (port !== '') return Number(port);
    return protocol === 'https:' ? 443 : 80;
  } catch {
    return undefined;
  }
}

/** For a request without a usable `Host`: there is neither an audience nor a challenge (RFC 9112, section 3.2). */
export function badHost(req: IncomingMessage): McpRefusal {
  return refusal(
    req,
    400,
    'The Host of this request is not one of this gate. Behind a forwarded port, name publicUrl.',
  );
}

/** The token may be good: a challenge would send its user to sign in again and again while the issuer is away. */
function tryLater(req: IncomingMessage): McpRefusal {
  const answer = refusal(req, 503, 'Tokens cannot be checked at the moment. Try again in a few seconds.');
  return { ...answer, headers: { 'Retry-After': '5' } };
}

/** What came as `Authorization`: every header if there are several, of which Node shows the first alone. */
function authorizationOf({ headers, rawHeaders }: IncomingMessage): string | readonly string[] | undefined {
  if (headers.authorization === undefined) return undefined;
  const all: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 'authorization'.length && name.toLowerCase() === 'authorization') all.push(rawHeaders[at + 1]!);
  }
  return all.length > 1 ? all : headers.authorization;
}
