/**
 * One question to an issuer, answered with JSON: bounded in time and size, never redirected.
 */

import { errorName } from './error-name.js';

/** An endpoint that did not answer as it should. The message names the endpoint and nothing that was sent to it. */
export class McpEndpointFault extends Error {
  override readonly name = 'McpEndpointFault';

  constructor(
    message: string,
    /** Whether the host answered at all. */
    readonly answered: boolean,
    /** What it answered with, where that is what is wrong. */
    readonly status?: number,
  ) {
    super(message);
  }
}

/** Asks an endpoint. Rejects with {@link McpEndpointFault} only. */
export type FetchJson = (
  url: string,
  form?: { readonly body: string; readonly authorization: string },
) => Promise<unknown>;

const MAX_BYTES = 512 * 1024;

/**
 * A `fetch` that gives parsed JSON of a 200 answer. A redirect is a fault: keys are taken from where the issuer says,
 * not from where that place sends on to.
 *
 * Does NOT check the URL (see `endpointFault`), nor the media type of the answer.
 */
export function createFetchJson(fetchIt: typeof fetch, timeoutMs: number): FetchJson {
  return async (url, form) => {
    try {
      const response = await fetchIt(url, {
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
        headers: { accept: 'application/json', ...(form && { authorization: form.authorization, ...FORM }) },
        ...(form && { method: 'POST', body: form.body }),
      });
      if (response.status !== 200) {
        await response.body?.cancel();
        throw new McpEndpointFault(`${url} ${unexpected(response.status)}`, true, response.status);
      }
      return JSON.parse(await boundedText(response, url)) as unknown;
    } catch (error) {
      if (error instanceof McpEndpointFault) throw error;
      throw new McpEndpointFault(`${url} ${failure(error, timeoutMs)}`, error instanceof SyntaxError);
    }
  };
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

async function boundedText(response: Response, url: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw new McpEndpointFault(`${url} sent more than ${MAX_BYTES} bytes`, true);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function unexpected(status: number): string {
  const redirects = status === 0 || (status >= 300 && status < 400); // 0: how browsers and some stand-ins show one
  return redirects ? `redirects (${status}), which is not followed` : `answered ${status}`;
}

/** Only words of our own: the error of a `fetch` may quote what was sent. */
function failure(error: unknown, timeoutMs: number): string {
  if (error instanceof SyntaxError) return 'did not answer with JSON';
  if (errorName(error) === 'TimeoutError') return `did not answer within ${timeoutMs} ms`;
  const code: unknown = (error as { cause?: { code?: unknown } } | undefined)?.cause?.code;
  return typeof code === 'string' && /^[A-Z_0-9]+$/.test(code)
    ? `could not be reached (${code})`
    : 'could not be reached';
}
