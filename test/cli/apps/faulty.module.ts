/** An application whose declarations leave something to be mended. The other gate is shut, so there is but one to ask. */
import { Injectable, Module } from '@nestjs/common';
import { Annotations, McpModule, McpTool, type McpToolProvider } from 'nestjs-mcp-gate';

@Injectable()
export class FaultyTools implements McpToolProvider {
  @McpTool({ name: 'silent', description: 'Says nothing of itself.' })
  silent() {}

  @McpTool({
    name: 'pairs',
    description: 'Takes what few clients can send.',
    inputSchema: { type: 'object', properties: { pairs: { type: 'array', prefixItems: [{ type: 'string' }] } } },
  })
  @Annotations({ readOnlyHint: true, openWorldHint: false })
  pairs() {}

  @McpTool({ name: 'bad name', description: 'Is not served.' })
  @Annotations({ readOnlyHint: true, openWorldHint: false })
  badName() {}

  getMcpTools() {
    return [{ name: 'fresh', description: '', inputSchema: { type: 'object' }, handler: () => 'fresh' }];
  }
}

@Module({
  imports: [McpModule.forRoot({ name: 'faulty' }), McpModule.forRoot({ name: 'shut', path: '/shut', enabled: false })],
  providers: [FaultyTools],
})
export default class FaultyModule {}
