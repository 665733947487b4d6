import { Injectable } from '@nestjs/common';
import { McpComplete, mcpUri, McpResource, McpResourceTemplate } from 'nestjs-mcp-gate';
import { StockQuery } from './stock.query.js';
import { StockService } from './stock.service.js';

/** Where a product is read. */
export const PRODUCT_URI = 'shop://products/{sku}';

@Injectable()
export class CatalogueResources {
  constructor(private readonly stock: StockService) {}

  @McpResource({
    uri: 'shop://catalogue',
    name: 'catalogue',
    title: 'The whole catalogue',
    description: 'Every product with its SKU, category and price, as a Markdown table: to browse without searching.',
    mimeType: 'text/markdown',
    annotations: { audience: ['user', 'assistant'], priority: 0.6 },
  })
  catalogue(): string {
    const rows = this.stock.all().map(({ sku, name, category, priceCents }) => {
      const price = (priceCents / 100).toFixed(2);
      return `| [${sku}](${mcpUri(PRODUCT_URI, { sku })}) | ${name} | ${category} | ${price} |`;
    });
    return ['| SKU | Product | Category | Price |', '| --- | --- | --- | ---: |', ...rows].join('\n');
  }

  @McpResourceTemplate({
    uriTemplate: PRODUCT_URI,
    name: 'product',
    title: 'One product',
    description: 'A product with its price in cents, its tags and its stock at this moment.',
    mimeType: 'application/json',
  })
  product({ sku }: StockQuery) {
    return this.stock.find(sku);
  }

  /** People type a name as often as a SKU. */
  @McpComplete({ template: PRODUCT_URI, variable: 'sku' })
  skus(typed: string): string[] {
    const text = typed.toLowerCase();
    return this.stock
      .all()
      .filter(({ sku, name }) => sku.toLowerCase().startsWith(text) || name.toLowerCase().includes(text))
      .map(({ sku }) => sku);
  }
}
