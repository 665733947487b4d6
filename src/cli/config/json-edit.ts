/**
 * Putting a property into the text of an object, in the style that the text has. jsonc-parser's own editing reformats
 * the lines around a change and drops comments with a removed property.
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

/** The text with another value in the place of a node. */
export function replaceValue(document: JsonDocument, node: Node, value: unknown): string {
  const { text } = document;
  const isOnOneLine = !/[\r\n]/.test(text.slice(node.offset, node.offset + node.length));
  const indent = indentAt(text, node.offset);
  const replacement = isOnOneLine ? JSON.stringify(value) : written(value, indent, unitOf(document), lineBreakOf(text));
  return text.slice(0, node.offset) + replacement + text.slice(node.offset + node.length);
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
