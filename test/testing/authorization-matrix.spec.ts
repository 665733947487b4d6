import { jest } from '@jest/globals';
import { Injectable, Module, UseGuards, type CanActivate } from '@nestjs/common';
import { Annotations, McpExecutionContext, McpModule, McpTool, RequireScopes, ScopesFor } from 'nestjs-mcp-gate';
import { authorizationMatrix } from 'nestjs-mcp-gate/testing';
import { MIXED, READS, shop, started, worked } from './shop.js';

const CALLERS = {
  guest: {},
  ann: { subject: 'ann', scopes: ['shop:read'] },
  eve: { subject: 'eve', scopes: ['shop:write', 'shop:billing'] },
};
const FREE = { type: 'object', additionalProperties: true };

/** A module with one tool that does what `decide` says of its arguments. */
function guarded(decide: (args?: Readonly<Record<string, unknown>>) => boolean | Promise<boolean>) {
  const guard: CanActivate = { canActivate: (context) => decide(McpExecutionContext.of(context)!.args) };
  @Injectable()
  class GuardedTools {
    @McpTool({ name: 'guarded', description: 'Guarded.', inputSchema: FREE })
    @Annotations(READS)
    @UseGuards(guard)
    guarded() {}
  }
  @Module({ imports: [McpModule.forRoot({ name: 'shop' })], providers: [GuardedTools] })
  class GuardedModule {}
  return { imports: [GuardedModule] };
}

beforeEach(() => worked.splice(0));

