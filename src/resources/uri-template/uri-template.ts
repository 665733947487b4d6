/**
 * A URI template, both ways: from variables to a URI, and from a URI to its variables. Matching looks at each character
 * once for each part of the template, whatever the text: no pattern that could run away is ever compiled.
 */
import late from '../../late.cjs';
import { readTemplate, type TemplatePart, type UriAlphabet } from './grammar.js';
import { MAX_URI_CHARS, normalUri } from './normal-uri.js';

/** What a template's variables stand for in one URI, decoded; a list for an exploded variable. Absent ones are left out. */
export type McpUriVariables = Record<string, string | string[]>;

/**
 * The URI for these variables (RFC 6570): `mcpUri('shop://orders/{id}', { id: 'O-1' })`. For links to one's own resources.
 *
 * Does NOT encode `/`, `?`, `#` and `..` in a value of `{+path}` or `{#part}`: that is what these are for.
 *
 * @throws URIError for a value that is no text of Unicode (half a surrogate pair)
 */
export function mcpUri(template: string, variables: Readonly<Record<string, unknown>>): string {
  return late.urlTemplate().parse(template).expand(variables);
}

export class UriTemplate {
  readonly variables: readonly string[];
  private readonly parts: readonly TemplatePart[];

  /** @throws McpTemplateFault for a template that cannot be used. */
  constructor(readonly text: string) {
    this.parts = readTemplate(text);
    this.variables = this.parts.flatMap((part) => {
      if (part.kind === 'literal') return [];
      return part.kind === 'value' ? [part.variable] : [...part.variables.keys()];
    });
  }

  /**
   * The variables of a URI; `undefined` when the template does not say it. A value has at least one character (but for
   * those of a query), and where several readings are possible each takes as little as it can.
   *
   * Does NOT judge values: `..` or a decoded `/` may be among them.
   */
  match(given: string): McpUriVariables | undefined {
    if (given.length > MAX_URI_CHARS) return undefined;
    const uri = normalUri(given);
    const first = this.parts[0]!;
    if (first.kind === 'literal' && !uri.startsWith(first.text)) return undefined; // most URIs are another template's
    const ends = this.reach(uri);
    if (ends[0]![0] !== 1) return undefined;
    const found: [string, string | string[]][] = [];
    for (let part = 0, at = 0; part < this.parts.length;) {
      const [next, end] = this.step(uri, part, at, ends);
      if (end > at && !read(this.parts[part]!, uri.slice(at, end), found)) return undefined;
      [part, at] = [next, end];
    }
    return Object.fromEntries(found);
  }

  /** For each part and position whether the rest of the URI is what the rest of the template says. */
  private reach(uri: string): Uint8Array[] {
    const size = uri.length + 1;
    const ends = Array.from({ length: this.parts.length + 1 }, () => new Uint8Array(size));
    ends[this.parts.length]![uri.length] = 1;
    for (let at = this.parts.length - 1; at >= 0; at -= 1) {
      const part = this.parts[at]!;
      const [own, after] = [ends[at]!, ends[at + 1]!];
      if (part.kind === 'literal') {
        for (let from = uri.length - part.text.length; from >= 0; from -= 1) {
          if (after[from + part.text.length] === 1 && uri.startsWith(part.text, from)) own[from] = 1;
        }
        if (part.skipTo !== undefined) ends[part.skipTo]!.forEach((ok, from) => (own[from]! |= ok));
        continue;
      }
      const inside = new Uint8Array(size);
      for (let from = uri.length; from >= 0; from -= 1) {
        const width = letterAt(uri, from, part.alphabet);
        const goesOn = width > 0 && inside[from + width] === 1;
        if (after[from] === 1 || goesOn) inside[from] = 1;
        if (part.kind === 'value') own[from] = goesOn ? 1 : 0;
        else if (after[from] === 1 || (uri[from] === part.first && inside[from + 1] === 1)) own[from] = 1;
      }
    }
    return ends;
  }

  /** Where matching goes on behind a part that can match at a position: the next part, and the position. */
  private step(uri: string, index: number, at: number, ends: readonly Uint8Array[]): [number, number] {
    const part = this.parts[index]!;
    const after = ends[index + 1]!;
    if (part.kind === 'literal') {
      const end = at + part.text.length;
      return uri.startsWith(part.text, at) && after[end] === 1 ? [index + 1, end] : [part.skipTo!, at];
    }
    let end = at;
    if (part.kind === 'value') end += letterAt(uri, at, part.alphabet);
    else if (uri[at] !== part.first || after[at] === 1) return [index + 1, at];
    else end += 1;
    while (after[end] !== 1) end += letterAt(uri, end, part.alphabet);
    return [index + 1, end];
  }
}

/** How many characters the letter at a position has: 3 when it is percent-encoded; 0 when it is none of the alphabet. */
function letterAt(uri: string, at: number, alphabet: UriAlphabet): number {
  const letter = uri[at];
  if (letter === undefined) return 0;
  if (letter !== '%') return alphabet.has(letter) ? 1 : 0;
  return isHex(uri.charCodeAt(at + 1)) && isHex(uri.charCodeAt(at + 2)) ? 3 : 0;
}

function isHex(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);
}

/** Takes down the variables of a part; `false` when its text is not what it says. */
function read(part: TemplatePart, text: string, found: [string, string | string[]][]): boolean {
  if (part.kind === 'literal') return true;
  if (part.kind === 'pairs') return readPairs(part, text.slice(1), found);
  const values = (part.separator === undefined ? [text] : text.split(part.separator)).map(decoded);
  if (!values.every((value) => value !== undefined)) return false;
  found.push([part.variable, part.separator === undefined ? values[0]! : values]);
  return true;
}

function readPairs(
  { separator, variables }: Extract<TemplatePart, { kind: 'pairs' }>,
  text: string,
  found: [string, string | string[]][],
): boolean {
  const lists = new Map<string, string[]>();
  for (const pair of text.split(separator)) {
    const [name, ...rest] = pair.split('=');
    const value = decoded(rest.join('%3D'));
    const isList = variables.get(name!);
    if (isList === undefined || value === undefined) return false;
    const list = lists.get(name!);
    if (list === undefined) lists.set(name!, [value]);
    else if (isList) list.push(value);
    else return false; // given twice: which one is meant?
  }
  for (const [name, values] of lists) found.push([name, variables.get(name) === true ? values : values[0]!]);
  return true;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // percent-encoded bytes that are no UTF-8
  }
}
