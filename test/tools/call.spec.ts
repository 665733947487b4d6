/** T5–T10, A4, A5, P15: one call of one tool, from its arguments to its result. */
import {
  BadRequestException,
  HttpException,
  InternalServerErrorException,
  NotFoundException,
  UnauthorizedException,
} from '@nestjs/common';
import { of, throwError } from 'rxjs';
import * as z from 'zod';
import { ANONYMOUS_CALLER, type McpCaller } from '../../src/caller.js';
import { McpRequestContext } from '../../src/runs/ambient.js';
import { McpOpenRun } from '../../src/runs/open-run.js';
import { McpProgress } from '../../src/runs/run.js';
import { callMcpTool, McpOutputFault, type McpCallOutcome, type McpCallParties } from '../../src/tools/call.js';
import { McpArgumentFault, McpToolFailure } from '../../src/tools/failure.js';
import { isCallToolResult, type CallToolResult } from '../../src/tools/result.js';
import { insufficientScopeMessage, mcpCallScopes } from '../../src/tools/scopes.js';
import type { McpTool } from '../../src/tools/tool.js';
import { account } from '../support/callers.js';
import { declare, makeTool } from '../support/tools.js';

interface Given {
  args?: Record<string, unknown>;
  caller?: McpCaller;
  accounts?: McpCallParties['accounts'];
  run?: McpOpenRun;
}

async function call(parts: Partial<McpTool>, given: Given = {}): Promise<McpCallOutcome> {
  const { args = {}, caller = ANONYMOUS_CALLER, accounts, run = new McpOpenRun({ id: 'run' }) } = given;
  const entry = declare(makeTool(parts)).entries[0]!;
  return callMcpTool(entry, args, { caller, ...(accounts && { accounts }) }, run);
}

function resultOf(outcome: McpCallOutcome): CallToolResult {
  if (outcome.kind !== 'result') throw new Error(`no result but ${outcome.kind}: ${JSON.stringify(outcome)}`);
  return outcome.result;
}

const failing = (error: unknown) => ({
  handler: () => {
    throw error;
  },
});
const text = (said: string) => ({ content: [{ type: 'text', text: said }] });
const failure = (said: string) => ({ ...text(said), isError: true });

describe('the value of a tool', () => {
  const link = { type: 'resource_link', uri: 'file:///a', name: 'a' };
  it.each<[string, unknown, unknown]>([
    ['a string is its text', 'three left', text('three left')],
    ['data is its JSON', { stock: 3 }, text('{"stock":3}')],
    ['nothing is no content', undefined, { content: [] }],
    ['a promise is what it resolves to', Promise.resolve('later'), text('later')],
    ['an Observable is its last value', of(new McpProgress(1), 'last'), text('last')],
    ['an async iterable is its last value', asyncOf('first', 'last'), text('last')],
    ['a ready result is itself', { content: [link], _meta: { a: 1 } }, { content: [link], _meta: { a: 1 } }],
    ['a ready failure is itself', failure('no'), failure('no')],
    ['a promise of a ready result is it', Promise.resolve(text('x')), text('x')],
    ['data with a field called content is data', { content: 'a page' }, text('{"content":"a page"}')],
    ['data with a list called content is data', { content: [{ title: 'x' }] }, text('{"content":[{"title":"x"}]}')],
  ])('T10: %s', async (_, value, expected) => {
    expect(resultOf(await call({ handler: () => value }))).toEqual(expected);
  });

  it('T10, T9: that is a ready result which JSON cannot say goes out as far as it can', async () => {
    const ready = { content: text('x').content, structuredContent: { id: 1n, at: new Map([['a', 1]]) } };
    const result = resultOf(await call({ handler: () => ready }));
    expect(JSON.parse(JSON.stringify(result))).toEqual({
      content: text('x').content,
      structuredContent: { id: '1', at: { a: 1 } },
    });
  });

  it('T10, T9: that is a ready result with a cycle does not become a fault of the transport', async () => {
    const content = text('x').content as CallToolResult['content'];
    const ready: CallToolResult = { content, _meta: {} };
    ready._meta!['self'] = ready;
    expect(JSON.stringify(resultOf(await call({ handler: () => ready })))).toContain('[circular]');
  });

  it.each<[unknown, boolean]>([
    [{ content: [] }, true],
    [{ content: [], isError: true }, true],
    [{ content: [], structuredContent: {} }, true],
    [{ content: [{ type: 'text', text: 'x' }], more: 1 }, true],
    [{ content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }] }, true],
    [{ content: [{ type: 'audio', data: 'aGk=', mimeType: 'audio/wav' }] }, true],
    [{ content: [{ type: 'resource', resource: { uri: 'a:b', text: 'x' } }] }, true],
    [{ content: [], title: 'an empty page' }, false],
    [{ content: [{ type: 'text' }] }, false],
    [{ content: [{ type: 'video', data: 'x' }] }, false],
    [{ content: [{ type: 'resource', resource: { uri: 'a:b', blob: 'aGk=' } }] }, true],
    [{ content: [{ type: 'resource', resource: { uri: 'a:b' } }] }, false],
    [{ content: [{ type: 'resource', resource: null }] }, false],
    [{ content: [null] }, false],
    [{ content: [], isError: 'no' }, false],
    [{ content: [{ type: 'text', text: 'x' }], _meta: 'x' }, false],
    [null, false],
    ['content', false],
  ])('T10: %j is a ready result: %p', (value, expected) => {
    expect(isCallToolResult(value)).toBe(expected);
  });
});

