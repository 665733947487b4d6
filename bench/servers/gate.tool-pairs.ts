/**
 * Providers of two tools each.
 */
import { Injectable, type Type } from '@nestjs/common';
import { Annotations, McpTool } from 'nestjs-mcp-gate';
import { describe, READS, type Sum, sumSchema } from '../workload/catalogue.js';

/** A class of its own for every pair. */
export function pairOfTools(one: string, other: string): Type<object> {
  @Injectable()
  class Adders {
    @McpTool({ name: one, description: describe(one), inputSchema: sumSchema() })
    @Annotations(READS)
    one({ a, b }: Sum): string {
      return String(a + b);
    }

    @McpTool({ name: other, description: describe(other), inputSchema: sumSchema() })
    @Annotations(READS)
    other({ a, b }: Sum): string {
      return String(a + b);
    }
  }
  return Adders;
}
