/**
 * What an official client asks of its host during an authorization, for the v1 and the v2 client alike: a place for its
 * registration and its tokens, and somebody who opens the browser.
 */
import type {
  OAuthClientInformationMixed,
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthTokens,
} from '@modelcontextprotocol/client';

/** Nobody listens there: the browser of the tests stops before it. */
export const REDIRECT_URI = 'http://127.0.0.1:9/callback';

export class Wallet implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT_URI;
  /** Where the client sent the user last. */
  authorizationUrl?: URL;
  private registration?: OAuthClientInformationMixed;
  private saved?: OAuthTokens;
  private verifier = '';
  private discovered?: OAuthDiscoveryState;

  get clientMetadata() {
    return {
      client_name: 'An <agent> & "its" client',
      redirect_uris: [REDIRECT_URI],
      response_types: ['code'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    };
  }

  /** The token that the client sends. */
  get accessToken(): string {
    return this.saved?.access_token ?? '';
  }

  /** The scopes that the authorization server says it granted, sorted. */
  get scopes(): string[] {
    return (this.saved?.scope ?? '').split(' ').toSorted();
  }

  state(): string {
    return 'a-state-of-its-own';
  }

  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.registration;
  }

  saveClientInformation(information: OAuthClientInformationMixed): void {
    this.registration = information;
  }

  tokens(): OAuthTokens | undefined {
    return this.saved;
  }

  saveTokens(tokens: OAuthTokens): void {
    this.saved = tokens;
  }

  redirectToAuthorization(url: URL): void {
    this.authorizationUrl = url;
  }

  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }

  codeVerifier(): string {
    return this.verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.discovered = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.discovered;
  }
}
