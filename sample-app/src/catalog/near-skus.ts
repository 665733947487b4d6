/**
 * What was probably meant by a SKU that does not exist: the ones that differ in the fewest characters.
 */
export function nearSkus(wanted: string, existing: readonly string[], count = 3): string[] {
  const differences = (sku: string): number =>
    Array.from(sku).filter((character, at) => character !== wanted[at]).length + Math.abs(sku.length - wanted.length);
  return existing
    .map((sku) => ({ sku, distance: differences(sku) }))
    .toSorted((a, b) => a.distance - b.distance || a.sku.localeCompare(b.sku))
    .slice(0, count)
    .map(({ sku }) => sku);
}
