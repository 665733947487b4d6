/**
 * The part of an authorization that a person decides: GET shows the question, POST carries the answer.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { InteractionDetails, Provider } from 'oidc-provider';
import { consentPage, faultPage } from './consent.page.js';
import { findUser, type ShopUser } from './users.js';

const LONGEST_ANSWER = 1_000;

export class Interaction {
  /** With `answersHints` the user whom the request's `login_hint` names allows everything unasked: for tests only. */
  constructor(
    private readonly provider: Provider,
    private readonly answersHints: boolean,
  ) {}

  async respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
    try {
      const details = await this.provider.interactionDetails(req, res);
      const hinted = this.answersHints ? findUser(details.params.login_hint) : undefined;
      if (req.method === 'POST') await this.finish(req, res, details, findUser(await readUser(req)));
      else if (hinted) await this.finish(req, res, details, hinted);
      else sendPage(res, 200, await this.question(details));
    } catch (fault) {
      sendPage(res, 400, faultPage((fault as Error).message));
    }
  }

  private async question({ params }: InteractionDetails): Promise<string> {
    const client = await this.provider.Client.find(params.client_id);
    return consentPage({
      client: client?.clientName ?? params.client_id,
      redirectUri: params.redirect_uri,
      scopes: scopesOf(params),
      gates: gatesOf(params),
    });
  }

  /** Grants what was asked for AND the user may allow; without a user, nothing. */
  private async finish(
    req: IncomingMessage,
    res: ServerResponse,
    { params }: InteractionDetails,
    user: ShopUser | undefined,
  ): Promise<void> {
    const once = { mergeWithLastSubmission: false };
    if (!user) {
      const refused = { error: 'access_denied', error_description: 'The user refused.' };
      return this.provider.interactionFinished(req, res, refused, once);
    }
    const grant = new this.provider.Grant({ accountId: user.id, clientId: params.client_id });
    const allowed = (scope: string): boolean => user.scopes.some((own) => own === scope);
    grant.addOIDCScope('openid offline_access');
    for (const gate of gatesOf(params)) {
      const scopes = scopesOf(params);
      grant.addResourceScope(gate, scopes.filter(allowed).join(' '));
      grant.rejectResourceScope(gate, scopes.filter((scope) => !allowed(scope)).join(' '));
    }
    const result = { login: { accountId: user.id }, consent: { grantId: await grant.save() } };
    return this.provider.interactionFinished(req, res, result, once);
  }
}

const scopesOf = ({ scope }: InteractionDetails['params']): string[] => scope?.split(' ') ?? [];
const gatesOf = ({ resource }: InteractionDetails['params']): readonly string[] => [resource ?? []].flat();

/** The id of the user who answered. */
async function readUser(req: IncomingMessage): Promise<string | null> {
  let text = '';
  for await (const chunk of req) {
    text += String(chunk);
    if (text.length > LONGEST_ANSWER) throw new Error('The answer is too long.');
  }
  return new URLSearchParams(text).get('user');
}

/** No script, no frame, nothing from elsewhere: the client's own words stand on the page. */
export function sendPage(res: ServerResponse, status: number, html: string): void {
  res
    .writeHead(status, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      'Cache-Control': 'no-store',
    })
    .end(html);
}