describe('a tool with an output schema', () => {
  const outputSchema = {
    type: 'object',
    properties: { stock: { type: 'integer' }, at: { type: 'string' } },
    required: ['stock'],
  };
  const ready = (structuredContent: unknown) => ({ content: text('said otherwise').content, structuredContent });

  it('T10: gives its value as structured content, and as text for older clients', async () => {
    const result = resultOf(await call({ outputSchema, handler: () => ({ stock: 3, at: new Date(0) }) }));
    const structuredContent = { stock: 3, at: '1970-01-01T00:00:00.000Z' };
    expect(result).toEqual({ ...text(JSON.stringify(structuredContent)), structuredContent });
  });

  it('T10: keeps the content of a ready result and checks its structured content', async () => {
    expect(resultOf(await call({ outputSchema, handler: () => ready({ stock: 3 }) }))).toEqual(ready({ stock: 3 }));
  });

  it('T10: checks the structured content of a ready result as it goes over the wire', async () => {
    const result = resultOf(await call({ outputSchema, handler: () => ready({ stock: 3, at: new Date(0) }) }));
    expect(result.structuredContent).toEqual({ stock: 3, at: '1970-01-01T00:00:00.000Z' });
  });

  it('T10: may fail without it', async () => {
    expect(resultOf(await call({ outputSchema, handler: () => failure('sold out') }))).toEqual(failure('sold out'));
  });

  it.each<[string, unknown, RegExp]>([
    ['a value that does not fit', { stock: 'three' }, /"shop_stock" does not fit its outputSchema\. stock: must be/],
    ['a value that lacks a property', {}, /does not fit its outputSchema\..*stock/],
    ['no value', undefined, /the value: must be a value, got none/],
    ['a ready result without structured content', text('x'), /the value: must be a value, got none/],
    ['a ready result whose structured content does not fit', ready({ stock: 'three' }), /stock: must be/],
  ])('T10: is at fault when it gives %s, for the log alone', async (_, value, message) => {
    const outcome = await call({ outputSchema, handler: () => value });
    expect(outcome).toEqual({ kind: 'fault', error: expect.any(McpOutputFault) as unknown });
    expect((outcome as { error: Error }).error.message).toMatch(message);
  });

  it('T10: may be of another type than an object', async () => {
    const list = { outputSchema: { type: 'array', items: { type: 'integer' } }, handler: () => [1, 2] };
    expect(resultOf(await call(list))).toEqual({ ...text('[1,2]'), structuredContent: [1, 2] });
  });
});

