/** An application whose shutdown hook never ends, and says when it has begun. */
import { EventEmitter, once } from 'node:events';
import { Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Annotations, McpModule, McpTool } from 'nestjs-mcp-gate';

const closing = new EventEmitter();
/** Resolves once an application of this module hangs, from now on. */
export const hangs = () => once(closing, 'hook');

@Injectable()
export class HangingTools implements OnApplicationShutdown {
  @McpTool({ name: 'quick', description: 'Is done at once.' })
  @Annotations({ readOnlyHint: true, openWorldHint: false })
  quick() {
    return 'done';
  }

  onApplicationShutdown(): Promise<void> {
    closing.emit('hook');
    return new Promise(() => undefined);
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'hanging' })], providers: [HangingTools] })
export default class HangingModule {}
