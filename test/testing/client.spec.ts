import { McpTestError, mcpTestClient, type McpTestProgress } from 'nestjs-mcp-gate/testing';
import { serve } from '../nest/serve.js';
import { compiled, HOSTS, MIXED, shop, SlowTools, started, worked } from './shop.js';

const LOCAL = { name: 'shop' };
const ERAS = ['modern', 'legacy'] as const;
const PUBLIC = ['stock', 'empty', 'broken', 'slow', 'fresh'];

async function failureOf(promise: Promise<unknown>): Promise<McpTestError> {
  const outcome = await promise.then(
    () => 'it went well',
    (error: unknown) => error,
  );
  if (outcome instanceof McpTestError) return outcome;
  throw new Error(`expected an McpTestError, got ${String(outcome)}`);
}

describe.each(HOSTS)('a test client of an application on %s', (host) => {
  const on = (metadata: Parameters<typeof started>[0], test: Parameters<typeof started>[1]) =>
    started(metadata, test, host);

  test.each(ERAS)('lists, calls and reads the instructions without a port, in the %s era', async (era) => {
    await on(shop(MIXED), async (app) => {
      const client = mcpTestClient(app, { era });
      expect((await client.list()).map(({ name }) => name)).toEqual(PUBLIC);
      const { result, text } = await client.call('stock', { sku: 'A-001' });
      expect(result.content).toEqual([{ type: 'text', text }]);
      expect(JSON.parse(text)).toEqual({ sku: 'A-001', quantity: 12, typed: true });
      expect('resultType' in result).toBe(era === 'modern');
      expect(await client.instructions()).toBe('Stock and orders.\n\n4 more tools are available with authorization.');
    });
  });

  test('answers to a bad call as the gate does: a result for the agent, an error of the protocol', async () => {
    await on(shop(LOCAL), async (app) => {
      const client = mcpTestClient(app);
      expect(await client.call('empty')).toMatchObject({ result: { isError: true }, text: 'The shop is empty.' });
      expect((await client.call('stock', { sku: 'A-001', colour: 'red' })).result.isError).toBe(true);
      expect((await client.call('stock', { sku: 'B' })).text).toContain('sku');
      const unknown = await failureOf(client.call('stokc'));
      expect([unknown.code, unknown.message]).toEqual([-32602, 'Unknown tool: stokc']);
    });
  });

  test('guards see the given request, each exchange with one of its own', async () => {
    await on(shop(LOCAL), async (app) => {
      const request = Object.freeze({ headers: { 'X-Key': 'brass' } });
      const client = mcpTestClient(app, { request });
      expect((await client.list()).map(({ name }) => name)).toContain('vault');
      expect((await client.call('vault')).text).toBe('1');
      expect((await client.call('vault')).text).toBe('1');
      expect((await failureOf(mcpTestClient(app).call('vault'))).message).toBe('Unknown tool: vault');
    });
  });

  test('a cancelled call aborts its run and rejects with the reason of the signal', async () => {
    for (const era of ERAS) {
      await on(shop(LOCAL), async (app) => {
        const slow = app.get(SlowTools);
        const cancelling = new AbortController();
        const call = mcpTestClient(app, { era }).call('slow', {}, { signal: cancelling.signal });
        await slow.begun;
        expect(slow.aborted).toBe(false);
        cancelling.abort(new Error('never mind'));
        expect(slow.aborted).toBe(true);
        await expect(call).rejects.toThrow('never mind');
      });
    }
  });

  test('progress is delivered, the last of a burst before the result', async () => {
    await on(shop(LOCAL), async (app) => {
      const slow = app.get(SlowTools);
      const heard: McpTestProgress[] = [];
      const call = mcpTestClient(app).call('slow', {}, { onProgress: (progress) => heard.push(progress) });
      await slow.begun;
      expect(heard).toEqual([{ progress: 1, total: 3, message: 'step 1' }]);
      slow.finish();
      expect((await call).text).toBe('done');
      expect(heard.at(-1)).toEqual({ progress: 3, total: 3, message: 'step 3' });
    });
  });
});

