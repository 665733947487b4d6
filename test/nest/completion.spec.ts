/** Completions of decorated methods, on Express and Fastify. */
import { Injectable, Module, Scope, UseGuards, UseInterceptors, type CallHandler, type CanActivate, type ExecutionContext, type NestInterceptor } from '@nestjs/common'; // prettier-ignore
import { map } from 'rxjs';
import type { McpCaller } from '../../src/caller.js';
import type { McpCompletionContext } from '../../src/completions/completion.js';
import { McpModule } from '../../src/mcp.module.js';
import { McpComplete } from '../../src/nest/complete.decorator.js';
import { McpExecutionContext } from '../../src/nest/execution.js';
import { Args, Caller } from '../../src/nest/parameters.decorator.js';
import { McpPrompt } from '../../src/nest/prompt.decorator.js';
import { McpResourceTemplate } from '../../src/nest/resource.decorator.js';
import { RequireScopes } from '../../src/nest/tool.decorator.js';
import { mcpTestClient } from '../../src/testing/client.js';
import { PLATFORMS, served, type Served } from './serve.js';

const TEXTS = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' }, c: { type: 'string' }, d: { type: 'string' } } }; // prettier-ignore
const asked: unknown[] = [];
class Watch implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    asked.push(McpExecutionContext.of(context)!.completion);
    return false;
  }
}
class Shout implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(map((values: string[]) => values.map((value) => value.toUpperCase())));
  }
}

@Injectable()
class Reviews {
  @McpPrompt({ name: 'review', inputSchema: TEXTS })
  review() {
    return 'x';
  }

  @McpComplete({ prompt: 'review', argument: 'a' })
  plain(value: string, { arguments: others }: McpCompletionContext, caller: McpCaller) {
    return [`${value} ${others['b']} ${caller.authenticated}`];
  }

  @McpComplete({ prompt: 'review', argument: 'b' })
  @UseInterceptors(Shout)
  decorated(@Caller() caller: McpCaller, @Args() asking: { value: string; arguments: object }) {
    return [`${asking.value} ${caller.authenticated}`];
  }

  @McpComplete({ prompt: 'review', argument: 'c' })
  @UseGuards(Watch)
  guarded() {
    return ['secret'];
  }

  @McpComplete({ prompt: 'review', argument: 'd' })
  @RequireScopes('shop:read')
  scoped() {
    return ['secret'];
  }

  @McpComplete({ prompt: 'rewiev', argument: 'a' })
  lost() {
    return [];
  }
}

@Injectable({ scope: Scope.REQUEST })
class Products {
  @McpResourceTemplate({ uriTemplate: 'shop://products/{sku}', name: 'product' })
  @McpComplete({ template: 'shop://products/{sku}', variable: 'sku' })
  product(value: unknown) {
    return [typeof value];
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'shop' })], providers: [Reviews, Products] })
class ReviewModule {}

const values = async (
  gate: Served,
  name: string,
  value = 'v',
  ref: object = { type: 'ref/prompt', name: 'review' },
) => {
  const params = { ref, argument: { name, value }, context: { arguments: { b: 'B' } } };
  const { body } = await gate.rpc('completion/complete', params);
  return body.result?.completion.values ?? body.error.message;
};

it.each(PLATFORMS)('completions propose values, and are guarded, on %s', async (platform) => {
  await served({ imports: [ReviewModule] }, { platform }, async (gate) => {
    asked.length = 0;
    expect(await values(gate, 'a')).toEqual(['v B false']);
    expect(await values(gate, 'b')).toEqual(['V FALSE']);
    expect(await values(gate, 'c')).toEqual([]);
    expect(await values(gate, 'd')).toEqual([]);
    expect(asked).toMatchObject([{ prompt: 'review', argument: 'c' }]);
    const template = { type: 'ref/resource', uri: 'shop://products/{sku}' };
    expect(await values(gate, 'sku', 'v', template)).toEqual(['string']);
    expect(gate.log.of('warn')).toEqual([expect.stringMatching(/Reviews\.lost: it completes the prompt "rewiev"/)]);

    const clerk = mcpTestClient(gate.app, { caller: { subject: 'bob', scopes: ['shop:read'] } });
    const target = { prompt: 'review', argument: 'd' };
    expect(await clerk.complete(target, '')).toEqual({ values: ['secret'], total: 1, hasMore: false });
    expect(await clerk.complete({ template: template.uri, variable: 'sku' }, '')).toMatchObject({ total: 1 });
  });
});

it('a gate that lists no class which completes anything does not offer it', async () => {
  const none = McpModule.forRoot({ name: 'none', path: '/none', tools: [] });
  await served({ imports: [none, ReviewModule] }, {}, async (gate) => {
    expect((await gate.rpc('completion/complete', {}, { path: '/none' })).status).toBe(404);
  });
});
