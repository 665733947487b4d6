/** How many there are of a product. */
import { Injectable, NotFoundException } from '@nestjs/common';
import { ShopDatabase } from '../database/shop.database.js';
import { nearSkus } from './near-skus.js';
import { PRODUCT_COLUMNS, readProduct, type Product, type ProductRow } from './product.js';

@Injectable()
export class StockService {
  constructor(private readonly database: ShopDatabase) {}

  /** @throws NotFoundException naming the SKU and the ones that resemble it. */
  find(sku: string): Product {
    const row = this.database.row<ProductRow>(`SELECT ${PRODUCT_COLUMNS} FROM products p WHERE p.sku = ?`, sku);
    if (!row) throw new NotFoundException(this.unknown(sku));
    return readProduct(row);
  }

  /** Every product, by its SKU. */
  all(): Product[] {
    return this.database.rows<ProductRow>(`SELECT ${PRODUCT_COLUMNS} FROM products p ORDER BY p.sku`).map(readProduct);
  }

  /** How many products there are, whatever their stock. */
  count(): number {
    return this.database.row<{ count: number }>('SELECT count(*) AS count FROM products')!.count;
  }

  /** The sentence for a SKU that does not exist. */
  unknown(sku: string): string {
    const existing = this.database.rows<{ sku: string }>('SELECT sku FROM products').map((product) => product.sku);
    return `There is no product ${sku}. Did you mean ${nearSkus(sku, existing).join(', ')}? Find others by their name.`;
  }
}
