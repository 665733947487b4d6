/** What an application may have under way when it is closed. */
import { Injectable, Module } from '@nestjs/common';
import { elicitForm, McpModule, McpTool, Run, type McpRun } from 'nestjs-mcp-gate';

@Injectable()
class Endless {
  @McpTool({ name: 'endless', description: 'Never ends.' })
  endless(@Run() run: McpRun): Promise<never> {
    run.log('info', 'begun');
    return new Promise(() => undefined);
  }

  @McpTool({ name: 'asking', description: 'Asks its user.' })
  async asking(@Run() run: McpRun): Promise<string> {
    return (await run.ask('more', elicitForm({ message: 'More?', schema: { type: 'object' } }))).action;
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'shop' })], providers: [Endless] })
export class EndlessModule {}