describe('an authorization matrix', () => {
  test('says for each caller what it sees, calls or is challenged for, and why the rest is hidden', async () => {
    await started(shop(MIXED), async (app) => {
      const matrix = await authorizationMatrix(app, CALLERS, {
        arguments: { report: { publish: true } },
        requests: { ann: { headers: { 'x-key': 'brass' } } },
      });
      expect(String(matrix).split('\n')).toEqual([
        'tool      | guest                                    | ann                                      | eve',
        'broken    | calls                                    | calls                                    | calls',
        'empty     | calls                                    | calls                                    | calls',
        'fresh     | calls                                    | calls                                    | calls',
        'my_orders | hidden: it needs an authenticated caller | calls                                    | calls',
        'refund    | hidden: it needs the scopes shop:billing | hidden: it needs the scopes shop:billing | calls',
        'report    | hidden: it needs the scopes shop:read    | challenged: shop:read shop:write         | calls',
        'slow      | calls                                    | calls                                    | calls',
        'stock     | calls                                    | calls                                    | calls',
        'vault     | hidden: a guard refused it               | calls                                    | hidden: a guard refused it',
        'whoami    | hidden: it needs an authenticated caller | calls                                    | calls',
      ]);
    });
  });

  test('is plain data that names callers and tools, the same each time', async () => {
    await started(shop(MIXED), async (app) => {
      const matrix = await authorizationMatrix(app, CALLERS, { arguments: { report: { publish: true } } });
      expect(matrix.tools['refund']).toEqual({
        guest: { listed: false, call: 'withheld', reason: 'it needs the scopes shop:billing' },
        ann: { listed: false, call: 'withheld', reason: 'it needs the scopes shop:billing' },
        eve: { listed: true, call: 'allowed' },
      });
      expect(matrix.tools['report']?.ann).toEqual({
        listed: true,
        call: 'challenged',
        scopes: ['shop:read', 'shop:write'],
      });
      const again = await authorizationMatrix(app, CALLERS, { arguments: { report: { publish: true } } });
      expect(JSON.stringify(again)).toBe(JSON.stringify(matrix));
      expect(Object.keys(matrix)).toEqual(['tools']);
    });
  });

  test('never runs a handler, and asks no account', async () => {
    let asked = 0;
    const accounts = () => ((asked += 1), undefined);
    await started(shop({ ...MIXED, accounts }), async (app) => {
      const everything = { refund: {}, report: {}, my_orders: {}, stock: { sku: 'A-001' }, whoami: {}, fresh: {} };
      const { tools } = await authorizationMatrix(app, CALLERS, { arguments: everything });
      for (const name of Object.keys(everything)) expect(tools[name]?.eve.call).toBe('allowed');
      expect([worked, asked]).toEqual([[], 0]);
    });
  });

  test('leaves open what only arguments decide, until it is given some', async () => {
    await started(shop(MIXED), async (app) => {
      const open = await authorizationMatrix(app, CALLERS);
      expect(open.tools['report']?.ann).toEqual({ listed: true, call: 'by-arguments' });
      expect(String(open)).toContain('calls, scopes by arguments');
      const harmless = await authorizationMatrix(app, CALLERS, { arguments: { report: { publish: false } } });
      expect(harmless.tools['report']?.ann).toEqual({ listed: true, call: 'allowed' });
    });
  });

  test('tells a tool that is listed but refused for a call from one that is not listed but callable', async () => {
    const options = { arguments: { guarded: { sku: 'A' } } };
    await started(
      guarded((args) => args === undefined),
      async (app) => {
        const matrix = await authorizationMatrix(app, { guest: {} }, options);
        expect(matrix.tools['guarded']?.guest).toEqual({
          listed: true,
          call: 'withheld',
          reason: 'a guard refused it',
        });
        expect(String(matrix)).toContain('refused: a guard refused it');
      },
    );
    await started(
      guarded((args) => args?.['sku'] === 'A'),
      async (app) => {
        const matrix = await authorizationMatrix(app, { guest: {} }, options);
        expect(matrix.tools['guarded']?.guest).toEqual({ listed: false, call: 'allowed' });
        expect(String(matrix)).toContain('not listed, calls');
      },
    );
  });

  test('says when what decides about a call fails: it is refused then (A4)', async () => {
    @Injectable()
    class OddTools {
      @McpTool({ name: 'odd', description: 'Odd.', inputSchema: FREE })
      @Annotations(READS)
      @RequireScopes('shop:read')
      @ScopesFor(() => 'shop:write' as never)
      odd() {
        worked.push('odd');
      }
    }
    await started({ imports: [McpModule.forRoot(MIXED)], providers: [OddTools] }, async (app) => {
      const { tools } = await authorizationMatrix(app, CALLERS, { arguments: { odd: {} } });
      expect(tools['odd']?.ann).toMatchObject({ call: 'failing', reason: expect.stringContaining('array of strings') });
      expect(tools['odd']?.guest.call).toBe('withheld');
      expect(worked).toEqual([]);
    });
  });

  describe('with a guard that never answers', () => {
    const never = new Promise<boolean>(() => {});

    beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
    afterEach(() => void jest.useRealTimers());

    /** The one cell, once time has passed. */
    async function cellOf(decide: Parameters<typeof guarded>[0], options?: Parameters<typeof authorizationMatrix>[2]) {
      let matrix: Awaited<ReturnType<typeof authorizationMatrix>>;
      await started(guarded(decide), async (app) => {
        const asked = authorizationMatrix(app, { guest: {} }, options);
        await jest.advanceTimersByTimeAsync(10_000);
        matrix = await asked;
      });
      return matrix!.tools['guarded']!['guest'];
    }

    test('says so after five seconds, for the list and for the call', async () => {
      const failing = { listed: false, call: 'failing', reason: 'a guard did not answer within 5 seconds' };
      expect(await cellOf(() => never)).toEqual(failing);
      expect(await cellOf(() => never, { arguments: { guarded: {} } })).toEqual(failing);
    });

    test('tells the list and the call apart where the guard answers one of them', async () => {
      const withArguments = { arguments: { guarded: {} } };
      expect(await cellOf((args) => (args === undefined ? never : true), withArguments)).toEqual({
        listed: false,
        call: 'allowed',
      });
      expect(await cellOf((args) => (args === undefined ? true : never), withArguments)).toEqual({
        listed: true,
        call: 'failing',
        reason: 'a guard did not answer within 5 seconds',
      });
    });

    test('says of the other tools what holds for them', async () => {
      const guard: CanActivate = { canActivate: () => never };
      @Injectable()
      class TwoTools {
        @McpTool({ name: 'free', description: 'Free.' })
        @Annotations(READS)
        free() {}

        @McpTool({ name: 'stuck', description: 'Stuck.' })
        @Annotations(READS)
        @UseGuards(guard)
        stuck() {}
      }
      await started({ imports: [McpModule.forRoot({ name: 'shop' })], providers: [TwoTools] }, async (app) => {
        const asked = authorizationMatrix(app, { guest: {} });
        await jest.advanceTimersByTimeAsync(5_000);
        expect(String(await asked).split('\n')).toEqual([
          'tool  | guest',
          'free  | calls',
          'stuck | not listed, fails: a guard did not answer within 5 seconds',
        ]);
        expect(jest.getTimerCount()).toBe(0);
      });
    });
  });

  test('hides everything from a stranger where the gate asks for a token first (A7)', async () => {
    const authorization = { ...MIXED.authorization, anonymous: false };
    await started(shop({ ...MIXED, authorization }), async (app) => {
      const { tools } = await authorizationMatrix(app, CALLERS);
      expect(tools['stock']?.guest).toEqual({
        listed: false,
        call: 'withheld',
        reason: 'the gate serves nobody without a token',
      });
      expect(tools['stock']?.ann.call).toBe('allowed');
    });
  });

  test('refuses what it could not answer: other names, and arguments that the tool would refuse', async () => {
    await started(shop(MIXED), async (app) => {
      const refused = (options: object) => expect(authorizationMatrix(app, CALLERS, options)).rejects;
      await refused({ arguments: { reprot: {} } }).toThrow(
        '"reprot", which is no tool of the gate. Did you mean "report"?',
      );
      await refused({ requests: { anne: {} } }).toThrow('"anne", which is none of the callers. Did you mean "ann"?');
      await refused({ arguments: { stock: { sku: 'A-001', colour: 'red' } } }).toThrow(/"stock" are refused .*colour/s);
      await refused({ gate: 'bank' }).toThrow('No gate is called "bank"');
    });
  });
});