describe('arguments', () => {
  const inputSchema = {
    type: 'object',
    properties: { sku: { type: 'string' }, count: { type: 'integer' } },
    required: ['sku'],
  };
  const seen: unknown[] = [];
  const stock = { inputSchema, handler: (args: unknown) => seen.push(args) };
  beforeEach(() => seen.splice(0));

  it('reach the handler as they came', async () => {
    await call(stock, { args: { sku: 'A-1', count: 2 } });
    expect(seen).toEqual([{ sku: 'A-1', count: 2 }]);
  });

  it('T6: that the schema does not declare are refused by name, with the declared ones', async () => {
    const result = resultOf(await call(stock, { args: { sku: 'A-1', colour: 'red' } }));
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result)).toMatch(/colour.*sku.*count/);
    expect(seen).toEqual([]);
  });

  it('T6: are free where the tool says so', async () => {
    await call({ ...stock, inputSchema: { ...inputSchema, additionalProperties: true } }, { args: { sku: 'A', x: 1 } });
    expect(seen).toEqual([{ sku: 'A', x: 1 }]);
  });

  it('T7: that do not fit are refused with every faulty path and what was expected', async () => {
    const result = resultOf(await call(stock, { args: { count: 'two' } }));
    expect(result.isError).toBe(true);
    const [said] = result.content as unknown as [{ text: string }];
    expect(said.text).toMatch(/^Invalid arguments:/);
    expect(said.text).toMatch(/sku/);
    expect(said.text).toMatch(/count: must be/);
    expect(seen).toEqual([]);
  });

  it('T13: of a zod schema are parsed by it', async () => {
    const parse = z.object({ when: z.iso.date().transform((date) => date.slice(0, 4)) });
    await call({ ...stock, inputSchema: parse }, { args: { when: '2026-07-28' } });
    expect(seen).toEqual([{ when: '2026' }]);
    const result = resultOf(await call({ ...stock, inputSchema: parse }, { args: { when: 'today' } }));
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('when') as string }] });
  });
});

describe('a handler', () => {
  it('gets caller and run, and keeps its own `this`', async () => {
    const ada = account('ada');
    const run = new McpOpenRun({ id: 'run' });
    class Stock {
      readonly name = 'shop_stock';
      readonly description = 'Stock of a product.';
      readonly inputSchema = { type: 'object' };
      private readonly stock = 3;
      handler(_: Record<string, unknown>, caller: McpCaller, given: unknown) {
        return `${this.stock} ${caller === ada} ${given === run}`;
      }
    }
    const outcome = await callMcpTool(declare(new Stock()).entries[0]!, {}, { caller: ada }, run);
    expect(resultOf(outcome)).toEqual(text('3 true true'));
  });

  it('R5: and everything below it can read who asks', async () => {
    const ada = account('ada');
    const handler = async () => {
      await Promise.resolve();
      return McpRequestContext.caller()?.subject;
    };
    expect(resultOf(await call({ handler }, { caller: ada }))).toEqual(text('ada'));
  });
});

describe('a failure that an agent can mend is a result (T8)', () => {
  const details = new BadRequestException(['sku must be a string', 'count must be positive']);
  it.each<[string, unknown, string]>([
    ['McpToolFailure', new McpToolFailure('Sold out.'), 'Sold out.'],
    [
      'McpArgumentFault',
      new McpArgumentFault([{ path: 'items[2].sku', expected: 'must exist' }]),
      'Invalid arguments:\n- items[2].sku: must exist',
    ],
    ['a 404 of Nest', new NotFoundException('No product A-1.'), 'No product A-1.'],
    ['a 400 with the details of class-validator', details, 'sku must be a string\ncount must be positive'],
    ['a 4xx with a text', new HttpException('Teapot', 418), 'Teapot'],
    ['a 4xx with an object', new HttpException({ message: 'Locked.', code: 7 }, 423), 'Locked.'],
    ['a 4xx without words', new UnauthorizedException(), 'Unauthorized'],
    ['a 4xx with an object that has no message', new HttpException({ code: 7 }, 400), 'Http Exception'],
    ['a 4xx with messages that are no texts', new HttpException({ message: [{ a: 1 }] }, 400), 'Http Exception'],
    ['a 4xx of another copy of Nest', foreignException(409, 'Conflict.'), 'Conflict.'],
  ])('%s', async (_, error, said) => {
    expect(resultOf(await call(failing(error)))).toEqual(failure(said));
  });

  it('also from a promise and from an Observable', async () => {
    const error = new NotFoundException('No product.');
    expect(resultOf(await call({ handler: () => Promise.reject(error) }))).toEqual(failure('No product.'));
    expect(resultOf(await call({ handler: () => throwError(() => error) }))).toEqual(failure('No product.'));
  });
});

