/**
 * The pages that a person sees in the browser: who are you and what may the client do, and why nothing went on.
 */
import { SCOPES, type ShopScope, USERS } from './users.js';

/** What a client asks for. All of it comes from the client, so that none of it may be markup. */
export interface ConsentQuestion {
  readonly client: string;
  /** Where the browser goes afterwards. */
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly gates: readonly string[];
}

export function consentPage({ client, redirectUri, scopes, gates }: ConsentQuestion): string {
  const wishes = scopes.filter((scope): scope is ShopScope => scope in SCOPES);
  const may = (allowed: readonly string[]): string =>
    wishes
      .filter((scope) => allowed.includes(scope))
      .map((scope) => SCOPES[scope])
      .join(', ') || 'nothing of it';
  return page(
    'The sample shop: sign in',
    `<p><b>${escaped(client)}</b> (it goes on to <code>${escaped(redirectUri)}</code>) wants to call
    <code>${escaped(gates.join(', '))}</code> in your name:</p>
    <ul>${wishes.map((scope) => `<li>${SCOPES[scope]} <small>${scope}</small></li>`).join('')}</ul>
    <p>Who are you? This is a demonstration: there are no passwords.</p>
    <form method="post">${USERS.map(
      ({ id, name, part, scopes }) =>
        `<p><button name="user" value="${id}">Allow it as ${name}</button> ${part}; may allow: ${may(scopes)}</p>`,
    ).join('')}
    <p><button name="user" value="">Refuse</button></p></form>`,
  );
}

export function faultPage(reason: string): string {
  return page('The sample shop: that did not work', `<p>${escaped(reason)}</p>`);
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>
    <style>body { font: 1rem/1.5 sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem }</style>
    <h1>${title}</h1>${body}</html>`;
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}
