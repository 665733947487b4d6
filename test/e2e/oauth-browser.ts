/**
 * A browser, as far as an authorization needs one: it keeps cookies, follows redirects, and sends the forms that it is
 * shown, pressing the button of one user.
 */
interface Cookie {
  readonly value: string;
  readonly path: string;
}

const MOST_STEPS = 12;

export class Browser {
  private readonly cookies = new Map<string, Cookie>();
  /** The pages that it was shown. */
  readonly pages: string[] = [];

  /** Goes from `url` to the client's redirect URI, and gives what stands there. */
  async authorize(url: URL, redirectUri: string, user?: string): Promise<URLSearchParams> {
    let at = url;
    let response = await this.send(at);
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const location = response.headers.get('location');
      if (location !== null) {
        at = new URL(location, at);
        if (at.href.startsWith(redirectUri)) return at.searchParams;
        response = await this.send(at);
        continue;
      }
      const page = await response.text();
      this.pages.push(page);
      const form = formOf(page);
      if (form === undefined || (form.asksUser && user === undefined)) break;
      if (form.asksUser) form.fields.set('user', user!);
      at = new URL(form.action, at);
      response = await this.send(at, form.fields);
    }
    throw new Error(`The authorization stopped at ${at.href} (${response.status}): ${this.pages.at(-1)}`);
  }

  private async send(url: URL, form?: URLSearchParams): Promise<Response> {
    const fitting = [...this.cookies].filter(([, { path }]) => url.pathname.startsWith(path));
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { accept: 'text/html', cookie: fitting.map(([name, { value }]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: form }),
    });
    for (const cookie of response.headers.getSetCookie()) this.keep(cookie);
    return response;
  }

  private keep(cookie: string): void {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
    if (value === '') this.cookies.delete(name!);
    else this.cookies.set(name!, { value: value!, path: /path=([^;]+)/i.exec(cookie)?.[1] ?? '/' });
  }
}

function formOf(page: string): { action: string; fields: URLSearchParams; asksUser: boolean } | undefined {
  const form = /<form[^>]*>/.exec(page)?.[0];
  if (form === undefined) return undefined;
  const fields = new URLSearchParams();
  for (const [input] of page.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
    fields.set(/name="([^"]*)"/.exec(input)![1]!, /value="([^"]*)"/.exec(input)![1]!);
  }
  return { action: /action="([^"]*)"/.exec(form)?.[1] ?? '', fields, asksUser: page.includes('name="user"') };
}
