/**
 * Tokens for tests over HTTP, signed by keys that live no longer than the test's process.
 */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { JSONWebKeySet } from 'jose';
import { mintMcpToken, type McpTokenRequest } from '../oauth/mint.js';

/** What a test's token is to say. */
export interface McpTestTokenRequest extends Pick<McpTokenRequest, 'account' | 'resource' | 'clientId'> {
  /** @default [] */
  readonly scopes?: readonly string[];
  /** Seconds until it ends. @default 300 */
  readonly ttlSec?: number;
}

let keys: JSONWebKeySet | undefined;

/** The keys that sign `mcpTestToken`: the gate under test takes them as its `authorization.ownKeys`. */
export function mcpTestKeys(): JSONWebKeySet {
  if (keys === undefined) {
    const jwk = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
    keys = { keys: [{ ...jwk, kty: 'EC', alg: 'ES256', use: 'sig', kid: randomUUID() }] };
  }
  return keys;
}

/**
 * A token for a gate with `ownKeys: mcpTestKeys()`. `resource` is what the gate calls its audience: its `publicUrl`.
 *
 * @throws TypeError that names what cannot be minted.
 */
export function mcpTestToken({ scopes = [], ttlSec = 300, ...rest }: McpTestTokenRequest): Promise<string> {
  return mintMcpToken({ ...rest, scopes, ttlSec, key: mcpTestKeys() });
}
