/**
 * Where a name is used, and as what. The compiler tells which declaration a name means; where it cannot, because a type comes
 * from a package, a member is told by its name alone, and marked.
 */
import type ts from 'typescript';
import type { TypeScript } from './typescript.js';

/** One place where a name stands. */
export interface FoundUse {
  readonly node: ts.Node;
  readonly as: string;
  /** The compiler does not know whose member it is: another class may have one of this name. */
  readonly byName?: true;
}

/** Which declaration is meant. */
export interface Meant {
  readonly name: string;
  /** Not their symbols: of one member the compiler may have several. None for what only packages declare. */
  readonly declarations: ReadonlySet<ts.Declaration>;
  /** For what only packages declare: where from. */
  readonly from?: string;
  readonly isMember: boolean;
}

/** The uses in one file, in its order; its own declaration is none. */
export function usesIn(
  typescript: TypeScript,
  checker: ts.TypeChecker,
  source: ts.SourceFile,
  meant: Meant,
): FoundUse[] {
  if (!source.text.includes(meant.name)) return [];
  const found: FoundUse[] = [];
  function look(node: ts.Node): void {
    if ((typescript.isIdentifier(node) || typescript.isPrivateIdentifier(node)) && node.text === meant.name) {
      const match = matches(typescript, checker, node, meant);
      if (match !== undefined)
        found.push({ node, as: roleOf(typescript, node), ...(match === 'name' && { byName: true }) });
    }
    typescript.forEachChild(node, look);
  }
  look(source);
  return found;
}

function matches(
  typescript: TypeScript,
  checker: ts.TypeChecker,
  node: ts.Identifier | ts.PrivateIdentifier,
  { declarations, from, isMember }: Meant,
): 'symbol' | 'name' | undefined {
  const symbol = symbolAt(typescript, checker, node);
  if (from !== undefined)
    return symbol !== undefined && importedFrom(typescript, symbol) === from ? 'symbol' : undefined;
  if (symbol !== undefined) {
    if (symbol.declarations?.some((declaration) => nameOf(declaration) === node) === true) return undefined;
    const target = symbol.flags & typescript.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return target.declarations?.some((one) => declarations.has(one)) === true ? 'symbol' : undefined;
  }
  const { parent } = node;
  if (!isMember || !typescript.isPropertyAccessExpression(parent) || parent.name !== node) return undefined;
  // `Promise.resolve`: of something that the language declares, and no file of the project.
  const isGlobal = typescript.isIdentifier(parent.expression) && !checker.getSymbolAtLocation(parent.expression);
  return isGlobal ? undefined : 'name';
}

function symbolAt(typescript: TypeScript, checker: ts.TypeChecker, node: ts.Node): ts.Symbol | undefined {
  const { parent } = node;
  // `{ find }` stands for a property and for a variable: the variable is what is used.
  if (typescript.isShorthandPropertyAssignment(parent)) return checker.getShorthandAssignmentValueSymbol(parent);
  return checker.getSymbolAtLocation(node);
}

/** The package that an imported name comes from, when no file of the project declares it. */
export function importedFrom(typescript: TypeScript, symbol: ts.Symbol): string | undefined {
  const specifier = symbol.declarations?.find(
    (one) => typescript.isImportSpecifier(one) || typescript.isImportClause(one) || typescript.isNamespaceImport(one),
  );
  let at: ts.Node | undefined = specifier;
  while (at !== undefined && !typescript.isImportDeclaration(at)) at = at.parent;
  const module = at === undefined ? undefined : at.moduleSpecifier;
  return module !== undefined && typescript.isStringLiteral(module) ? module.text : undefined;
}

function nameOf(node: ts.Declaration): ts.Node | undefined {
  return (node as ts.NamedDeclaration).name;
}

/** What a name is used as, in one word. */
function roleOf(typescript: TypeScript, node: ts.Node): string {
  const inner = typescript.isPropertyAccessExpression(node.parent) && node.parent.name === node ? node.parent : node;
  const { parent } = inner;
  if (typescript.isImportSpecifier(parent) || typescript.isImportClause(parent)) return 'import';
  if (typescript.isExportSpecifier(parent)) return 'export';
  if (typescript.isDecorator(parent)) return 'decorator';
  if (typescript.isCallExpression(parent) && parent.expression === inner) {
    return typescript.isDecorator(parent.parent) ? 'decorator' : 'call';
  }
  if (typescript.isNewExpression(parent) && parent.expression === inner) return 'new';
  if (typescript.isExpressionWithTypeArguments(parent) && typescript.isHeritageClause(parent.parent)) {
    return parent.parent.token === typescript.SyntaxKind.ExtendsKeyword ? 'extends' : 'implements';
  }
  if (typescript.isTypeReferenceNode(parent)) {
    const { parent: holder } = parent;
    const injects = typescript.isParameter(holder) && typescript.isConstructorDeclaration(holder.parent);
    return injects ? 'injected' : 'type';
  }
  return 'reference';
}
