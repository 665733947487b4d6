/**
 * What the demonstration uses of `oidc-provider`, which brings no types of its own.
 */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  /** What Koa hands to callbacks, as far as it is used. */
  export interface Context {
    type: string;
    body: unknown;
    readonly oidc: { readonly result?: { readonly login?: object } };
  }

  export interface InteractionDetails {
    readonly uid: string;
    readonly params: {
      readonly client_id: string;
      readonly redirect_uri: string;
      readonly scope?: string;
      readonly resource?: string | readonly string[];
      readonly login_hint?: string;
    };
  }

  export interface Grant {
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    rejectResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly Grant: new (of: { accountId: string; clientId: string }) => Grant;
    readonly Client: { find(id: string): Promise<{ readonly clientName?: string } | undefined> };
    callback(): (req: IncomingMessage, res: ServerResponse) => Promise<void>;
    interactionDetails(req: IncomingMessage, res: ServerResponse): Promise<InteractionDetails>;
    interactionFinished(
      req: IncomingMessage,
      res: ServerResponse,
      result: object,
      options: { mergeWithLastSubmission: boolean },
    ): Promise<void>;
  }

  export const errors: {
    readonly InvalidTarget: new (description: string) => Error;
    readonly SessionNotFound: new (description: string) => Error;
  };

  export const interactionPolicy: {
    readonly Check: new (reason: string, description: string, check: (context: Context) => boolean) => object;
    base(): { get(prompt: string): { readonly checks: { add(check: object): void } } };
  };
}
