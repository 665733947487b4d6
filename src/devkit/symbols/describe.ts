/**
 * A declaration and a use in a few words: where they stand, in what, and the line, without its secrets: a filter looks at it.
 */
import type ts from 'typescript';
import { oneLine } from '../project/within-bound.js';
import { maskText } from '../secrets/shapes.js';
import type { Declared } from './declarations.js';
import type { ParsedFile } from './source-files.js';
import type { TypeScript } from './typescript.js';
import type { FoundUse } from './uses.js';

/** A use, as it is told. */
export interface ToldUse {
  /** `src/orders/orders.service.ts:12` */
  readonly at: string;
  /** The class and method, or the function, that it stands in. */
  readonly in?: string;
  readonly as: string;
  readonly byName?: true;
  readonly code: string;
}

const MAX_CODE = 160;
const MAX_HEAD = 240;
/** Characters in which secrets are looked for: many more than are told. */
const LOOKED_AT = 2_000;

export function describeUse(typescript: TypeScript, file: ParsedFile, { node, as, byName }: FoundUse): ToldUse {
  const { line } = file.source.getLineAndCharacterOfPosition(node.getStart(file.source));
  const starts = file.source.getLineStarts();
  const code = file.source.text.slice(starts[line], starts[line + 1]);
  const within = enclosing(typescript, node);
  return {
    at: `${file.path}:${line + 1}`,
    ...(within !== undefined && { in: within }),
    as,
    ...(byName && { byName }),
    code: masked(code, MAX_CODE),
  };
}

export function describeDeclaration(typescript: TypeScript, file: ParsedFile, declared: Declared): object {
  const { node, kind, full } = declared;
  const { source } = file;
  const { line } = source.getLineAndCharacterOfPosition(declared.identifier.getStart(source));
  const decorators = typescript.canHaveDecorators(node) ? (typescript.getDecorators(node) ?? []) : [];
  const doc = docOf(typescript, node);
  return {
    name: full,
    kind,
    at: `${file.path}:${line + 1}`,
    ...(decorators.length > 0 && {
      decorators: decorators.map(({ expression }) => `@${nameIn(typescript, expression)}`),
    }),
    head: headOf(source, declared),
    ...(doc !== undefined && { doc }),
  };
}

/** From the name to where its body begins: what it takes, what it gives, what it extends. */
function headOf(source: ts.SourceFile, { node, identifier }: Declared): string {
  const body = (node as { body?: ts.Node }).body ?? (node as { initializer?: ts.Node }).initializer;
  const members = (node as { members?: ts.NodeArray<ts.Node> }).members;
  const end = body?.pos ?? members?.pos ?? node.end;
  const text = source.text.slice(identifier.getStart(source), end);
  return masked(text, MAX_HEAD).replace(/\s*[{=]$/, '');
}

/** Masked before it is cut: of half a secret nobody sees that it is one. */
function masked(text: string, most: number): string {
  return oneLine(maskText(text.slice(0, LOOKED_AT)), most);
}

/** The name of a decorator, without what it is called with. */
function nameIn(typescript: TypeScript, expression: ts.Expression): string {
  const called = typescript.isCallExpression(expression) ? expression.expression : expression;
  return oneLine(called.getText(), 60);
}

function docOf(typescript: TypeScript, node: ts.Node): string | undefined {
  const holder = typescript.isVariableDeclaration(node) ? node.parent.parent : node;
  const comment = typescript.getJSDocCommentsAndTags(holder).find(typescript.isJSDoc)?.comment;
  const text = typescript.getTextOfJSDocComment(comment);
  return text === undefined ? undefined : masked(text, MAX_HEAD);
}

/** `OrdersService.place`, of the class and the member around a node. */
function enclosing(typescript: TypeScript, start: ts.Node): string | undefined {
  const names: string[] = [];
  for (let at: ts.Node | undefined = start.parent; at !== undefined; at = at.parent) {
    const name = placeName(typescript, at);
    if (name !== undefined && name !== start) names.unshift(typeof name === 'string' ? name : name.getText());
    if (typescript.isClassLike(at)) break;
  }
  return names.length > 0 ? oneLine(names.join('.'), 120) : undefined;
}

/** The name of a class, a member or a function; `undefined` for what is none. */
function placeName(typescript: TypeScript, node: ts.Node): ts.Node | string | undefined {
  if (typescript.isConstructorDeclaration(node)) return 'constructor';
  const isPlace =
    typescript.isClassLike(node) ||
    typescript.isClassElement(node) ||
    typescript.isFunctionDeclaration(node) ||
    typescript.isInterfaceDeclaration(node);
  return isPlace ? node.name : undefined;
}
