/**
 * The seal of a gate: JWE with AES-256-GCM (RFC 7516), under keys that are derived from the gate's secrets.
 *
 * What it does NOT check: who presents a text, for what, and how late. Those are in the content, for who opens it to compare.
 */
import { hkdfSync, randomBytes } from 'node:crypto';
import { loadJose } from '../oauth/load-jose.js';
import type { McpSeal } from '../protocol/seal.js';

/** The fewest characters of a secret. */
export const MIN_SECRET_LENGTH = 32;

const HEADER = { alg: 'dir', enc: 'A256GCM' } as const;
const KEY_BYTES = 32;

/**
 * @param gate the gate's name: two gates with one secret do not open each other's
 * @param secrets the first seals, all open. @default one of this process alone, which nothing outlives
 */
export function createMcpSeal(gate: string, secrets: readonly string[] = []): McpSeal {
  return new GateSeal(gate, secrets);
}

class GateSeal implements McpSeal {
  /** By purpose. Purposes are of this package, and few. */
  private readonly keys = new Map<string, readonly Uint8Array[]>();

  constructor(
    private readonly gate: string,
    /** Of this process alone where there are none: made when something is sealed or opened, which few gates ever do. */
    private secrets: readonly (string | Uint8Array)[],
  ) {}

  async seal(purpose: string, content: unknown): Promise<string> {
    const { CompactEncrypt } = await loadJose();
    const text = new TextEncoder().encode(JSON.stringify(content));
    return new CompactEncrypt(text).setProtectedHeader(HEADER).encrypt(this.keysFor(purpose)[0]!);
  }

  async open(purpose: string, sealed: string): Promise<unknown> {
    if (!isCanonical(sealed)) return undefined;
    const { compactDecrypt } = await loadJose();
    for (const key of this.keysFor(purpose)) {
      try {
        const { plaintext } = await compactDecrypt(sealed, key, OPTIONS);
        return JSON.parse(new TextDecoder().decode(plaintext)) as unknown;
      } catch {
        // sealed under another secret, for another purpose, or by nobody
      }
    }
    return undefined;
  }

  private keysFor(purpose: string): readonly Uint8Array[] {
    let keys = this.keys.get(purpose);
    if (keys === undefined) {
      if (this.secrets.length === 0) this.secrets = [randomBytes(KEY_BYTES)];
      const info = JSON.stringify(['nestjs-mcp-gate', this.gate, purpose]);
      keys = this.secrets.map((secret) => new Uint8Array(hkdfSync('sha256', secret, '', info, KEY_BYTES)));
      this.keys.set(purpose, keys);
    }
    return keys;
  }
}

const OPTIONS = {
  keyManagementAlgorithms: [HEADER.alg],
  contentEncryptionAlgorithms: [HEADER.enc],
};

/** How many parts a compact JWE has (RFC 7516, 7.1). A client's text may have millions: no more are looked at. */
const PARTS = 5;

/** Base64url has bits that no byte has: a text that differs in one of them is another text, and not ours. */
function isCanonical(sealed: string): boolean {
  const parts = sealed.split('.', PARTS + 1);
  if (parts.length !== PARTS) return false;
  return parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}
