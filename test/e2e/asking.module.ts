/** Tools, a prompt and a resource that ask their client, with everything of Nest around them. */
import {
  Catch,
  type ExceptionFilter,
  Injectable,
  Module,
  type NestInterceptor,
  UseFilters,
  UseInterceptors,
} from '@nestjs/common';
import { IsEmail, IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import {
  Annotations,
  Confirm,
  elicitForm,
  elicitUrl,
  listRoots,
  McpModule,
  McpPrompt,
  McpRequestContext,
  McpResource,
  type McpRun,
  McpTool,
  Run,
  sample,
} from 'nestjs-mcp-gate';
import { catchError, defer, from, type Observable, throwError } from 'rxjs';
import { z } from 'zod';

export class Visitor {
  @IsString()
  name!: string;

  @IsEmail()
  @IsOptional()
  email?: string;

  @IsInt()
  @Min(0)
  @Max(150)
  age: number = 30;

  @IsIn(['red', 'green'])
  @IsOptional()
  colour?: string;
}

/** Counts how often things ran, and what a filter saw. */
@Injectable()
export class AskingBook {
  readonly seen: string[] = [];
}

@Catch()
@Injectable()
class CatchEverything implements ExceptionFilter {
  constructor(private readonly book: AskingBook) {}

  catch(error: unknown): string {
    this.book.seen.push(`caught ${(error as Error).name}`);
    return 'caught';
  }
}

@Injectable()
class Rethrows implements NestInterceptor {
  intercept(_: unknown, next: { handle(): Observable<unknown> }): Observable<unknown> {
    return next.handle().pipe(catchError((error: unknown) => throwError(() => error)));
  }
}

/** A service that knows nothing of tools but that there may be a run. */
@Injectable()
export class Greetings {
  async nameOf(): Promise<string> {
    const run = McpRequestContext.run();
    const answer = await run?.ask('name', elicitForm({ message: 'Who are you?', schema: Visitor }));
    if (answer?.action !== 'accept') return `nobody (${answer?.action})`;
    return `${answer.content.constructor.name} ${answer.content.name}, ${answer.content.age}`;
  }
}

const WRITES = { readOnlyHint: false, destructiveHint: true, openWorldHint: false };
const READS = { readOnlyHint: true, openWorldHint: false };

@Injectable()
@UseInterceptors(Rethrows)
@UseFilters(CatchEverything)
export class AskingTools {
  constructor(
    private readonly greetings: Greetings,
    private readonly book: AskingBook,
  ) {}

  @McpTool({ name: 'greet', description: 'Asks for a name and greets.' })
  @Annotations(READS)
  async greet(): Promise<string> {
    return `Hello ${await this.greetings.nameOf()}`;
  }

  @McpTool({ name: 'everything', description: 'Asks the user, the model and the client.' })
  @Annotations(READS)
  async everything(@Run() run: McpRun): Promise<object> {
    const asked = {
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'Hi' } }],
      maxTokens: 9,
    };
    const schema = z.object({ size: z.number().min(1) });
    const [form, said, folders] = await Promise.all([
      run.ask('size', elicitForm({ message: 'Which size?', schema })),
      run.ask('model', sample(asked)),
      run.ask('folders', listRoots()),
    ]);
    return { form, said: said.content, folders: folders.roots.map(({ uri }) => uri) };
  }

  @McpTool({ name: 'stream', description: 'A stream that asks.' })
  @Annotations(READS)
  stream(@Run() run: McpRun): Observable<string> {
    return defer(() =>
      from(run.ask('page', elicitUrl({ message: 'Sign there.', url: 'https://sign.example/1' }))),
    ).pipe(catchError((error: unknown) => throwError(() => error))) as unknown as Observable<string>;
  }

  @McpTool({ name: 'order', description: 'Remembers what it computed.' })
  @Annotations(READS)
  async order(@Run() run: McpRun): Promise<string> {
    const id = await run.remember('id', () => this.book.seen.push('computed'));
    const answer = await run.ask('again', elicitForm({ message: 'Go on?', schema: { type: 'object' } }));
    return `${answer.action} ${id}`;
  }

  @McpTool({ name: 'purge', description: 'Deletes everything.' })
  @Annotations(WRITES)
  @Confirm('Delete everything?')
  purge(): string {
    this.book.seen.push('purged');
    return 'gone';
  }

  @McpTool({ name: 'forgetful', description: 'Asks, and waits for nothing.' })
  @Annotations(READS)
  forgetful(@Run() run: McpRun): string {
    void run.ask('nobody', elicitForm({ message: 'Hello?', schema: { type: 'object' } }));
    return 'done';
  }

  @McpTool({ name: 'fails', description: 'Fails, which is for the filter.' })
  @Annotations(READS)
  fails(): never {
    throw new Error('no');
  }

  @McpPrompt({ name: 'letter', description: 'A letter to somebody.' })
  async letter(@Run() run: McpRun): Promise<string> {
    const answer = await run.ask('to', elicitForm({ message: 'To whom?', schema: z.object({ to: z.string() }) }));
    return answer.action === 'accept' ? `Write to ${answer.content.to}.` : 'Write to nobody.';
  }

  @McpResource({ uri: 'ask://folders', name: 'folders' })
  async folders(@Run() run: McpRun): Promise<object> {
    return run.ask('folders', listRoots());
  }
}

@Module({
  imports: [McpModule.forRoot({ name: 'asking' })],
  providers: [AskingTools, AskingBook, Greetings, CatchEverything, Rethrows],
})
export class AskingModule {}
