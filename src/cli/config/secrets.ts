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
const PAIR = /("?)([\w.$-]+)\1(\s*[:=]\s*)"((?:[^"\\]|\\.)*)"/g;
/** What names an environment variable or an input, in the ways that clients have for it. */
const REFERENCE = /^(?:Bearer )?\$(?:\w+|\{[\w:.-]+\})$/;

/** The line, with `(hidden)` in the place of every text that may be a secret. */
export function withoutSecrets(line: string): string {
  return line.replace(PAIR, (pair, quote: string, key: string, between: string, value: string) =>
    SHOWN.has(key) || REFERENCE.test(value) ? pair : `${quote}${key}${quote}${between}"(hidden)"`,
  );
}
