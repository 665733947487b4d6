/**
 * A gate as a client's file is to name it: where it answers or how it is started, and never a secret.
 */

/** What is to be written. */
export type ServerWish =
  | { readonly transport: 'http'; readonly url: string; readonly tokenEnv?: string }
  | { readonly transport: 'stdio'; readonly command: string; readonly args: readonly string[] };

/** The settings of one server in a client's file. */
export type ServerSettings = Readonly<Record<string, unknown>>;

/** Settings of one way to a gate that would contradict the other. */
const RIVALS: Readonly<Record<ServerWish['transport'], readonly string[]>> = {
  http: ['command', 'args'],
  stdio: ['url', 'httpUrl', 'serverUrl', 'headers', 'bearer_token_env_var'],
};
const ADDRESSES = ['url', 'httpUrl', 'serverUrl'];

/**
 * What a server has to become: the settings that stand, changed where they say another way to the gate. What the user
 * added besides stays: other settings, other headers, and a token that nobody asked to change.
 */
export function wantedSettings(
  standing: ServerSettings,
  ours: ServerSettings,
  transport: ServerWish['transport'],
): ServerSettings {
  const changesWay = RIVALS[transport].some((key) => key in standing);
  const contradicts = (key: string) =>
    RIVALS[transport].includes(key) || ADDRESSES.includes(key) || (key === 'type' && changesWay);
  const kept = Object.entries(standing).filter(([key]) => key in ours || !contradicts(key));
  const headers = { ...asSettings(standing['headers']), ...asSettings(ours['headers']) };
  return { ...Object.fromEntries(kept), ...ours, ...('headers' in ours && { headers }) };
}

/** A value, if it can hold settings. */
export function asSettings(value: unknown): ServerSettings | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as ServerSettings) : undefined;
}
