/** An application that prints wherever it can, for a process of its own. */
import { Injectable, Logger, Module, type OnModuleDestroy } from '@nestjs/common';
import { Annotations, McpModule, McpTool, Run, type McpRun } from 'nestjs-mcp-gate';

console.log('printed while it is imported');

@Injectable()
export class NoisyTools implements OnModuleDestroy {
  constructor() {
    process.stdout.write(Buffer.from('printed while it starts\n'));
    new Logger('Noisy').warn('logged while it starts');
  }

  onModuleDestroy(): void {
    console.log('printed while it ends');
  }

  @McpTool({ name: 'quick', description: 'Prints.' })
  @Annotations({ readOnlyHint: true, openWorldHint: false })
  quick() {
    console.log('printed while it works');
    return 'the result';
  }

  @McpTool({ name: 'slow', description: 'Waits until it is stopped.' })
  @Annotations({ readOnlyHint: true, openWorldHint: false })
  slow(@Run() { signal }: McpRun) {
    console.log('printed: the work has begun');
    const held = setInterval(() => undefined, 1_000_000);
    return new Promise((_, reject) =>
      signal.addEventListener('abort', () => {
        clearInterval(held);
        console.log(`printed: ${(signal.reason as Error).message}`);
        reject(signal.reason as Error);
      }),
    );
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'noisy' })], providers: [NoisyTools] })
export default class NoisyModule {}
