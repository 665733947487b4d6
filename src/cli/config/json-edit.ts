/**
 * A property of an object put into its text, changed and taken out, in the style that the text has. jsonc-parser's own
 * editing reformats the lines around a change and drops comments with a removed property.
 */
import type { Node } from 'jsonc-parser';
import { TOKEN, type JsonDocument } from './json-document.js';

/** What follows the last property of an object, or its opening brace. */
interface Gap {
  /** Where a new property can stand: behind a comment that belongs to the last one. */
  readonly anchor: number;
  readonly hasComma: boolean;
  readonly endsInLineComment: boolean;
}

/** The text with a property at the end of an object. */
export function insertProperty(document: JsonDocument, object: Node, key: string, value: unknown): string {
  const { text } = document;
  const close = object.offset + object.length - 1;
  const last = object.children?.at(-1);
  const start = last === undefined ? object.offset + 1 : last.offset + last.length;
  const gap = gapAfter(document, start, close, last === undefined);
  const before =
    text.slice(0, start) + (last !== undefined && !gap.hasComma ? ',' : '') + text.slice(start, gap.anchor);
  const trailing = gap.hasComma ? ',' : '';
  const property = (indent: string, unit: string) =>
    `${JSON.stringify(key)}: ${written(value, indent, unit, lineBreakOf(text))}${trailing}`;

  if (!isSpread(text, object)) {
    const space = gap.endsInLineComment ? lineBreakOf(text) : text.slice(0, start).endsWith('{') ? '' : ' ';
    return `${before}${space}${JSON.stringify(key)}: ${JSON.stringify(value)}${trailing}${text.slice(gap.anchor)}`;
  }
  const outer = indentAt(text, object.offset);
  const unit = unitOf(document);
  const inner = last === undefined ? outer + unit : indentAt(text, object.children![0]!.offset);
  const rest = text.slice(gap.anchor);
  const hasBreak = /[\r\n]/.test(text.slice(gap.anchor, close));
  const closing = hasBreak ? rest : lineBreakOf(text) + outer + rest.trimStart();
  return before + lineBreakOf(text) + inner + property(inner, unit) + closing;
}

/** The text with another value in the place of a node, on one line where it was on one, with spaces where it had some. */
export function replaceValue(document: JsonDocument, node: Node, value: unknown): string {
  const { text } = document;
  const standing = text.slice(node.offset, node.offset + node.length);
  const indent = indentAt(text, node.offset);
  const spread = () => written(value, indent, unitOf(document), lineBreakOf(text));
  const replacement = /[\r\n]/.test(standing) ? spread() : onOneLine(value, /[,:] /.test(standing));
  return text.slice(0, node.offset) + replacement + text.slice(node.offset + node.length);
}

/** The text without a property of an object, and without its line when nothing else is on it. Comments around it stay. */
export function removeProperty(document: JsonDocument, object: Node, key: string): string {
  const { text } = document;
  const properties = object.children ?? [];
  const index = properties.findIndex(({ children }) => children?.[0]?.value === key);
  const [previous, { offset, length }, next] = [properties[index - 1], properties[index]!, properties[index + 1]];
  const close = object.offset + object.length - 1;
  const behind = commaIn(document, offset + length, next?.offset ?? close);
  if (behind !== undefined) {
    return cut(text.slice(0, behind) + text.slice(behind + 1), offset, offset + length, 'behind');
  }
  const rest = cut(text, offset, offset + length, 'before');
  const before = previous && commaIn(document, previous.offset + previous.length, offset);
  return before === undefined ? rest : rest.slice(0, before) + rest.slice(before + 1);
}

function commaIn(document: JsonDocument, start: number, end: number): number | undefined {
  const tokens = document.scanner(start);
  for (let kind: number = tokens.scan(); tokens.getTokenOffset() < end; kind = tokens.scan()) {
    if (kind === TOKEN.comma) return tokens.getTokenOffset();
  }
  return undefined;
}

/** Takes out a part, with its line when that is all there is on it, else with the space on one side. */
function cut(text: string, start: number, end: number, space: 'before' | 'behind'): string {
  const head = text.slice(0, start);
  const tail = text.slice(end);
  const lead = head.replace(/[ \t]+$/, '');
  const lineBreak = /^[ \t]*(?:\r\n|\n|\r)/.exec(tail)?.[0];
  if (/[\r\n]$/.test(lead) && lineBreak !== undefined) return lead + tail.slice(lineBreak.length);
  return space === 'before' ? lead + tail : head + tail.replace(/^[ \t]+/, '');
}

/** JSON has no line break outside its structure: those inside texts are escaped. */
function onOneLine(value: unknown, spaced: boolean): string {
  if (!spaced) return JSON.stringify(value);
  return JSON.stringify(value, undefined, 1)
    .replaceAll(/(?<=[[{])\n *|\n *(?=[\]}])/g, '')
    .replaceAll(/\n */g, ' ');
}

function gapAfter(document: JsonDocument, start: number, close: number, isEmpty: boolean): Gap {
  const tokens = document.scanner(start);
  let anchor = start;
  let hasComma = false;
  let sawBreak = false;
  let endsInLineComment = false;
  for (let kind: number = tokens.scan(); tokens.getTokenOffset() < close; kind = tokens.scan()) {
    const end = tokens.getTokenOffset() + tokens.getTokenLength();
    if (kind === TOKEN.lineBreak) sawBreak = true;
    if (kind === TOKEN.comma) [hasComma, anchor] = [true, end];
    if ((kind === TOKEN.lineComment || kind === TOKEN.blockComment) && (isEmpty || !sawBreak)) {
      [anchor, endsInLineComment] = [end, kind === TOKEN.lineComment];
    }
  }
  return { anchor, hasComma, endsInLineComment };
}

/** Whether an object has a line for each of its properties. An empty one has what the document has. */
function isSpread(text: string, object: Node): boolean {
  const first = object.children?.[0];
  const inside = text.slice(object.offset, first?.offset ?? object.offset + object.length);
  if (/[\r\n]/.test(inside)) return true;
  return first === undefined && (object.parent === undefined || /[\r\n]/.test(text.trim()));
}

function written(value: unknown, indent: string, unit: string, lineBreak: string): string {
  return JSON.stringify(value, undefined, unit).replaceAll('\n', lineBreak + indent);
}

function lineBreakOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

/** What a line begins with, up to its first character that is seen. */
function indentAt(text: string, offset: number): string {
  const start = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))![0];
}

/** One step of indentation: that of the document's first property, else two spaces. */
function unitOf({ text, root }: JsonDocument): string {
  const first = root.children?.[0];
  const step = first === undefined ? '' : indentAt(text, first.offset).slice(indentAt(text, root.offset).length);
  return step === '' ? '  ' : step;
}
