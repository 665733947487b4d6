/**
 * A token that a command was told of by the name of an environment variable, and that it never writes.
 */
import type { McpCommandSurroundings } from './surroundings.js';

/**
 * The token in the named variable.
 *
 * @throws Error when there is none, or one that cannot stand in a header. It never repeats it.
 */
export function tokenFrom(name: string, { env }: Pick<McpCommandSurroundings, 'env'>): string {
  const token = env[name]?.trim() ?? '';
  if (token === '') throw new Error(`${name} is not set: it must hold the token that --token-env speaks of.`);
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new Error(`${name} holds something else than a token: there are spaces or other characters in it.`);
}

/** Puts `(token)` in the place of a token, also where it stands as JSON may escape it, or as part of a URL. */
export function hiding(token: string): (text: string) => string {
  const forms = new Set([token, token.replaceAll('/', '\\/'), encodeURIComponent(token)]);
  return (text) => [...forms].reduce((shown, form) => shown.replaceAll(form, '(token)'), text);
}

/** The same surroundings, whose outputs write `(token)` in the place of the token: a server may send it back. */
export function withoutToken(surroundings: McpCommandSurroundings, token: string | undefined): McpCommandSurroundings {
  if (token === undefined) return surroundings;
  const { out, err } = surroundings;
  const hide = hiding(token);
  return Object.assign(Object.create(surroundings) as McpCommandSurroundings, {
    out: (text: string) => out(hide(text)),
    err: (text: string) => err(hide(text)),
  });
}

/** Whether what is sent to an address can be read on its way: it is not encrypted, and leaves this machine. */
export function travelsReadable(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}
