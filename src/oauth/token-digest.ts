/**
 * What a token is remembered by: nothing that could be presented again.
 */
import { hash } from 'node:crypto';

/** SHA-256, in Base64. */
export function tokenDigest(token: string): string {
  return hash('sha256', token, 'base64');
}
