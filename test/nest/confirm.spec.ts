/** What the user of a decorated method's client is asked to agree to. */
import { Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Type } from 'class-transformer';
import { IsDate, Matches } from 'class-validator';
import { Annotations, Confirm, McpModule, McpTool, ScopesFor } from 'nestjs-mcp-gate';
import { mcpTestClient } from 'nestjs-mcp-gate/testing';

class Purge {
  @Matches(/^shop-\d$/) shop!: string;

  @Type(() => Date)
  @IsDate()
  before!: Date;

  get year(): number {
    return this.before.getUTCFullYear();
  }
}

const WRITES = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false };

@Injectable()
class PurgeTools {
  @McpTool({ name: 'purge', description: 'Deletes old orders.' })
  @Annotations(WRITES)
  @Confirm<Purge>((args) => `Delete all of ${args.shop} before ${args.year}?`)
  purge({ shop, year }: Purge) {
    return `${shop} begins in ${year}.`;
  }

  @McpTool({ name: 'purge_all', description: 'Deletes all orders.' })
  @Annotations(WRITES)
  @Confirm('Delete everything?')
  purgeAll({ shop }: Purge) {
    return `${shop} is empty.`;
  }

  @McpTool({ name: 'counted', description: 'Deletes what it has counted.' })
  @Annotations(WRITES)
  @Confirm(() => Promise.resolve('Delete all 7?'))
  counted() {
    return 'None is left.';
  }

  @McpTool({ name: 'mute', description: 'Asks nothing.' })
  @Annotations(WRITES)
  @Confirm(' ')
  mute(_purge: Purge) {}

  @McpTool({ name: 'unmade', description: 'Asks with a constant that is not there yet.' })
  @Annotations(WRITES)
  @Confirm(undefined as unknown as string)
  unmade() {}

  @McpTool({ name: 'unscoped', description: 'Needs scopes that a function says that is not there yet.' })
  @Annotations(WRITES)
  @ScopesFor(undefined as unknown as () => string[])
  unscoped() {}
}

describe.each(['modern', 'legacy'] as const)('@Confirm(), to a client of the %s era', (era) => {
  const asked: unknown[] = [];
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    asked.splice(0);
    const module = await Test.createTestingModule({
      imports: [McpModule.forRoot({ name: 'shop' })],
      providers: [PurgeTools],
    }).compile();
    const app = module.createNestApplication({ logger: false });
    await app.init();
    try {
      const answers = ({ params }: { params: { message?: unknown } }) => (
        asked.push(params.message),
        { action: 'accept' }
      );
      return await mcpTestClient(app, { era, answers }).call(name, args);
    } finally {
      await app.close();
    }
  };

  it('says what its function makes of the instance that the method gets', async () => {
    const { text } = await call('purge', { shop: 'shop-1', before: '2026-01-01T00:00:00Z' });
    expect(asked).toEqual(['Delete all of shop-1 before 2026?']);
    expect(text).toBe('shop-1 begins in 2026.');
  });

  it.each(['purge', 'purge_all'])('does not ask about arguments that their class refuses: %s', async (name) => {
    const { result, text } = await call(name, { shop: 'nowhere', before: '2026-01-01T00:00:00Z' });
    expect(asked).toEqual([]);
    expect(result.isError).toBe(true);
    expect(text).toMatch(/^Invalid arguments:\n- shop: /);
  });

  it('may look up what it says', async () => {
    expect((await call('counted')).text).toBe('None is left.');
    expect(asked).toEqual(['Delete all 7?']);
  });

  it('T4: that says nothing discards the tool', async () => {
    await expect(call('mute')).rejects.toMatchObject({ message: expect.stringContaining('Unknown tool: mute') });
  });

  it.each(['unmade', 'unscoped'])(
    'T4: that was given nothing discards the tool, as @ScopesFor() does: %s',
    async (name) => {
      await expect(call(name)).rejects.toMatchObject({ message: expect.stringContaining(`Unknown tool: ${name}`) });
    },
  );
});
