/**
 * `ping`: the legacy revisions' sign of life. 2026-07-28 has removed it.
 */
export function ping(): Record<string, unknown> {
  return {};
}