describe('the answers of a test client', () => {
  test('are those that the gate gives over HTTP', async () => {
    const gate = await serve(shop({ name: 'shop', instructions: 'Stock.' }));
    try {
      const client = mcpTestClient(gate.app, { era: 'legacy' });
      const listed = await gate.rpc('tools/list');
      expect(await client.list()).toEqual(listed.body.result.tools);
      for (const [name, args] of [
        ['stock', { sku: 'A-001' }],
        ['stock', { sku: 'B', more: 1 }],
        ['empty', {}],
      ] as const) {
        expect((await client.call(name, args)).result).toEqual(await gate.call(name, args));
      }
      for (const [name, args] of [
        ['refund', {}],
        ['stock', []],
      ] as const) {
        const { code, message } = await failureOf(client.call(name, args));
        expect({ code, message }).toEqual((await gate.call(name, args)).error);
      }
      const { body } = await gate.rpc('initialize', { protocolVersion: '2025-11-25', capabilities: {} });
      expect(await client.instructions()).toBe(body.result.instructions);
    } finally {
      await gate.close();
    }
  });

  test('come from arguments as JSON carries them', async () => {
    await started(shop(MIXED), async (app) => {
      const client = mcpTestClient(app, { caller: { scopes: ['shop:read'] } });
      const { text } = await client.call('report', { on: new Date(0), left: undefined });
      expect(text).toBe('["on: string"]');
    });
  });
});

describe('the caller of a test client', () => {
  test('has what the gate grants to its scopes: those that they contain, and the roles that they stand for', async () => {
    await started(shop(MIXED), async (app) => {
      const ann = mcpTestClient(app, { caller: { subject: 'ann', scopes: ['shop:write', 'shop:billing'] } });
      expect(JSON.parse((await ann.call('whoami')).text)).toEqual({
        authenticated: true,
        subject: 'ann',
        scopes: ['shop:write', 'shop:read', 'shop:billing'],
        roles: ['accountant'],
      });
      expect((await ann.call('report', { publish: true })).text).toBe('["publish: boolean"]');
    });
  });

  test('is authenticated by what only a credential gives, unless it says otherwise', async () => {
    await started(shop(MIXED), async (app) => {
      const has = async (caller: object) =>
        (await mcpTestClient(app, { caller }).list()).some(({ name }) => name === 'whoami');
      expect(await has({ scopes: ['a'] })).toBe(true);
      expect(await has({ clientId: 'desk' })).toBe(true);
      expect(await has({ expiresAt: Date.now() + 60_000 })).toBe(true);
      expect(await has({ authenticated: true })).toBe(true);
      expect(await has({ subject: 'ann', authenticated: false })).toBe(false);
      expect(await has({ roles: ['admin'] })).toBe(false);
    });
  });

  test('is everybody at a gate that authenticates nobody, with the roles of that gate', async () => {
    await started(shop({ ...LOCAL, unprotectedRoles: ['clerk'] }), async (app) => {
      const client = mcpTestClient(app, { caller: { authenticated: true } });
      expect(JSON.parse((await client.call('whoami')).text)).toMatchObject({ roles: ['clerk'] });
    });
  });

  test('is asked for the scopes that a call lacks: an error on a protected gate, a result on another (A4)', async () => {
    await started(shop(MIXED, { name: 'local', path: '/local' }), async (app) => {
      const caller = { subject: 'bob', scopes: ['shop:read'] };
      const refused = await failureOf(mcpTestClient(app, { gate: 'shop', caller }).call('report', { publish: true }));
      expect(refused.scopes).toEqual(['shop:read', 'shop:write']);
      const { result, text } = await mcpTestClient(app, { gate: 'local', caller }).call('report', { publish: true });
      expect([result.isError, text]).toEqual([true, refused.message]);
    });
  });

  test('is not let in without a token where the gate asks for one (A7)', async () => {
    const authorization = { ...MIXED.authorization, anonymous: false };
    await started(shop({ ...MIXED, authorization }), async (app) => {
      const stranger = mcpTestClient(app);
      for (const ask of [() => stranger.list(), () => stranger.call('stock'), () => stranger.instructions()]) {
        expect((await failureOf(ask())).message).toContain('needs a valid access token');
      }
      expect(await mcpTestClient(app, { caller: { subject: 'ann' } }).list()).not.toEqual([]);
    });
  });

  test('has tools act for its account, and for no other (A5)', async () => {
    await started(shop(MIXED), async (app) => {
      const as = (subject: string) => mcpTestClient(app, { caller: { subject, scopes: ['shop:read'] } });
      expect((await as('ann').call('my_orders')).text).toBe('{"account":"account-ann","roles":["customer"]}');
      expect((await as('eve').call('my_orders')).result.isError).toBe(true);
    });
  });
});

