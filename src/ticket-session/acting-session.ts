/**
 * A session from the side that acts in it: real requests at the application itself, with the cookies of the session and the
 * headers that its login gave, until it is closed.
 */
import { thrownKind } from '../tools/thrown.js';
import { MCP_TICKET_HEADER, McpTicketFault } from './ticket-session-gate.js';

/** A session at the application. */
export interface McpTicketSession {
  /** The `Cookie` header of its requests; empty where a header of the login stands for the session. */
  readonly cookie: string;
  /**
   * A request in the session. `path` stays at the application; redirections are answers and not followed, so that no cookie
   * goes anywhere else.
   *
   * @throws Error when `path` leads away from the application, or the session is closed.
   */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/** A login that takes longer is given up: others wait for their turn. */
const LOGIN_MAX_MS = 30_000;

/** What else a redemption needs. */
interface Redeeming {
  /** The headers that the login gave, once it is over. */
  readonly given?: () => Readonly<Record<string, string>> | undefined;
  readonly patience?: AbortSignal;
}

/** Redeems a ticket at the application; `failed` hears why it did not work. @throws McpTicketFault */
export async function redeemTicket(
  base: URL,
  path: string,
  ticket: string,
  failed: (reason: string) => void,
  { given, patience = AbortSignal.timeout(LOGIN_MAX_MS) }: Redeeming = {},
): Promise<ActingSession> {
  const fail = (reason: string): never => {
    failed(reason);
    throw new McpTicketFault();
  };
  const headers = { [MCP_TICKET_HEADER]: ticket };
  const url = new URL(path, base);
  const answer = await fetch(url, { method: 'POST', headers, redirect: 'manual', signal: patience }).catch(
    (error: unknown) =>
      fail(
        patience.aborted
          ? `the login took longer than ${LOGIN_MAX_MS / 1_000} seconds`
          : `${url.origin} could not be asked (${thrownKind(error)}): the application must answer plain HTTP there`,
      ),
  );
  await answer.body?.cancel();
  if (answer.status !== 204) return fail(`${path} answered ${answer.status}`);
  const session = new ActingSession(
    base,
    headersOf(given?.()) ?? fail('the login gave headers that no request can carry'),
  );
  session.keep(answer);
  return session.isKnown ? session : fail('the login set no cookie, and gave no headers');
}

/** What says how a request travels, and to whom: a login that gives one of them would break each request, or lead it elsewhere. */
const OF_THE_REQUEST = `host connection content-length transfer-encoding upgrade expect keep-alive te trailer`.split(
  ' ',
);

function headersOf(given: Readonly<Record<string, string>> = {}): Headers | undefined {
  try {
    const headers = new Headers(given);
    return OF_THE_REQUEST.some((name) => headers.has(name)) ? undefined : headers;
  } catch {
    return undefined;
  }
}

export class ActingSession implements McpTicketSession {
  private readonly cookies = new Map<string, string>();
  private closed = false;

  constructor(
    private readonly base: URL,
    private headers: Headers,
  ) {
    // Beside those that answers set: a request has one such header.
    for (const pair of headers.get('cookie')?.split(';') ?? []) this.take(pair.trim());
    headers.delete('cookie');
  }

  /** Whether its requests carry anything that the application could know it by. */
  get isKnown(): boolean {
    return this.cookies.size > 0 || [...this.headers].length > 0;
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    if (this.closed) throw new Error('This session is closed: open another.');
    const url = new URL(path, this.base);
    if (url.origin !== this.base.origin) {
      throw new Error(`A session is for the application itself: give a path such as "/orders", not "${url.origin}".`);
    }
    const headers = new Headers(init.headers);
    this.headers.forEach((value, name) => headers.set(name, value));
    if (this.cookies.size > 0) headers.set('cookie', this.cookie);
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' });
    this.keep(answer);
    return answer;
  }

  /** Takes the cookies of an answer. */
  keep(answer: Response): void {
    for (const line of answer.headers.getSetCookie()) this.take(line);
  }

  private take(line: string): void {
    const [, name, value] = /^([^=;\s]+)=([^;]*)/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) this.cookies.set(name, value);
  }

  close(): void {
    this.closed = true;
    this.cookies.clear();
    this.headers = new Headers();
  }
}
