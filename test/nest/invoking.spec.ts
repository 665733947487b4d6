import {
  Body,
  Catch,
  Controller,
  createParamDecorator,
  Headers,
  HttpException,
  Injectable,
  Ip,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
  Query,
  Req,
  UseFilters,
  UseInterceptors,
  UsePipes,
  type ArgumentsHost,
  type CallHandler,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
  type PipeTransform,
} from '@nestjs/common';
import {
  Args,
  Caller,
  McpExecutionContext,
  McpModule,
  McpProgress,
  McpRequestContext,
  McpTool,
  McpToolFailure,
  Run,
  type McpCaller,
  type McpRun,
} from 'nestjs-mcp-gate';
import { catchError, concat, delay, EMPTY, map, Observable, of, tap, timeout } from 'rxjs';
import { PLATFORMS, served, type Served } from './serve.js';

const imports = [McpModule.forRoot({ name: 'shop', unprotectedRoles: ['clerk'] })];
const FREE = { type: 'object', additionalProperties: true };
const tool = (name: string) => McpTool({ name, description: `The tool ${name}.`, inputSchema: FREE });

/** Wraps what it sees, so that order and content show in the result. */
@Injectable()
class Wrap implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler) {
    const { tool: called } = McpExecutionContext.of(context)!;
    return next.handle().pipe(map((value: unknown) => ({ [`${called!.name} gave`]: value ?? 'nothing' })));
  }
}

const withProgress = { headers: { accept: 'application/json, text/event-stream' } };
const progressOf = async (gate: Served, name: string) => {
  const params = { name, arguments: {}, _meta: { progressToken: 'p' } };
  const { events } = await gate.rpc('tools/call', params, withProgress);
  return events.map(({ method, params: at, result }) => (method ? `${at.progress}` : result.content[0].text));
};

describe.each(PLATFORMS)('calling a method on %s', (platform) => {
  test('without decorators it is called with arguments, caller and run', async () => {
    class Positional {
      @tool('positional')
      run(args: unknown, caller: McpCaller, run: McpRun) {
        return { args, roles: caller.roles, signal: run.signal.aborted, rest: arguments.length };
      }
    }
    await served({ imports, providers: [Positional] }, { platform }, async (gate) => {
      expect(JSON.parse(await gate.text('positional', { a: 1 }))).toEqual({
        args: { a: 1 },
        roles: ['clerk'],
        signal: false,
        rest: 3,
      });
    });
  });

  test('parameters are what their decorators say, in any order, after their pipes', async () => {
    @Injectable()
    class Voice {
      raise(text: string) {
        return text.toUpperCase();
      }
    }
    @Injectable()
    class Shout implements PipeTransform {
      constructor(private readonly voice: Voice) {}

      transform(args: Record<string, string>) {
        return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, this.voice.raise(value)]));
      }
    }
    const Tenant = createParamDecorator((_: unknown, context: ExecutionContext) => {
      const { caller } = McpExecutionContext.of(context)!;
      const tenant = context.switchToHttp().getRequest<{ headers: Record<string, string> }>().headers['x-tenant'];
      return `${context.getType()} ${tenant} ${caller.roles.join()}`;
    });
    class Decorated {
      @tool('decorated')
      run(
        @Run() run: McpRun,
        @Tenant() tenant: string,
        @Args(Shout) args: unknown,
        @Caller() caller: McpCaller,
        @Headers('x-tenant') header: string,
        @Req() request: { headers: object },
        @Ip() ip: string,
      ) {
        return [typeof run.progress, tenant, args, caller.authenticated, header, 'x-tenant' in request.headers, ip];
      }
    }
    await served({ imports, providers: [Decorated, Voice] }, { platform }, async (gate) => {
      const text = await gate.text('decorated', { greeting: 'hello' }, { headers: { 'x-tenant': 'acme' } });
      const expected = ['function', 'mcp acme clerk', { greeting: 'HELLO' }, false, 'acme', true, '127.0.0.1'];
      expect(JSON.parse(text)).toEqual(expected);
    });
  });

  test('a route that is a tool too reads from the arguments what it reads from body, query and path', async () => {
    const inputSchema = {
      type: 'object',
      properties: { shelf: { type: 'string' }, sku: { type: 'string' }, count: { type: 'integer' } },
      additionalProperties: false,
    };
    @Controller('shelves')
    class ShelfController {
      @Post(':shelf/items')
      @McpTool({ name: 'put', description: 'Puts an item on a shelf.', inputSchema })
      put(@Param('shelf') shelf: string, @Body() item: { sku: string }, @Query('count', ParseIntPipe) count: number) {
        return [shelf, item.sku, count];
      }
    }
    await served({ imports, controllers: [ShelfController] }, { platform }, async (gate) => {
      expect(await gate.text('put', { shelf: 'top', sku: 'A1', count: 2 })).toBe('["top","A1",2]');
      const body = JSON.stringify({ sku: 'B2' });
      const route = await gate.send({ path: '/shelves/low/items?count=3', body });
      expect(route.body).toEqual(['low', 'B2', 3]);
    });
  });
});