describe('the error of a test client', () => {
  test('tells the test why a tool is withheld, in its cause and not in its message (T12)', async () => {
    await started(shop(MIXED), async (app) => {
      const { message, cause } = await failureOf(mcpTestClient(app).call('refund'));
      expect(message).toBe('Unknown tool: refund');
      expect(String(cause)).toContain('"refund" is withheld from this caller: it needs the scopes shop:billing.');
    });
  });

  test('tells the test what the gate has when it has no such tool', async () => {
    await started(shop(LOCAL), async (app) => {
      const { cause } = await failureOf(mcpTestClient(app).call('stokc'));
      expect(String(cause)).toContain('The gate "shop" has no tool "stokc", only stock, whoami, refund,');
    });
  });

  test('has no cause where there is nothing more to say', async () => {
    await started(shop(LOCAL), async (app) => {
      const { code, message, cause } = await failureOf(mcpTestClient(app).call('stock', []));
      expect([code, cause]).toEqual([-32602, undefined]);
      expect(message).toContain('"arguments"');
    });
  });

  test('has what a tool threw for its cause, which also stands in the log', async () => {
    await started(shop(LOCAL), async (app, log) => {
      const { code, message, cause } = await failureOf(mcpTestClient(app).call('broken'));
      expect([code, (cause as Error).message]).toEqual([-32603, 'the database is on fire']);
      const id = /under (.*)\.$/.exec(message)?.[1];
      expect(log.of('error').join()).toContain(`[shop] tool broken failed (${id}): Error: the database is on fire`);
    });
  });

  test('is that of the listener when a test fails in it, and the tool goes on', async () => {
    await started(shop(LOCAL), async (app) => {
      const slow = app.get(SlowTools);
      const onProgress = () => {
        throw new Error('not what the test expects');
      };
      const call = mcpTestClient(app).call('slow', {}, { onProgress });
      await slow.begun;
      slow.finish();
      await expect(call).rejects.toThrow('not what the test expects');
    });
  });
});

describe('a run of a test client', () => {
  test('ends with the application, by the deadline of the gate, and with the token of the caller (R1)', async () => {
    const { app } = await compiled(shop(LOCAL));
    await app.init();
    const slow = app.get(SlowTools);
    const pending = failureOf(mcpTestClient(app).call('slow'));
    await slow.begun;
    await app.close();
    expect((await pending).message).toContain('the server is shutting down');
    expect((await failureOf(mcpTestClient(app).call('slow'))).message).toContain('the server is shutting down');
    expect(slow.aborted).toBe(true);

    await started(shop({ ...LOCAL, maxRunMs: 5 }), async (late) => {
      expect((await mcpTestClient(late).call('slow')).text).toContain('longer than this server allows');
      const expired = mcpTestClient(late, { caller: { expiresAt: Date.now() - 1 } });
      expect((await failureOf(expired.call('slow'))).message).toContain('the token expired');
      const lasting = mcpTestClient(late, { caller: { expiresAt: Date.now() + 40 * 86_400_000 } }); // no timer is that long
      expect((await lasting.call('slow')).text).toContain('longer than this server allows');
    });
  });

  test('never begins when its signal has aborted already', async () => {
    worked.splice(0);
    await started(shop(LOCAL), async (app) => {
      const call = mcpTestClient(app).call('stock', { sku: 'A-001' }, { signal: AbortSignal.abort() });
      await expect(call).rejects.toThrow('aborted');
      expect(worked).toEqual([]);
    });
  });

  test('is not reached by a call of another client with the same number', async () => {
    await started(shop(LOCAL), async (app) => {
      const slow = app.get(SlowTools);
      const call = mcpTestClient(app).call('slow');
      await slow.begun;
      const other = new AbortController();
      const rival = mcpTestClient(app).call('empty', {}, { signal: other.signal });
      other.abort();
      await expect(rival).rejects.toThrow();
      expect(slow.aborted).toBe(false);
      slow.finish();
      expect((await call).text).toBe('done');
    });
  });
});

