/**
 * The tools that the official clients call, and what the tests can see of them from inside.
 */
import { EventEmitter, once } from 'node:events';
import { Injectable, Module, NotFoundException } from '@nestjs/common';
import { IsArray, IsEnum, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import {
  Annotations,
  Caller,
  type McpCaller,
  McpModule,
  McpProgress,
  McpRequestContext,
  type McpRun,
  McpTool,
  RequireScopes,
  Run,
} from 'nestjs-mcp-gate';
import { Observable } from 'rxjs';

export enum Colour {
  Red = 'red',
  Green = 'green',
}

export class EchoArguments {
  @IsString()
  text!: string;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(5)
  times?: number;

  @IsOptional()
  @IsArray()
  @IsEnum(Colour, { each: true })
  colours?: Colour[];
}

const READS = { readOnlyHint: true, openWorldHint: false };

/** Events: `started` (run), `aborted`, `unsubscribed`; the test emits `release` to let a waiting tool go on. */
@Injectable()
export class Stage extends EventEmitter {}

@Injectable()
export class StageTools {
  constructor(private readonly stage: Stage) {}

  @McpTool({ name: 'echo', description: 'Says a text again.' })
  @Annotations(READS)
  echo({ text, times = 1 }: EchoArguments): string {
    return text.repeat(times);
  }

  @McpTool({ name: 'nothing', description: 'Takes no arguments and gives no value.' })
  @Annotations(READS)
  nothing(): void {}

  @McpTool({
    name: 'measure',
    description: 'Gives structured content.',
    outputSchema: { type: 'object', properties: { size: { type: 'integer' } }, required: ['size'] },
  })
  @Annotations(READS)
  measure({ text }: EchoArguments): { size: number } {
    return { size: text.length };
  }

  @McpTool({ name: 'missing', description: 'Fails as a business does.' })
  @Annotations(READS)
  missing(): never {
    throw new NotFoundException('There is no such thing; try another.');
  }

  @McpTool({ name: 'broken', description: 'Fails as a program does.' })
  @Annotations(READS)
  broken(): never {
    throw new Error('password=hunter2 at /srv/secret.ts');
  }

  @McpTool({ name: 'steps', description: 'Reports each step, and waits to be released before the next.' })
  @Annotations(READS)
  steps(): Observable<McpProgress | string> {
    return new Observable((subscriber) => {
      void (async () => {
        for (const step of [1, 2, 3]) {
          subscriber.next(new McpProgress(step, 3, `step ${step}`));
          await once(this.stage, 'release');
        }
        subscriber.next('all steps done');
        subscriber.complete();
      })();
    });
  }

  @McpTool({ name: 'endless', description: 'Never ends by itself.' })
  @Annotations(READS)
  endless(): Observable<McpProgress> {
    return new Observable<McpProgress>((subscriber) => {
      const run = McpRequestContext.run();
      run?.signal.addEventListener('abort', () => this.stage.emit('aborted'));
      subscriber.next(new McpProgress(1));
      this.stage.emit('started');
      return () => this.stage.emit('unsubscribed');
    });
  }

  @McpTool({ name: 'silent', description: 'Says nothing until it is released.' })
  @Annotations(READS)
  async silent(@Caller() caller: McpCaller, @Run() run: McpRun): Promise<string> {
    run.signal.addEventListener('abort', () => this.stage.emit('aborted'));
    this.stage.emit('started');
    await once(this.stage, 'release', { signal: run.signal });
    return caller.authenticated ? 'known' : 'released';
  }

  @McpTool({ name: 'reserved', description: 'Needs a scope that nobody has here.' })
  @Annotations(READS)
  @RequireScopes('stage:direct')
  reserved(): string {
    return 'never';
  }
}

@Module({ providers: [Stage, StageTools], exports: [Stage] })
export class StageModule {}

/** The application under test; `graceMs` is short so that a silent call opens its stream soon. */
@Module({
  imports: [
    StageModule,
    McpModule.forRoot({
      name: 'stage',
      version: '1.2.3',
      instructions: 'A stage for tests.',
      stream: { graceMs: 20, heartbeatMs: 20 },
    }),
  ],
})
export class StageAppModule {}
