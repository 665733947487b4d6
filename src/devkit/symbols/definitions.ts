/**
 * Which declarations of the project somebody means by a name, or by a part of one.
 */
import { mayDecorate, type Declared, type SymbolKind } from './declarations.js';
import type { ParsedFile } from './source-files.js';

/** A declaration, and the file that it stands in. */
export type Definition = ParsedFile & { readonly declaration: Declared };

/** Ranks up to this one are the name itself. */
const EXACT = 1;

/** The declarations that fit best, and the names of those that fit too. */
export function definitionsOf(
  files: readonly ParsedFile[],
  name: string,
  kind: SymbolKind | undefined,
): { best: Definition[]; others: string[] } {
  const fits = (one: Declared) => kind === undefined || (kind === 'decorator' ? mayDecorate(one) : one.kind === kind);
  const ranked = files.flatMap((file) =>
    file.declared.flatMap((declaration) => {
      const rank = fits(declaration) ? rankOf(declaration, name) : undefined;
      return rank === undefined ? [] : [{ ...file, declaration, rank }];
    }),
  );
  const top = Math.min(...ranked.map(({ rank }) => rank));
  // Of names that only resemble what was asked for, one is taken for it and the rest are proposed.
  const isExact = top <= EXACT;
  const best = ranked.filter(({ rank }) => rank === top);
  const chosen = isExact ? best : best.filter(({ declaration }) => declaration.full === best[0]?.declaration.full);
  const names = new Set(ranked.toSorted((a, b) => a.rank - b.rank).map(({ declaration }) => declaration.full));
  for (const { declaration } of chosen) names.delete(declaration.full);
  return { best: chosen, others: [...names] };
}

/** How well a declaration fits a name: less is better, `undefined` not at all. Compared as text, never as a pattern. */
function rankOf({ name, full }: Declared, asked: string): number | undefined {
  if (asked === '') return undefined;
  if (name === asked || full === asked) return 0;
  const [lower, own, whole] = [asked.toLowerCase(), name.toLowerCase(), full.toLowerCase()];
  if (own === lower || whole === lower) return EXACT;
  if (own.startsWith(lower)) return 2;
  return own.includes(lower) || whole.includes(lower) ? 3 : undefined;
}
