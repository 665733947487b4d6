/**
 * A URI template (RFC 6570) taken apart into what a URI is matched against. Templates whose URIs could not be read back
 * into their variables are faults: nothing would say where one value ends.
 */

import { normalUri } from './normal-uri.js';

/** What characters a value is made of, beside percent-encoded ones. */
export type UriAlphabet = ReadonlySet<string>;

/** One piece of a template. */
export type TemplatePart =
  /** `skipTo`: with this literal an expression begins that may be absent; then matching goes on at that part. */
  | { readonly kind: 'literal'; readonly text: string; readonly skipTo?: number }
  /** `separator`: the value is a list, parted by it. */
  | { readonly kind: 'value'; readonly variable: string; readonly alphabet: UriAlphabet; readonly separator?: string }
  /** `?a=1&b=2`: any of the named, in any order. The value says whether it is a list. */
  | {
      readonly kind: 'pairs';
      readonly first: string;
      readonly separator: string;
      readonly alphabet: UriAlphabet;
      readonly variables: ReadonlyMap<string, boolean>;
    };

interface Operator {
  readonly prefix: string;
  readonly separator: string;
  readonly named?: boolean;
  readonly reserved?: boolean;
}

const OPERATORS: Readonly<Record<string, Operator>> = {
  '': { prefix: '', separator: ',' },
  '+': { prefix: '', separator: ',', reserved: true },
  '#': { prefix: '#', separator: ',', reserved: true },
  '.': { prefix: '.', separator: '.' },
  '/': { prefix: '/', separator: '/' },
  ';': { prefix: ';', separator: ';', named: true },
  '?': { prefix: '?', separator: '&', named: true },
  '&': { prefix: '&', separator: '&', named: true },
};

const UNRESERVED = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~');
const RESERVED = Array.from(":/?#[]@!$&'()*+,;=");

/** A name, and behind it `*` for a list or `:3` for a prefix. */
const VARIABLE = /^((?:\w|%[0-9A-Fa-f]{2})(?:\.?(?:\w|%[0-9A-Fa-f]{2}))*)(\*|:\d{1,4})?$/;
const LITERAL = /^(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/** A template that cannot be used. The message says why, and the way out. */
export class McpTemplateFault extends Error {
  override readonly name = 'McpTemplateFault';
}

/** Whether a text is a URI with a scheme (RFC 3986), as far as its characters go. */
export function isUri(text: unknown): text is string {
  return typeof text === 'string' && SCHEME.test(text) && LITERAL.test(text);
}

/**
 * The parts of a template.
 *
 * @throws McpTemplateFault
 */
export function readTemplate(template: string): readonly TemplatePart[] {
  if (!SCHEME.test(template)) throw new McpTemplateFault('it must begin with a scheme, as in shop://orders/{id}.');
  const parts: TemplatePart[] = [];
  const seen = new Set<string>();
  for (const piece of template.split(/(\{[^{}]*\})/)) {
    if (piece === '') continue;
    if (piece.startsWith('{') && piece.endsWith('}')) readExpression(piece.slice(1, -1), parts, seen);
    else if (LITERAL.test(piece)) parts.push({ kind: 'literal', text: normalUri(piece) });
    else throw new McpTemplateFault(`"${piece}" holds what no URI can: percent-encode it, and close every brace.`);
  }
  if (seen.size === 0) throw new McpTemplateFault('it has no variable such as {id}, so it is a resource: use its URI.');
  return parts;
}

function readExpression(body: string, parts: TemplatePart[], seen: Set<string>): void {
  const key = body !== '' && '+#./;?&'.includes(body[0]!) ? body[0]! : '';
  const operator = OPERATORS[key]!;
  const variables = new Map<string, boolean>();
  for (const text of body.slice(key.length).split(',')) {
    const [, name, modifier] = VARIABLE.exec(text) ?? [];
    if (name === undefined) throw new McpTemplateFault(`{${body}} is no expression of RFC 6570.`);
    if (modifier !== undefined && modifier !== '*') {
      throw new McpTemplateFault(`{${body}}: a value cannot be read back from its first characters. Take the whole.`);
    }
    if (seen.has(name)) throw new McpTemplateFault(`the variable "${name}" stands in it twice: name them apart.`);
    seen.add(name);
    variables.set(name, modifier === '*');
  }
  if (operator.named === true) addPairs(operator, variables, parts);
  else addValues(body, operator, variables, parts);
}

function addPairs(
  { prefix, separator }: Operator,
  variables: ReadonlyMap<string, boolean>,
  parts: TemplatePart[],
): void {
  const before = parts.at(-1);
  if (before?.kind === 'pairs' && before.separator === separator) {
    parts[parts.length - 1] = { ...before, variables: new Map([...before.variables, ...variables]) };
  } else {
    parts.push({
      kind: 'pairs',
      first: prefix,
      separator,
      alphabet: new Set([...UNRESERVED, '=', separator]),
      variables,
    });
  }
}

function addValues(
  body: string,
  { prefix, separator, reserved = false }: Operator,
  variables: ReadonlyMap<string, boolean>,
  parts: TemplatePart[],
): void {
  const isList = [...variables.values()].includes(true);
  if (reserved && (variables.size > 1 || isList)) {
    throw new McpTemplateFault(`{${body}}: its values may hold the comma that parts them. Take one variable, no list.`);
  }
  if (prefix === '' && parts.length > 0 && parts.at(-1)!.kind !== 'literal') {
    throw new McpTemplateFault(`nothing says where {${body}} begins: put a literal, such as "/", in front of it.`);
  }
  const end = parts.length + 2 * variables.size - (prefix === '' ? 1 : 0);
  let between = prefix;
  for (const [variable, list] of variables) {
    // Without a prefix the expression must be there; what follows its first value may be absent.
    if (between !== '') parts.push({ kind: 'literal', text: between, skipTo: end });
    const letters = reserved ? [...UNRESERVED, ...RESERVED] : UNRESERVED;
    parts.push({
      kind: 'value',
      variable,
      alphabet: new Set(list ? [...letters, separator] : letters),
      ...(list && { separator }),
    });
    between = separator;
  }
}
