/** Prompts of decorated methods, on Express and Fastify. */
import { Injectable, Module, Scope, UseGuards, UseInterceptors, type CallHandler, type CanActivate, type ExecutionContext, type NestInterceptor } from '@nestjs/common'; // prettier-ignore
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Matches, Max } from 'class-validator';
import { map } from 'rxjs';
import { z } from 'zod';
import type { McpCaller } from '../../src/caller.js';
import { McpModule } from '../../src/mcp.module.js';
import { McpExecutionContext } from '../../src/nest/execution.js';
import { Args, Caller } from '../../src/nest/parameters.decorator.js';
import { McpPrompt } from '../../src/nest/prompt.decorator.js';
import { Annotations, RequireScopes } from '../../src/nest/tool.decorator.js';
import { PLATFORMS, served, type Served } from './serve.js';

class Review {
  @Matches(/^O-\d+$/) order!: string;
  @IsInt() @Max(30) @IsOptional() @Type(() => Number) days?: number;
}
const Style = z.object({ tone: z.enum(['kind', 'strict']) });

const asked: unknown[] = [];
class Watch implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { tool, resource, prompt, args } = McpExecutionContext.of(context)!;
    asked.push([tool, resource, prompt?.name, args]);
    return args === undefined || args['tone'] !== 'strict';
  }
}
class Polite implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(map((value: string) => `Please. ${value}`));
  }
}

@Injectable()
class Prompts {
  @McpPrompt({ name: 'review', title: 'Review', description: 'Reviews an order.' })
  review(@Caller() caller: McpCaller, @Args() review: Review) {
    return `${review.order} ${review.days} ${review instanceof Review} ${caller.authenticated}`;
  }

  @McpPrompt({ name: 'style', inputSchema: Style })
  @UseGuards(Watch)
  @UseInterceptors(Polite)
  style({ tone }: z.infer<typeof Style>) {
    return `Be ${tone}.`;
  }

  @McpPrompt({ name: 'scoped' })
  @RequireScopes('shop:read')
  scoped() {
    return 'secret';
  }

  @McpPrompt({ name: 'untyped' })
  untyped(args: { a: string }) {
    return args.a;
  }

  @McpPrompt({ name: 'annotated' })
  @Annotations({ readOnlyHint: true })
  annotated() {}
}

@Injectable({ scope: Scope.REQUEST })
class Scoped {
  @McpPrompt({ name: 'fresh' })
  fresh() {
    return { role: 'assistant', content: 'fresh' };
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'shop' })], providers: [Prompts, Scoped] })
class PromptModule {}

const get = async (gate: Served, name: string, args: object = {}): Promise<any> => {
  const { body } = await gate.rpc('prompts/get', { name, arguments: args });
  return body.result?.messages[0].content.text ?? body.error.message;
};

describe.each(PLATFORMS)('prompts of decorated methods, on %s', (platform) => {
  it('are listed with their arguments, filled in and checked; a bad one is told', async () => {
    await served({ imports: [PromptModule] }, { platform }, async (gate) => {
      const { prompts } = (await gate.rpc('prompts/list')).body.result;
      expect(prompts).toMatchObject([
        { name: 'review', title: 'Review', arguments: [{ name: 'order', required: true }, { name: 'days' }] },
        { name: 'style', arguments: [{ name: 'tone', required: true }] },
        { name: 'fresh' },
      ]);
      expect(await get(gate, 'review', { order: 'O-1', days: '3' })).toBe('O-1 3 true false');
      expect(await get(gate, 'review', { order: 'x', days: '31', colour: 'red' })).toMatch(/colour/);
      expect(await get(gate, 'review', { order: 'x', days: '31' })).toMatch(/order(.|\n)*days/);
      expect(await get(gate, 'fresh')).toBe('fresh');
      expect(gate.log.of('log')).toContain('shop: 0 tools, 4 prompts at POST /mcp, 2 reserved');
      expect(gate.log.of('warn')).toEqual([
        expect.stringMatching(/Prompts\.untyped \(prompt "untyped"\): .* give @McpPrompt\(\) an inputSchema/),
        expect.stringMatching(/Prompts\.annotated \(prompt "annotated"\): .* are for tools/),
      ]);
    });
  });

  it('A2, T12: pass their guards, which see the arguments, and interceptors', async () => {
    await served({ imports: [PromptModule] }, { platform }, async (gate) => {
      asked.length = 0;
      expect(await get(gate, 'style', { tone: 'kind' })).toBe('Please. Be kind.');
      expect(await get(gate, 'style', { tone: 'strict' })).toBe('Unknown prompt: style');
      expect(await get(gate, 'scoped')).toBe('Unknown prompt: scoped');
      expect(asked[0]).toEqual([undefined, undefined, 'style', { tone: 'kind' }]);
    });
  });
});

it('G9: a gate that lists no class with prompts has none, but for its plain ones', async () => {
  const none = McpModule.forRoot({ name: 'none', path: '/none', tools: [] });
  const plain = McpModule.forRoot({ name: 'plain', path: '/plain', tools: [], prompts: [{ name: 'p', handler: () => 'x' }] }); // prettier-ignore
  await served({ imports: [none, plain, PromptModule] }, {}, async (gate) => {
    expect((await gate.rpc('prompts/list', {}, { path: '/none' })).status).toBe(404);
    expect((await gate.rpc('prompts/list', {}, { path: '/plain' })).body.result.prompts).toEqual([{ name: 'p' }]);
  });
});
