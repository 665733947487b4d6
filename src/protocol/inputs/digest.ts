/**
 * What a question or a request is, in few characters: to tell whether another is the same.
 */
import { McpProtocolError } from '../errors.js';
import { isObject } from '../messages.js';
import type { McpCall } from '../read.js';

/** SHA-256 of a text, in Base64url. */
export async function digestOf(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (sign) =>
    sign === '+' ? '-' : sign === '/' ? '_' : '',
  );
}

/** What belongs to one attempt of a request, and not to what it asks for. */
const OF_THE_ATTEMPT = new Set(['_meta', 'requestState', 'inputResponses']);

/**
 * The digest of a method and its parameters: the same for every round of one call.
 *
 * @throws McpProtocolError `-32602` (as a rejection) for parameters that cannot be written again: nested too deeply, or with
 * a number like `1e400`.
 */
export async function subjectDigest({ method, params }: McpCall): Promise<string> {
  const lasting = Object.entries(params).filter(([key]) => !OF_THE_ATTEMPT.has(key));
  let text: string;
  try {
    text = canonical([method, Object.fromEntries(lasting)]);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw McpProtocolError.invalidParams('The parameters are nested too deeply for a call that asks its client.');
  }
  return digestOf(text);
}

/** JSON in which the order of members does not matter. A number beyond all numbers would be written as another value. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'number' && !Number.isFinite(part)) {
      throw McpProtocolError.invalidParams('A number of the parameters is too large for a call that asks its client.');
    }
    if (!isObject(part)) return part;
    return Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  });
}