describe('what else a test client asks for', () => {
  const offering = {
    ...LOCAL,
    resources: [
      { uri: 'shop://catalogue', name: 'catalogue', read: () => 'all of it' },
      { uriTemplate: 'shop://products/{sku}', name: 'product', scopes: ['shop:read'], read: (given: object) => given },
    ],
    prompts: [
      { name: 'review', handler: () => 'Review it.' },
      { name: 'audit', requiresAuth: true, handler: () => 'Audit it.' },
    ],
  };

  test.each(ERAS)('are resources and prompts, in the %s era', async (era) => {
    await started(shop(offering), async (app) => {
      const client = mcpTestClient(app, { era });
      expect(await client.listResources()).toEqual([{ uri: 'shop://catalogue', name: 'catalogue' }]);
      expect(await client.listResourceTemplates()).toEqual([]);
      expect(await client.readResource('shop://catalogue')).toMatchObject([{ text: 'all of it' }]);
      expect(await client.listPrompts()).toEqual([{ name: 'review' }]);
      expect((await client.getPrompt('review')).messages).toMatchObject([{ content: { text: 'Review it.' } }]);
      const clerk = mcpTestClient(app, { era, caller: { subject: 'bob', scopes: ['shop:read'] } });
      expect(await clerk.listResourceTemplates()).toHaveLength(1);
      expect(await clerk.readResource('shop://products/A')).toMatchObject([{ text: '{"sku":"A"}' }]);
      expect((await clerk.getPrompt('audit')).messages).toHaveLength(1);
    });
  });

  test('says why they are not there', async () => {
    await started(shop(offering), async (app) => {
      const client = mcpTestClient(app);
      const causes = await Promise.all(
        [
          client.readResource('shop://products/A'),
          client.readResource('shop://nothing'),
          client.getPrompt('audit'),
          client.getPrompt('nothing'),
        ].map(async (asked) => ((await failureOf(asked)).cause as Error).message),
      );
      expect(causes).toEqual([
        'The resource "shop://products/A" is withheld from this caller: it needs the scopes shop:read.',
        expect.stringMatching(
          /has no resource "shop:\/\/nothing", only shop:\/\/catalogue, shop:\/\/products\/\{sku\}/,
        ),
        'The prompt "audit" is withheld from this caller: it needs an authenticated caller.',
        expect.stringMatching(/has no prompt "nothing", only review, audit/),
      ]);
    });
  });
});

describe('a test client that cannot be made', () => {
  test('says the way out', async () => {
    const { app } = await compiled(shop(LOCAL, { name: 'billing', path: '/billing' }));
    expect(() => mcpTestClient(app, { gate: 'shop' })).toThrow('await app.init()');
    await app.init();
    expect(() => mcpTestClient(app)).toThrow('The application has the gates shop, billing: say which one');
    expect(() => mcpTestClient(app, { gate: 'shpo' })).toThrow(
      'No gate is called "shpo". The gates are: shop, billing.',
    );
    await app.close();
    expect(() => mcpTestClient(Promise.resolve(app) as never)).toThrow('Is an "await" missing');

    await started({ providers: [] }, async (none) => {
      expect(() => mcpTestClient(none)).toThrow('import McpModule.forRoot()');
    });
    await started(shop({ ...LOCAL, enabled: false }), async (off) => {
      expect(() => mcpTestClient(off)).toThrow('The gate "shop" is not enabled');
    });
    await started(shop({ ...LOCAL, protocol: { versions: ['2025-06-18'] } }), async (old) => {
      expect(() => mcpTestClient(old, { era: 'modern' })).toThrow('serves no modern revision, only 2025-06-18');
      expect((await mcpTestClient(old).list()).length).toBeGreaterThan(0);
    });
  });
});