describe("a failure that is the server's own is a fault, whose words stay here (T8, P15)", () => {
  const unreadable = Object.assign(new Error('x'), {
    getStatus: () => {
      throw new Error('getStatus failed');
    },
    getResponse: () => 'x',
  });
  it.each<[string, unknown]>([
    ['an Error', new Error('connect ECONNREFUSED 10.0.0.7:5432')],
    ['a 500 of Nest', new InternalServerErrorException('disk full')],
    ['a 3xx', new HttpException('moved', 302)],
    ['a 5xx of another copy of Nest', foreignException(503, 'down')],
    ['a plain object that looks like an exception', { getStatus: () => 404, getResponse: () => 'x' }],
    ['a string', 'failed'],
    ['undefined', undefined],
    ['null', null],
    ['an exception that cannot be read', unreadable],
  ])('%s', async (_, error) => {
    expect(await call(failing(error))).toEqual({ kind: 'fault', error });
  });

  it('is also a value that cannot be read', async () => {
    const value = new Proxy(
      {},
      {
        get: () => {
          throw new Error('secret');
        },
      },
    );
    expect(await call({ handler: () => value })).toMatchObject({ kind: 'fault' });
  });
});

describe('scopes of one call (A4)', () => {
  const orders: Partial<McpTool> = {
    inputSchema: { type: 'object', properties: { all: { type: 'boolean' } } },
    scopes: ['orders'],
    scopesFor: (args) => (args['all'] === true ? ['orders:all', 'orders'] : []),
  };

  it('are met: the tool runs', async () => {
    const caller = account('ada', 'orders');
    expect(resultOf(await call(orders, { caller }))).toEqual(text('done'));
    expect(
      resultOf(await call(orders, { args: { all: true }, caller: account('ada', 'orders:all', 'orders') })),
    ).toEqual(text('done'));
  });

  it('are missing: all scopes of the operation are named, each once, and the handler never runs', async () => {
    let ran = false;
    const outcome = await call(
      { ...orders, handler: () => (ran = true) },
      { args: { all: true }, caller: account('ada', 'orders') },
    );
    expect(outcome).toEqual({ kind: 'insufficient_scope', scopes: ['orders', 'orders:all'] });
    expect(ran).toBe(false);
    expect(insufficientScopeMessage('orders', ['orders', 'orders:all'])).toBe(
      'Tool orders needs more authorization for this call: the scopes orders, orders:all.',
    );
  });

  it('are asked with arguments that were checked before', async () => {
    const asked: unknown[] = [];
    const outcome = await call(
      { ...orders, scopesFor: (args) => (asked.push(args), []) },
      { args: { all: 'yes' }, caller: account('ada', 'orders') },
    );
    expect(resultOf(outcome).isError).toBe(true);
    expect(asked).toEqual([]);
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['gives a promise', async () => ['orders']],
    ['gives a text', () => 'orders'],
    ['gives nothing', () => undefined],
    ['gives numbers', () => [1]],
    ['gives an empty scope', () => ['']],
    ['gives a Set', () => new Set(['orders'])],
  ])('refuse the call when scopesFor %s, never serve it unbounded', async (_, scopesFor) => {
    let ran = false;
    const parts = { scopesFor: scopesFor as McpTool['scopesFor'], handler: () => (ran = true) } as Partial<McpTool>;
    const outcome = await call(parts, { caller: account('ada', 'orders') });
    expect(outcome.kind).toBe('fault');
    expect(ran).toBe(false);
  });

  it('say which tool is at fault when scopesFor gives no list', () => {
    const tool = makeTool({ scopesFor: (() => 'orders') as never });
    expect(() => mcpCallScopes(tool, {})).toThrow(
      'scopesFor of tool "shop_stock" must return an array of strings, at once and not by a promise.',
    );
  });

  it('leave no rejection unhandled when scopesFor gives a promise that rejects: that would end the process', async () => {
    let handled = false;
    const promise = {
      // oxlint-disable-next-line unicorn/no-thenable -- to see whether a rejection is listened to
      then(_: unknown, rejected?: () => void) {
        handled = rejected !== undefined;
      },
    };
    const outcome = await call({ scopesFor: (() => promise) as never });
    expect(outcome.kind).toBe('fault');
    expect(handled).toBe(true);
  });
});

