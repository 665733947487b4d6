/**
 * What a file declares by name: classes and their members, functions, variables of the file, types.
 */
import type ts from 'typescript';
import type { TypeScript } from './typescript.js';

/** What a name stands for. */
export const SYMBOL_KINDS = [
  'class',
  'method',
  'property',
  'function',
  'variable',
  'interface',
  'type',
  'enum',
  'decorator',
] as const;
export type SymbolKind = (typeof SYMBOL_KINDS)[number];

/** One declaration. */
export interface Declared {
  readonly name: string;
  /** `StockService.find` of a member, else the name. */
  readonly full: string;
  /** A decorator is a function or a variable; that it is one, its uses say. */
  readonly kind: Exclude<SymbolKind, 'decorator'>;
  readonly node: ts.NamedDeclaration;
  readonly identifier: ts.Node;
}

/** The declarations of a file, in its order. What stands inside of functions is nobody's to look for. */
export function declarationsIn(typescript: TypeScript, source: ts.SourceFile): Declared[] {
  const found: Declared[] = [];

  function add(kind: Declared['kind'], node: ts.NamedDeclaration, within?: string): void {
    const { name } = node;
    if (name === undefined || !(typescript.isIdentifier(name) || typescript.isPrivateIdentifier(name))) return;
    const full = within === undefined ? name.text : `${within}.${name.text}`;
    found.push({ name: name.text, full, kind, node, identifier: name });
  }

  function members(list: ts.NodeArray<ts.ClassElement | ts.TypeElement>, within: string): void {
    for (const member of list) {
      const isMethod = typescript.isMethodDeclaration(member) || typescript.isMethodSignature(member);
      add(isMethod ? 'method' : 'property', member, within);
      if (!typescript.isConstructorDeclaration(member)) continue;
      for (const parameter of member.parameters) {
        if (typescript.isParameterPropertyDeclaration(parameter, member)) add('property', parameter, within);
      }
    }
  }

  function statements(list: readonly ts.Statement[], within?: string): void {
    for (const node of list) {
      if (typescript.isClassDeclaration(node)) {
        add('class', node, within);
        members(node.members, node.name?.text ?? 'default');
      } else if (typescript.isInterfaceDeclaration(node)) {
        add('interface', node, within);
        members(node.members, node.name.text);
      } else if (typescript.isFunctionDeclaration(node)) add('function', node, within);
      else if (typescript.isTypeAliasDeclaration(node)) add('type', node, within);
      else if (typescript.isEnumDeclaration(node)) add('enum', node, within);
      else if (typescript.isVariableStatement(node)) {
        for (const variable of node.declarationList.declarations) add('variable', variable, within);
      } else if (typescript.isModuleDeclaration(node) && node.body && typescript.isModuleBlock(node.body)) {
        statements(node.body.statements, node.name.text);
      }
    }
  }
  statements(source.statements);
  return found;
}

/** Whether a declaration is a function, or a variable that is one: what a decorator of the project may be. */
export function mayDecorate({ kind }: Declared): boolean {
  return kind === 'function' || kind === 'variable';
}
