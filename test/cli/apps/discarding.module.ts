/** An application whose only declaration is not served. */
import { Injectable, Module } from '@nestjs/common';
import { Annotations, McpModule, McpTool } from 'nestjs-mcp-gate';

@Injectable()
export class DiscardedTools {
  @McpTool({ name: 'bad name', description: 'Is not served.' })
  @Annotations({ readOnlyHint: true, openWorldHint: false })
  work() {}
}

@Module({ imports: [McpModule.forRoot({ name: 'discarding' })], providers: [DiscardedTools] })
export default class DiscardingModule {}
