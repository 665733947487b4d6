/**
 * A JSON text as a tree whose nodes know where they stand in it.
 */
import type { JSONScanner, Node, ParseError } from 'jsonc-parser';
import { McpConfigFault } from './config-fault.js';

/** A text that was read without a fault. */
export interface JsonDocument {
  readonly text: string;
  readonly root: Node;
  /** A scanner of this text that gives comments and line breaks too. */
  readonly scanner: (from: number) => JSONScanner;
  readonly valueOf: (node: Node) => unknown;
  /** The fault that says where a node stands. */
  readonly fault: (node: Node, what: string) => McpConfigFault;
}

/**
 * Reads a text.
 *
 * @throws McpConfigFault with the line of the first fault.
 */
export async function readJson(text: string, comments: boolean): Promise<JsonDocument> {
  // A CommonJS package: its names reach Jest and Node alike on the default export only.
  const { default: jsonc } = await import('jsonc-parser');
  const errors: ParseError[] = [];
  const root = jsonc.parseTree(text, errors, { disallowComments: !comments, allowTrailingComma: comments });
  const first = errors[0];
  if (first !== undefined || root === undefined) {
    const code = first === undefined ? 'ValueExpected' : jsonc.printParseErrorCode(first.error);
    throw faultAt(text, first?.offset ?? 0, FAULTS[code] ?? 'this is not JSON');
  }
  return {
    text,
    root,
    scanner(from) {
      const scanner = jsonc.createScanner(text);
      scanner.setPosition(from);
      return scanner;
    },
    // By way of text: the parser's objects have no prototype, and would equal no others.
    valueOf: (node) => JSON.parse(JSON.stringify(jsonc.getNodeValue(node))) as unknown,
    fault: (node, what) => faultAt(text, node.offset, what),
  };
}

/** In words, by the names that the parser has for them. */
const FAULTS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'this is no word of JSON: names and texts stand in double quotes',
  InvalidCommentToken: 'there is a comment, and this client reads JSON without comments',
  InvalidNumberFormat: 'this is not a number of JSON',
  PropertyNameExpected: 'a name in double quotes must stand here',
  ValueExpected: 'a value must stand here',
  ColonExpected: 'a colon must stand here',
  CommaExpected: 'a comma must stand here',
  CloseBraceExpected: 'a closing } is missing',
  CloseBracketExpected: 'a closing ] is missing',
  EndOfFileExpected: 'the file must end here',
  UnexpectedEndOfComment: 'a comment does not end',
  UnexpectedEndOfString: 'a text does not end: its closing " is missing',
  UnexpectedEndOfNumber: 'a number is cut off',
  InvalidUnicode: 'a \\u must be followed by four hexadecimal digits',
  InvalidEscapeCharacter: 'this cannot follow a \\ in a text',
  InvalidCharacter: 'a text holds a control character: write it with a \\',
};

/** The fault with its line and column, counted from 1. */
function faultAt(text: string, offset: number, what: string): McpConfigFault {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  return new McpConfigFault(`line ${before.length}, column ${before.at(-1)!.length + 1}: ${what}`);
}

/**
 * The value of a property, if it is there.
 *
 * @throws McpConfigFault when it is there twice: readers differ in which one counts.
 */
export function propertyOf(document: JsonDocument, object: Node, key: string): Node | undefined {
  const found = (object.children ?? []).filter(({ children }) => children?.[0]?.value === key);
  if (found.length > 1) throw document.fault(found[1]!, `"${key}" is there twice: leave one`);
  return found[0]?.children?.[1];
}

/** Everything that a tree says, in its order, but for what stands at `omitted`; an object that holds no more is left out. */
export function canonicalJson(node: Node, omitted: readonly string[]): string {
  if (node.type === 'array') return `[${(node.children ?? []).map((child) => canonicalJson(child, [])).join()}]`;
  if (node.type !== 'object') return JSON.stringify(node.value);
  const [next, ...rest] = omitted;
  const properties = (node.children ?? []).flatMap(({ children }) => {
    const [key, value] = children as [Node, Node];
    const isOnWay = key.value === next;
    if (isOnWay && rest.length === 0) return [];
    const inner = canonicalJson(value, isOnWay ? rest : []);
    return isOnWay && inner === '{}' ? [] : [`${JSON.stringify(key.value)}:${inner}`];
  });
  return `{${properties.join()}}`;
}

/** Kinds of the scanner's tokens, as the parser's enumeration (of types only) numbers them. */
export const TOKEN = { comma: 5, lineComment: 12, blockComment: 13, lineBreak: 14, end: 17 } as const;

/** The comments of a text, in their order. */
export function commentsOf({ text, scanner }: JsonDocument): string[] {
  const comments: string[] = [];
  const tokens = scanner(0);
  for (let kind: number = tokens.scan(); kind !== TOKEN.end; kind = tokens.scan()) {
    if (kind !== TOKEN.lineComment && kind !== TOKEN.blockComment) continue;
    const start = tokens.getTokenOffset(); // the token's own value begins a character too early
    comments.push(text.slice(start, start + tokens.getTokenLength()).trimEnd());
  }
  return comments;
}
