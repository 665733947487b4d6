/**
 * Why a token was refused: stable codes for the log and for tests. A client is told `invalid_token` and no more.
 */

/** The reasons, in the order in which a token can fail them. None of them ever carries a part of the token. */
export type McpTokenFault =
  | 'header-repeated' // more than one Authorization header
  | 'token-malformed' // not the b64token of RFC 6750
  | 'token-too-large'
  | 'token-undecodable' // a JWT whose payload is not a JSON object
  | 'issuer-unknown'
  | 'algorithm-refused' // `none`, symmetric, or not on the issuer's list
  | 'header-critical' // `crit`: extensions that this gate does not know
  | 'type-refused' // `typ` (or an introspected `token_type`) of something that is no access token
  | 'issuer-unreachable' // keys or introspection could not be had; the token may be good
  | 'key-unknown'
  | 'key-ambiguous' // no `kid`, and several keys fit
  | 'key-unusable'
  | 'signature-invalid'
  | 'token-unknown' // opaque, and nobody is there who could vouch for it
  | 'verifier-refused' // the application's verifier threw, or gave no claims
  | 'inactive' // no issuer that was asked calls it active
  | 'audience-other'
  | 'expiry-missing'
  | 'expired'
  | 'not-yet-valid'
  | 'issued-in-future'
  | 'subject-missing'
  | 'revoked'
  | 'revocation-unknown' // isRevoked threw or did not answer with true or false
  | 'account-inactive'
  | 'account-unknown' // isAccountActive threw or did not answer with true or false
  | 'verification-failed'; // a fault of this package; refused all the same

/** Thrown between the steps of a verification; never leaves {@link createMcpAuthenticator}. */
export class McpTokenRejection extends Error {
  override readonly name = 'McpTokenRejection';

  constructor(readonly reason: McpTokenFault) {
    super(`The token is refused: ${reason}.`);
  }
}
