/** An application that does not start. */
import { Module } from '@nestjs/common';
import { McpModule, McpStdio } from 'nestjs-mcp-gate';

@Module({ imports: [McpModule.forRoot({ name: 'broken' })] })
class BrokenModule {
  onModuleInit(): void {
    console.log('NOISE before the fall');
    throw new Error('no database');
  }
}

await McpStdio.run(BrokenModule, { logger: false });
