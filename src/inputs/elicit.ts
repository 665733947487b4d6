/**
 * Questions for the client's user: a form in the client, or a page of your own (2026-07-28, elicitation).
 */
import { elicitActionOf, type McpInputRequest } from '../runs/input.js';
import { readFormSchema, type McpFormContent, type McpFormSchema } from './form-schema.js';

/** What the user did with a form: filled it in, said no, or closed it. */
export type McpFormAnswer<Content> =
  { readonly action: 'accept'; readonly content: Content } | { readonly action: 'decline' | 'cancel' };

/** What the user did with a link: `accept` is their consent to open it, and not that they are done there. */
export interface McpUrlAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
}

/** A form to be filled in. */
export interface McpForm<Schema extends McpFormSchema = McpFormSchema> {
  /** What is asked and why, for the user. */
  readonly message: string;
  /**
   * The fields: a flat object of texts, numbers, booleans and choices, as a JSON Schema, a Standard Schema or a class with
   * class-validator decorators. The answer is checked against it, and is what it parses to.
   */
  readonly schema: Schema;
}

/**
 * A form. Never ask for passwords, keys or tokens with it: what is typed passes through the client and its model
 * (2026-07-28, elicitation, security considerations); `elicitUrl` is for these.
 */
export function elicitForm<Schema extends McpFormSchema>(
  form: McpForm<Schema>,
): McpInputRequest<McpFormAnswer<McpFormContent<Schema>>> {
  return {
    needs: 'elicitation',
    async prepare() {
      const fields = await readFormSchema(form.schema);
      return {
        method: 'elicitation/create',
        params: { message: textOf(form.message, 'elicitForm'), requestedSchema: fields.published },
        async read(answer) {
          const action = elicitActionOf(answer);
          if (action !== 'accept') return action && { value: { action } };
          const content = await fields.parse((answer as { content?: unknown }).content ?? {});
          return content && { value: { action, content: content.value as McpFormContent<Schema> } };
        },
      };
    },
  };
}

/** A page that the user opens, once they have agreed to. */
export interface McpLink {
  /** Why, for the user. */
  readonly message: string;
  /** An absolute `https:` address (`http:` on this machine). It must not sign anybody in, and holds nothing personal. */
  readonly url: string;
}

/**
 * A page of your own, for what must not pass through the client. Does NOT say that the user is done there, nor WHO has opened
 * the page: your page must check that it is the user of this call, or somebody else's answer is taken for theirs
 * (2026-07-28, elicitation, phishing).
 */
export function elicitUrl(link: McpLink): McpInputRequest<McpUrlAnswer> {
  return {
    needs: 'elicitation.url',
    prepare: () => ({
      method: 'elicitation/create',
      params: { mode: 'url', message: textOf(link.message, 'elicitUrl'), url: addressOf(link.url) },
      read(answer) {
        const action = elicitActionOf(answer);
        return action && { value: { action } };
      },
    }),
  };
}

function textOf(message: unknown, builder: string): string {
  if (typeof message === 'string' && message.trim() !== '') return message;
  throw new TypeError(`The message of ${builder}() must be a text that says what is asked and why.`);
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

function addressOf(url: unknown): string {
  const address = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined;
  const isSafe = address?.protocol === 'https:' || (address?.protocol === 'http:' && LOOPBACK.has(address.hostname));
  if (isSafe && address.username === '' && address.password === '') return url as string;
  throw new TypeError(
    'The url of elicitUrl() must be an absolute https address without a password (http on this machine only).',
  );
}
