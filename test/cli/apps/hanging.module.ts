/** An application whose shutdown hook never ends, and says when it has begun. */
import { Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Annotations, McpModule, McpTool } from 'nestjs-mcp-gate';

let begin: () => void = () => undefined;
export const begun = new Promise<void>((resolve) => (begin = resolve));

@Injectable()
export class HangingTools implements OnApplicationShutdown {
  @McpTool({ name: 'quick', description: 'Is done at once.' })
  @Annotations({ readOnlyHint: true, openWorldHint: false })
  quick() {
    return 'done';
  }

  onApplicationShutdown(): Promise<void> {
    begin();
    return new Promise(() => undefined);
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'hanging' })], providers: [HangingTools] })
export default class HangingModule {}
