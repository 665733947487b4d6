import { Injectable } from '@nestjs/common';
import { Annotations, McpTool, RequireScopes } from 'nestjs-mcp-gate';
import { InvoiceQuery } from './invoice.query.js';
import { RefundService } from './refund.service.js';

@Injectable()
export class RefundTools {
  constructor(private readonly refunds: RefundService) {}

  @McpTool({
    name: 'shop_refund',
    title: 'Refund an order',
    description:
      'Pays back the whole of one order, tax included. The money is gone then: ask before you do it. An order that was ' +
      'refunded before is refused.',
  })
  @RequireScopes('shop:billing')
  @Annotations({ readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false })
  refund({ order }: InvoiceQuery) {
    return this.refunds.refund(order);
  }
}
