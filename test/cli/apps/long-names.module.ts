/** An application whose gate and tool have names that are too long together. */
import { Injectable, Module } from '@nestjs/common';
import { Annotations, McpModule, McpTool } from 'nestjs-mcp-gate';

@Injectable()
export class LongTools {
  @McpTool({ name: 'a_tool_with_a_name_of_its_own__', description: 'Has a long name.' })
  @Annotations({ readOnlyHint: true, openWorldHint: false })
  work() {}
}

@Module({ imports: [McpModule.forRoot({ name: 'a-gate-with-a-name-of-its-own' })], providers: [LongTools] })
export default class LongNamesModule {}
