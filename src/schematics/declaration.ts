/**
 * A class that was written is declared in a module: one entry more in an array of `@Module()`, and its import.
 */
import { dirname, relative } from 'node:path/posix';
import { MetadataManager } from '@nestjs/schematics';

/** What is declared, and where. */
export interface Declaration {
  readonly property: 'imports' | 'providers';
  /** What stands in the array. @default the symbol */
  readonly entry?: string;
  /** The name that is imported. */
  readonly symbol: string;
  readonly from: string;
}

/**
 * The module with the declaration, unchanged when it has it; `undefined` when it can not be written into it, or has another
 * class of that name.
 */
export function declare(content: string, { property, symbol, entry = symbol, from }: Declaration): string | undefined {
  const standing = importedFrom(content, symbol);
  if (standing !== undefined && standing !== from) return undefined;
  const declared = new MetadataManager(content).insert(property, entry);
  if (declared === undefined) return undefined; // there is no @Module({ … })
  if (declared === content) return content.includes(entry) ? content : undefined; // the property is no array to write in
  return standing === undefined ? withImport(declared, symbol, from) : declared;
}

/** How a file names another: `./shop/shop.gate.js`. */
export function specifier(importing: string, imported: string, esm: boolean): string {
  const path = relative(dirname(importing), imported.replace(/\.ts$/, esm ? '.js' : ''));
  return path.startsWith('.') ? path : `./${path}`;
}

/** What a file imports a name from. */
export function importedFrom(content: string, symbol: string): string | undefined {
  return new RegExp(`^import\\s[^;'"]*\\b${symbol}\\b[^;'"]*\\sfrom\\s+['"]([^'"]+)`, 'm').exec(content)?.[1];
}

const STATEMENT = /^import\b[^;'"]*(?<quote>['"])[^'"\n]+\k<quote>(?<end>;?)[^\n]*\n/gm;

/** The import behind the last one, with its quotes and its semicolon. */
function withImport(content: string, symbol: string, from: string): string {
  const last = [...content.matchAll(STATEMENT)].at(-1);
  const { quote = "'", end = ';' } = last?.groups ?? {};
  const at = last === undefined ? 0 : last.index + last[0].length;
  return `${content.slice(0, at)}import { ${symbol} } from ${quote}${from}${quote}${end}\n${content.slice(at)}`;
}
