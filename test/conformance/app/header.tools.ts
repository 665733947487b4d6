/** A tool one of whose arguments its client mirrors in a header, so that a proxy can route by it. */
import { Injectable } from '@nestjs/common';
import { IsOptional, IsString } from 'class-validator';
import { Annotations, McpHeader, McpTool } from 'nestjs-mcp-gate';
import { READS } from './reads.js';

class Place {
  @McpHeader('Region')
  @IsString()
  @IsOptional()
  region?: string;
}

@Injectable()
export class HeaderTools {
  @McpTool({ name: 'test_x_mcp_header', description: 'Says which region it was called for.' })
  @Annotations(READS)
  region({ region = 'nowhere' }: Place) {
    return `The region is ${region}.`;
  }
}
