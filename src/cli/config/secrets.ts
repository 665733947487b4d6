/**
 * A line of a client's file as it may be shown: people write tokens into such files, and what is shown ends up in logs.
 */

/** Settings whose texts are shown as they are. */
const SHOWN = new Set([
  'type',
  'url',
  'httpUrl',
  'serverUrl',
  'command',
  'bearer_token_env_var',
  'name',
  '$schema',
  'description',
]);
/** A text, which is a key where a colon or an equals sign follows; a bare key of TOML; and what ends the reach of a key. */
const TOKEN = /(["'])((?:(?!\1)[^\\]|\\.)*)\1(\s*[:=])?|([\w.$-]+)\s*=|[[{,]/g;
/** What names an environment variable or an input, in the ways that clients have for it. */
const REFERENCE = /^(?:Bearer )?\$(?:\w+|\{[\w:.-]+\})$/;

/** The line, with `(hidden)` in the place of every text that may be a secret. Texts that are `ours` are none. */
export function withoutSecrets(line: string, ours: ReadonlySet<string>): string {
  let key: string | undefined;
  return line.replace(TOKEN, (token: string, quote?: string, text?: string, isKey?: string, bareKey?: string) => {
    if (text === undefined || isKey !== undefined) {
      key = text ?? bareKey;
      return token;
    }
    const isShown = (key !== undefined && SHOWN.has(key)) || ours.has(text) || REFERENCE.test(text);
    return isShown ? token : `${quote}(hidden)${quote}`;
  });
}
