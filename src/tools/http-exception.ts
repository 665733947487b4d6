/**
 * A 4xx exception of Nest, read without Nest: the application tells whoever asked what to mend (T8). It is known by what
 * it can do and not by its class, so that a second copy of Nest's package makes no difference.
 */

/** The text for the agent; `undefined` when the exception is none of a 4xx status. */
export function businessMessage(error: unknown): string | undefined {
  return businessFailure(error)?.message;
}

/** The status and the text; `undefined` when the exception is none of a 4xx status. */
export function businessFailure(error: unknown): { status: number; message: string } | undefined {
  if (!(error instanceof Error)) return undefined;
  const { getStatus, getResponse } = error as { getStatus?: unknown; getResponse?: unknown };
  if (typeof getStatus !== 'function' || typeof getResponse !== 'function') return undefined;
  const status: unknown = getStatus.call(error);
  if (typeof status !== 'number' || status < 400 || status > 499) return undefined;
  return { status, message: messageOf(getResponse.call(error)) ?? error.message };
}

/** A response's text: itself, its `message`, or the list of messages that a ValidationPipe makes. */
function messageOf(response: unknown): string | undefined {
  if (typeof response === 'string') return response;
  if (typeof response !== 'object' || response === null) return undefined;
  const { message } = response as { message?: unknown };
  if (typeof message === 'string') return message;
  if (!Array.isArray(message)) return undefined;
  const texts = message.filter((text): text is string => typeof text === 'string');
  return texts.length === 0 ? undefined : texts.join('\n');
}