describe('calling a method', () => {
  test('a parameter without decorator among decorated ones is the arguments when it is the first, else a fault', async () => {
    class Mixed {
      @tool('leading')
      leading(args: unknown, @Caller() caller: McpCaller) {
        return [args, caller.roles];
      }

      @tool('lost')
      lost(@Caller() caller: McpCaller, args: unknown) {
        return [args, caller];
      }

      @tool('twice')
      twice(@Args() one: unknown, @Body() two: unknown) {
        return [one, two];
      }

      @McpTool({ name: 'single', description: 'Takes one argument alone.' })
      single(@Query('sku') sku: string) {
        return sku;
      }
    }
    await served({ imports, providers: [Mixed] }, {}, async (gate) => {
      expect(await gate.list()).toEqual(['leading']);
      expect(await gate.text('leading', { a: 1 })).toBe('[{"a":1},["clerk"]]');
      expect(gate.log.of('warn').slice(0, 3)).toEqual([
        expect.stringMatching(/^Not served: Mixed\.lost .*parameter 2 has no decorator/),
        expect.stringMatching(/^Not served: Mixed\.twice .*more than one of its parameters/),
        expect.stringMatching(/^Not served: Mixed\.single .*"sku" alone.*inputSchema/),
      ]);
    });
  });

  test('pipes of method and class see the arguments, not the caller and the run', async () => {
    const seen: unknown[] = [];
    const look: PipeTransform = {
      transform(value: unknown, { type }) {
        seen.push([type, value]);
        return value;
      },
    };
    @UsePipes(look)
    class Piped {
      @tool('piped')
      run(args: unknown, caller: McpCaller, run: McpRun) {
        return [args, caller.roles, typeof run.progress];
      }
    }
    await served({ imports, providers: [Piped] }, {}, async (gate) => {
      expect(await gate.text('piped', { a: 1 })).toBe('[{"a":1},["clerk"],"function"]');
      expect(seen).toEqual([['body', { a: 1 }]]);
    });
  });

  test('interceptors see the result, not the progress (R3)', async () => {
    const seen: unknown[] = [];
    const look: NestInterceptor = { intercept: (_, next) => next.handle().pipe(tap((value) => seen.push(value))) };
    class Streams {
      @tool('observable')
      @UseInterceptors(look, Wrap)
      observable() {
        return of(new McpProgress(1), 'early', new McpProgress(2), 'last');
      }

      @tool('promised')
      @UseInterceptors(Wrap)
      async promised() {
        return concat(of(new McpProgress(5)), of('late').pipe(delay(5)));
      }

      @tool('iterable')
      @UseInterceptors(Wrap)
      async *iterable() {
        yield new McpProgress(7);
        yield 'yielded';
      }

      @tool('empty')
      @UseInterceptors(Wrap)
      empty() {
        return EMPTY;
      }

      @tool('bare')
      bare() {
        return of(new McpProgress(9), 'bare');
      }
    }
    await served({ imports, providers: [Streams] }, {}, async (gate) => {
      expect(await progressOf(gate, 'observable')).toEqual(['1', '2', '{"observable gave":"last"}']);
      expect(seen).toEqual([{ 'observable gave': 'last' }]);
      expect(await progressOf(gate, 'promised')).toEqual(['5', '{"promised gave":"late"}']);
      expect(await progressOf(gate, 'iterable')).toEqual(['7', '{"iterable gave":"yielded"}']);
      expect(await gate.text('empty')).toBe('{"empty gave":"nothing"}');
      expect(await progressOf(gate, 'bare')).toEqual(['9', 'bare']);
    });
  });

  test('a client that leaves unsubscribes the stream, below interceptors too (R1, R3)', async () => {
    let started: () => void = () => undefined;
    let ended: () => void = () => undefined;
    let filtered = 0;
    class Endless {
      @tool('endless')
      @UseInterceptors(Wrap)
      endless() {
        return this.stream();
      }

      @tool('bare')
      bare() {
        return this.stream();
      }

      @tool('filtered')
      @UseInterceptors(Wrap)
      @UseFilters({ catch: () => void filtered++ })
      filtered() {
        return this.stream();
      }

      private stream() {
        return new Observable(() => {
          started();
          return () => ended();
        });
      }
    }
    await served({ imports, providers: [Endless] }, {}, async (gate) => {
      for (const name of ['endless', 'bare', 'filtered']) {
        const subscribed = new Promise<void>((done) => (started = done));
        const unsubscribed = new Promise<void>((done) => (ended = done));
        const client = new AbortController();
        const call = gate.call(name, {}, { signal: client.signal }).catch((error: Error) => error.name);
        await subscribed;
        client.abort();
        await unsubscribed;
        expect(await call).toBe('AbortError');
      }
      expect(filtered).toBe(0);
      expect(gate.log.of('error')).toEqual([]);
      expect(gate.log.of('error', 'ExceptionsHandler')).toEqual([]);
    });
  });

  test('an interceptor that lets go of a stream ends it', async () => {
    let ended = 0;
    const limit: NestInterceptor = {
      intercept: (_, next) =>
        next.handle().pipe(
          timeout(20),
          catchError(() => of('too slow')),
        ),
    };
    class Slow {
      @tool('slow')
      @UseInterceptors(limit)
      slow() {
        return new Observable(() => () => void ended++);
      }
    }
    await served({ imports, providers: [Slow] }, {}, async (gate) => {
      expect(await gate.text('slow')).toBe('too slow');
      expect(ended).toBe(1);
    });
  });

  test('caller and signal are readable below interceptors, after an await and in a stream (R5)', async () => {
    const read = () => McpRequestContext.caller()?.roles.join() ?? 'nobody';
    class Below {
      @tool('below')
      @UseInterceptors(Wrap)
      async below() {
        await new Promise((done) => setTimeout(done, 2));
        return read();
      }

      @tool('stream')
      @UseInterceptors(Wrap)
      stream() {
        return of(0).pipe(delay(2), map(read));
      }
    }
    await served({ imports, providers: [Below] }, {}, async (gate) => {
      expect(await gate.text('below')).toBe('{"below gave":"clerk"}');
      expect(await gate.text('stream')).toBe('{"stream gave":"clerk"}');
      expect(read()).toBe('nobody');
    });
  });

  test("the app's global interceptors, pipes and filters do not run around a tool", async () => {
    const ran: string[] = [];
    class Quiet {
      @tool('quiet')
      run(args: unknown) {
        return args;
      }

      @tool('broken')
      broken() {
        throw new Error('broken');
      }
    }
    const configure = (app: Served['app']) => {
      app.useGlobalInterceptors({
        intercept: (context, next) => (ran.push(`interceptor ${context.getType()}`), next.handle()),
      });
      app.useGlobalPipes({ transform: (value: unknown) => (ran.push('pipe'), value) });
      app.useGlobalFilters({ catch: () => ran.push('filter') });
    };
    await served({ imports, providers: [Quiet] }, { configure }, async (gate) => {
      expect(await gate.text('quiet', { a: 1 })).toBe('{"a":1}');
      expect((await gate.call('broken')).error.code).toBe(-32603);
      expect(ran).toEqual(['interceptor http', 'interceptor http']);
    });
  });
});

