import { Injectable } from '@nestjs/common';
import { Annotations, McpTool, RequireScopes } from 'nestjs-mcp-gate';
import { InvoiceQuery } from './invoice.query.js';
import { InvoiceService } from './invoice.service.js';

@Injectable()
export class InvoiceTools {
  constructor(private readonly invoices: InvoiceService) {}

  /** Names a customer's address, so it exists only for callers with the scope: on the sample's open gate, for nobody. */
  @McpTool({
    name: 'shop_invoice',
    title: 'Invoice of an order',
    description: 'The invoice of one order: customer, lines, net sum, tax and total in cents.',
  })
  @RequireScopes('shop:billing')
  @Annotations({ readOnlyHint: true, openWorldHint: false })
  read({ order }: InvoiceQuery) {
    return this.invoices.invoice(order);
  }
}
