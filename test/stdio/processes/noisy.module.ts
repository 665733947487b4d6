/**
 * Tools that print in every way there is, and that end badly in every way there is. The module prints already when it is
 * imported.
 */
import { Console } from 'node:console';
import { stdout } from 'node:process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Controller, Injectable, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Annotations, Args, McpModule, McpTool, Run, type McpRun } from 'nestjs-mcp-gate';

console.log('NOISE while the module is imported');
const kept = (globalThis as { keptStdout?: NodeJS.WriteStream }).keptStdout ?? process.stdout;
const READS = { readOnlyHint: true, openWorldHint: false };

@Controller()
export class NoisyTools {
  private readonly log = new Logger('NOISE');

  @McpTool({ name: 'noise', description: 'Prints.' })
  @Annotations(READS)
  async noise(): Promise<string> {
    console.log('NOISE log');
    console.info('NOISE info %d', 5);
    console.debug('NOISE debug');
    console.warn('NOISE warn');
    console.error('NOISE error');
    console.table([{ NOISE: 'table' }]);
    console.dir({ NOISE: 'dir' });
    this.log.log('logged');
    this.log.warn('warned');
    this.log.error('failed');
    process.stdout.write('NOISE by hand\n');
    process.stdout.write(Buffer.from('NOISE by bytes\n'), () => undefined);
    stdout.write('NOISE by a name that was imported\n');
    console.log(`NOISE to the descriptors ${process.stdout.fd} and ${stdout.fd}`); // that loggers write to on their own
    kept.write('NOISE by a stream that was kept\n');
    kept.end();
    new Console(kept, process.stderr).log('NOISE by a console of its own');
    await new Promise<void>((resolve) => process.stdout.write('NOISE with a callback\n', () => resolve()));
    return 'I was quiet.\nReally.';
  }
}

@Injectable()
export class FatalTools {
  @McpTool({ name: 'crash', description: 'Throws where nobody catches.' })
  @Annotations(READS)
  async crash(): Promise<void> {
    setImmediate(() => {
      throw new Error('thrown in the air');
    });
    await once(process, 'exit');
  }

  @McpTool({ name: 'reject', description: 'Leaves a promise behind.' })
  @Annotations(READS)
  async reject(): Promise<void> {
    void Promise.reject(new Error('rejected in the air'));
    await once(process, 'exit');
  }
}

/** What a test knows of the inside it reads on standard error. */
@Injectable()
export class PatientTools implements OnApplicationShutdown {
  private calls = 0;

  @McpTool({ name: 'wait', description: 'Waits for ever.' })
  @Annotations(READS)
  async wait(@Run() run: McpRun): Promise<void> {
    run.signal.addEventListener('abort', () => console.log(`ABORTED ${(run.signal.reason as Error).message}`));
    console.log('WAITING');
    await once(run.signal, 'abort');
  }

  @McpTool({ name: 'resources', description: 'What keeps this process alive, and the most memory it ever had, in kB.' })
  @Annotations(READS)
  resources(): object {
    return { active: process.getActiveResourcesInfo(), peak: process.resourceUsage().maxRSS };
  }

  @McpTool({
    name: 'fill',
    description: 'Gives a long text.',
    inputSchema: { type: 'object', properties: { size: { type: 'integer' }, later: { type: 'boolean' } } },
  })
  @Annotations(READS)
  async fill(@Args() { size = 0, later }: { size?: number; later?: boolean }): Promise<string> {
    this.calls += 1;
    if (later === true) await pause(1);
    return 'é'.repeat(size / 2);
  }

  @McpTool({ name: 'watch', description: 'Says on standard error when calls stop coming.' })
  @Annotations(READS)
  watch(): void {
    let before = 0;
    const watching = setInterval(() => {
      if (this.calls > 0 && this.calls === before) {
        clearInterval(watching);
        console.log(`STALLED after ${this.calls} calls`);
      }
      before = this.calls;
    }, 100);
  }

  onApplicationShutdown(signal?: string): void {
    console.log(`SHUT DOWN by ${signal}`);
  }
}

@Module({
  imports: [McpModule.forRoot({ name: 'noisy' })],
  controllers: [NoisyTools],
  providers: [FatalTools, PatientTools],
})
export class AppModule {}