describe('a tool that acts for a user (A5)', () => {
  const ada = account('ada', 'me');
  const person = { id: 'ada', roles: ['clerk'], active: true };
  const me: Partial<McpTool> = {
    scopes: ['me'],
    actsForUser: true,
    handler: (_, caller) => [caller.subject, caller.roles, McpRequestContext.account()?.id],
  };
  const uniform = failure('Tool shop_stock can not act for the account behind this token.');

  it("runs in the account's name, with the account's own roles", async () => {
    const outcome = await call(me, { caller: { ...ada, roles: ['admin'] }, accounts: () => person });
    expect(resultOf(outcome)).toEqual(text('["ada",["clerk"],"ada"]'));
  });

  it.each<[string, McpCallParties['accounts']]>([
    ['missing', () => undefined],
    ['locked or disabled', async () => ({ ...person, active: false })],
    ['not said to be active', () => ({ id: 'ada', roles: [] }) as never],
  ])('fails with one message when the account is %s', async (_, accounts) => {
    const outcome = await call(me, { caller: ada, accounts });
    expect(outcome).toEqual({ kind: 'result', result: uniform });
  });

  it('fails with the same message when nothing finds accounts, and raises the alarm', async () => {
    const outcome = await call(me, { caller: ada });
    expect(outcome).toMatchObject({ kind: 'result', result: uniform, alarm: expect.any(Error) as unknown });
  });

  it('never runs as anonymous when finding the account fails', async () => {
    let ran = false;
    const accounts = () => Promise.reject(new Error('database is down'));
    const outcome = await call({ ...me, handler: () => (ran = true) }, { caller: ada, accounts });
    expect(outcome.kind).toBe('fault');
    expect(ran).toBe(false);
  });

  it('finds no account for tools that act for nobody', async () => {
    let asked = 0;
    const handler = () => McpRequestContext.account() === undefined;
    const outcome = await call({ handler }, { caller: ada, accounts: () => ((asked += 1), person) });
    expect(resultOf(outcome)).toEqual(text('true'));
    expect(asked).toBe(0);
  });
});

describe('a list of faults', () => {
  it('T7: says the first twenty and counts the rest', () => {
    const faults = Array.from({ length: 25 }, (_, at) => ({ path: `a[${at}]`, expected: 'must be a string' }));
    const lines = new McpArgumentFault(faults).message.split('\n');
    expect(lines).toHaveLength(22);
    expect(lines.at(-1)).toBe('and 5 more');
  });

  it('T7: stays short, whatever was sent', () => {
    const faults = Array.from({ length: 25 }, () => ({ path: 'x'.repeat(10_000), expected: 'y'.repeat(10_000) }));
    expect(new McpArgumentFault(faults).message.length).toBeLessThanOrEqual(4_000);
  });
});

async function* asyncOf(...values: unknown[]) {
  for (const value of values) yield value;
}

function foreignException(status: number, message: string): Error {
  return Object.assign(new Error(message), { getStatus: () => status, getResponse: () => ({ message }) });
}
