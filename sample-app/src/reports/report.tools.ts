import { Injectable } from '@nestjs/common';
import { Annotations, McpTool, RequireScopes, ScopesFor } from 'nestjs-mcp-gate';
import { ReportRequest } from './report.request.js';
import { ReportService } from './report.service.js';

@Injectable()
export class ReportTools {
  constructor(private readonly reports: ReportService) {}

  /** Everybody who may read may look at a month; to publish it asks for more, and only then. */
  @McpTool({
    name: 'shop_report',
    title: 'Sales of a month',
    description:
      'How many orders a month had and what was sold in each category, in cents. With "publish" the report is published ' +
      'too, which needs more authorization than reading it.',
  })
  @RequireScopes('shop:read')
  @ScopesFor<ReportRequest>(({ publish }) => (publish === true ? ['shop:write'] : []))
  @Annotations({ readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false })
  report({ month, publish }: ReportRequest) {
    return publish === true ? this.reports.publish(month) : this.reports.of(month);
  }
}