describe('exceptions of a method', () => {
  class Missing extends Error {}

  @Catch(Missing)
  class ToNotFound implements ExceptionFilter {
    catch(_: Missing, host: ArgumentsHost) {
      throw new NotFoundException(`no such thing for ${McpExecutionContext.of(host)!.tool!.name}`);
    }
  }

  @Catch(Missing)
  class ToValue implements ExceptionFilter {
    catch() {
      return { found: false };
    }
  }

  class Throwing {
    @tool('plain')
    plain() {
      throw new Error('secret of the server');
    }

    @tool('wrapped')
    @UseInterceptors(Wrap)
    wrapped() {
      throw new Error('secret of the server');
    }

    @tool('business')
    @UseInterceptors(Wrap)
    business() {
      throw new HttpException('the shop is closed', 409);
    }

    @tool('failure')
    failure() {
      throw new McpToolFailure('out of stock');
    }

    @tool('mapped')
    @UseFilters(ToNotFound)
    mapped() {
      return new Observable((subscriber) => subscriber.error(new Missing()));
    }

    @tool('answered')
    @UseFilters(ToValue)
    async answered() {
      throw new Missing();
    }

    @tool('silent')
    @UseFilters({ catch: () => undefined })
    silent() {
      throw new Error('nobody answered');
    }
  }

  test('4xx exceptions and failures are for the agent, all others for the log, once (T8, P15)', async () => {
    await served({ imports, providers: [Throwing] }, {}, async (gate) => {
      for (const name of ['plain', 'wrapped']) {
        const { error } = await gate.call(name);
        expect(error.code).toBe(-32603);
        expect(error.message).not.toMatch(/secret/);
      }
      expect(gate.log.of('error')).toHaveLength(2);
      expect(gate.log.of('error').join()).toMatch(/secret of the server/);
      expect(gate.log.of('error', 'ExceptionsHandler')).toEqual([]);
      expect(await gate.call('business')).toEqual({
        isError: true,
        content: [{ type: 'text', text: 'the shop is closed' }],
      });
      expect(await gate.call('failure')).toEqual({ isError: true, content: [{ type: 'text', text: 'out of stock' }] });
    });
  });

  test("a filter's exception or value takes the place of the method's; silence leaves it", async () => {
    await served({ imports, providers: [Throwing] }, {}, async (gate) => {
      expect((await gate.call('mapped')).content[0].text).toBe('no such thing for mapped');
      expect(await gate.text('answered')).toBe('{"found":false}');
      expect((await gate.call('silent')).error.code).toBe(-32603);
      expect(gate.log.of('error').join()).toMatch(/nobody answered/);
    });
  });
});
