/**
 * The revisions of the specification, and which one a request is spoken in.
 */
import { McpProtocolError, shortened } from './errors.js';

/** The newest revision that this package speaks. */
export const MCP_PROTOCOL_VERSION = '2026-07-28';

/** Every revision that this package speaks, newest first. */
export const MCP_SUPPORTED_VERSIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'] as const;

/** A revision that this package speaks. */
export type McpVersion = (typeof MCP_SUPPORTED_VERSIONS)[number];

/** *modern*: no handshake, `_meta` on every request; *legacy*: `initialize` first. */
export type McpEra = 'modern' | 'legacy';

/** The revision of a legacy HTTP request that names none (2025-11-25, Streamable HTTP, protocol version header). */
export const HEADERLESS_VERSION: McpVersion = '2025-03-26';

/** The era of a known or unknown revision: dates compare as text. */
export function eraOf(version: string): McpEra {
  return version >= MCP_PROTOCOL_VERSION ? 'modern' : 'legacy';
}

/**
 * The revision, if the gate serves it.
 *
 * @throws McpProtocolError `-32022` with `data.supported` and `data.requested` otherwise (P6; 2026-07-28, versioning).
 */
export function checkProtocolVersion(requested: string, served: readonly McpVersion[]): McpVersion {
  const version = served.find((candidate) => candidate === requested);
  if (version === undefined) throw unsupportedVersion(requested, served);
  return version;
}

/**
 * The revision that `initialize` agrees on: the one asked for when the gate serves it, else the newest legacy revision
 * that it serves (P7; 2025-11-25, lifecycle).
 *
 * @throws McpProtocolError `-32022` when the gate serves no legacy revision; it names what it serves.
 */
export function negotiateVersion(requested: string, served: readonly McpVersion[]): McpVersion {
  const legacy = served.filter((version) => eraOf(version) === 'legacy');
  const newest = legacy[0];
  if (newest === undefined) throw unsupportedVersion(requested, served);
  return legacy.find((version) => version === requested) ?? newest;
}

function unsupportedVersion(requested: string, served: readonly McpVersion[]): McpProtocolError {
  return McpProtocolError.unsupportedVersion(
    `Unsupported protocol version. This server speaks ${served.join(', ')}: send one of these.`,
    { supported: [...served], requested: shortened(requested) },
  );
}
