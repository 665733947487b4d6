/**
 * A product as the rest of the shop and its callers see it, and the one place that reads it from a row.
 */
export enum Category {
  Kitchen = 'kitchen',
  Garden = 'garden',
  Office = 'office',
  Outdoor = 'outdoor',
  Lighting = 'lighting',
  Textile = 'textile',
}

export const CATEGORIES: readonly Category[] = Object.values(Category);

/** `A-001`: one capital letter, a dash, three digits. */
export const SKU_PATTERN = /^[A-Z]-\d{3}$/;

export interface Product {
  readonly sku: string;
  readonly name: string;
  readonly category: Category;
  readonly priceCents: number;
  readonly stock: number;
  readonly tags: readonly string[];
}

/** What to select FROM `products p` for {@link readProduct}. */
export const PRODUCT_COLUMNS = `p.sku, p.name, p.category, p.price_cents AS priceCents, p.stock,
  (SELECT json_group_array(t.tag) FROM product_tags t WHERE t.sku = p.sku) AS tags`;

export type ProductRow = Omit<Product, 'tags'> & { readonly tags: string };

export function readProduct(row: ProductRow): Product {
  return { ...row, tags: JSON.parse(row.tags) as string[] };
}
