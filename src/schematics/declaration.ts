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

/** The module with the declaration, unchanged when it has it; `undefined` when it can not be written into it. */
export function declare(content: string, { property, symbol, entry = symbol, from }: Declaration): string | undefined {
  const declared = new MetadataManager(content).insert(property, entry);
  if (declared === undefined) return undefined; // there is no @Module({ … })
  if (declared === content) return content.includes(entry) ? content : undefined; // the property is no array to write in
  return imports(content, symbol) ? declared : withImport(declared, symbol, from);
}

/** How a file names another: `./shop/shop.gate.js`. */
export function specifier(importing: string, imported: string, esm: boolean): string {
  const path = relative(dirname(importing), imported.replace(/\.ts$/, esm ? '.js' : ''));
  return path.startsWith('.') ? path : `./${path}`;
}

function imports(content: string, symbol: string): boolean {
  return new RegExp(`^import\\s[^;'"]*\\b${symbol}\\b[^;'"]*\\sfrom\\s`, 'm').test(content);
}

const STATEMENT = /^import\b[^;'"]*(?<quote>['"])[^'"\n]+\k<quote>(?<end>;?)[^\n]*\n/gm;

/** The import behind the last one, with its quotes and its semicolon. */
function withImport(content: string, symbol: string, from: string): string {
  const last = [...content.matchAll(STATEMENT)].at(-1);
  const { quote = "'", end = ';' } = last?.groups ?? {};
  const at = last === undefined ? 0 : last.index + last[0].length;
  return `${content.slice(0, at)}import { ${symbol} } from ${quote}${from}${quote}${end}\n${content.slice(at)}`;
}
