/**
 * Many callers at once, each with tools of its own: no list and no call ever holds anything of another's (A2, P13, R5).
 */
import { Injectable, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import {
  ActsForUser,
  Annotations,
  Caller,
  McpExecutionContext,
  McpRequestContext,
  McpTool,
  RequireAuth,
  RequireScopes,
  type McpCaller,
  type McpToolProvider,
} from 'nestjs-mcp-gate';
import type { McpVersion } from '../../src/protocol/revisions.js';
import { PLATFORMS, type Served } from '../nest/serve.js';
import { request } from '../support/protocol.js';
import { judgeTheLog, open } from './log-watch.js';
import { protectedGate, READS } from './shop.js';
import { bearing, STRANGE_KEYS, tokenFor } from './tokens.js';

const NAMES = ['ada', 'bob', 'cid', 'dot', 'eve', 'fay', 'gus', 'hal', 'ivy', 'joe'] as const;
const FREE = { type: 'object', additionalProperties: true };
const described = (name: string) => ({ name, description: `The tool ${name}.`, inputSchema: FREE });

/** Lets others go first, for a while that differs from call to call. */
let turn = 0;
async function pause(): Promise<void> {
  turn = (turn * 7 + 3) % 11;
  for (let left = turn; left > 0; left -= 1) await new Promise((done) => setImmediate(done));
  if (turn > 7) await new Promise((done) => setTimeout(done, 1));
}

/** Leaves a tool to those whose name stands in its own. */
@Injectable()
class NameGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { caller, tool } = McpExecutionContext.of(context)!;
    await pause();
    const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, string> }>();
    // The request that a guard sees is the caller's own.
    return tool!.name.includes(caller.subject ?? 'nobody') && headers['x-said'] === caller.subject;
  }
}

/** What a tool knows of its caller by three ways, at two times. */
async function identity(caller: McpCaller): Promise<string> {
  const once = [caller.subject, McpRequestContext.caller()?.subject];
  await pause();
  return [...once, McpRequestContext.caller()?.subject, ...caller.scopes].join(' ');
}

class CrowdTools {
  @McpTool(described('everybody'))
  @Annotations(READS)
  everybody(@Caller() caller: McpCaller) {
    return identity(caller);
  }

  @McpTool(described('known'))
  @Annotations(READS)
  @RequireAuth()
  known(@Caller() caller: McpCaller) {
    return identity(caller);
  }

  @McpTool(described('acting'))
  @Annotations(READS)
  @ActsForUser()
  @RequireScopes('acts')
  async acting() {
    await pause();
    return `${McpRequestContext.account()?.id} ${McpRequestContext.caller()?.roles.join()}`;
  }
}

/** One tool for each pair of callers, by a guard; and one for each caller, by a scope. */
@UseGuards(NameGuard)
class PairTools implements McpToolProvider {
  async getMcpTools() {
    await pause();
    const pairs = NAMES.map((name, at) => `${name}_${NAMES[(at + 1) % NAMES.length]}`);
    return pairs.map((name) => ({
      ...described(name),
      annotations: READS,
      handler: (_: object, caller: McpCaller) => identity(caller),
    }));
  }
}

class OwnTools implements McpToolProvider {
  getMcpTools() {
    return NAMES.map((name) => ({
      ...described(`of_${name}`),
      annotations: READS,
      scopes: [`of:${name}`],
      handler: (_: object, caller: McpCaller) => identity(caller),
    }));
  }
}

interface Person {
  readonly name: string;
  readonly known: boolean;
  readonly headers: Record<string, string>;
  readonly scopes: readonly string[];
  /** What it has, and nothing else, in this order. */
  readonly tools: readonly string[];
}

describe.each(PLATFORMS)('Ten callers at once on %s', (platform) => {
  let gate: Served;
  let people: Person[];

  beforeAll(async () => {
    const accounts = async ({ subject = '' }: McpCaller) => {
      await pause();
      return { id: `account of ${subject}`, roles: [`role of ${subject}`], active: true };
    };
    const tools = [CrowdTools, PairTools, OwnTools];
    const imports = [protectedGate({ tools, accounts, authorization: { anonymous: true } })];
    gate = await open({ imports, providers: [...tools, NameGuard] }, { platform });
    people = await Promise.all(NAMES.map((name, at) => person(name, at)));
  });
  afterAll(() => gate.close());

  async function person(name: string, at: number): Promise<Person> {
    const said = { 'x-said': name };
    const resource = `${gate.url}/mcp`;
    if (at === 8) return { name: '', known: false, headers: said, scopes: [], tools: ['everybody'] };
    const scopes = [`of:${name}`, ...(at % 2 === 0 ? ['acts'] : [])];
    if (at === 9) {
      const forged = bearing(await tokenFor(resource, { account: name, scopes, key: STRANGE_KEYS })).headers;
      return { name: '', known: false, headers: { ...said, ...forged }, scopes: [], tools: ['everybody'] };
    }
    const { headers } = bearing(await tokenFor(resource, { account: name, scopes }));
    const before = NAMES[(at + NAMES.length - 1) % NAMES.length]!;
    const pairs = [`${name}_${NAMES[(at + 1) % NAMES.length]}`, `${before}_${name}`];
    const ordered = at === 0 ? pairs : pairs.toReversed();
    const tools = ['everybody', 'known', ...(at % 2 === 0 ? ['acting'] : []), ...ordered, `of_${name}`];
    return { name, known: true, headers: { ...said, ...headers }, scopes, tools };
  }

  async function ask(version: McpVersion, method: string, params: Record<string, unknown>, who: Person, id: number) {
    const { message, headers } = request(version, method, params, id);
    const init = { body: JSON.stringify(message), headers: { ...(headers as Record<string, string>), ...who.headers } };
    const { body } = await gate.send(init);
    expect(body.id).toBe(id);
    return body;
  }

  /** One request, of a kind that goes by its number, and the check of its answer. */
  async function one(number: number): Promise<string> {
    const who = people[number % people.length]!;
    const version = number % 3 === 0 ? '2026-07-28' : '2025-11-25';
    const place = `${number} of ${who.name || 'nobody'}`;
    const call = (name: string) => ask(version, 'tools/call', { name, arguments: { number } }, who, number);
    const round = Math.floor(number / people.length);
    if (round % 2 === 0) {
      const { result } = await ask(version, 'tools/list', {}, who, number);
      expect([place, result.tools.map(({ name }: { name: string }) => name)]).toEqual([place, who.tools]);
      return 'list';
    }
    const others = people.flatMap(({ tools }) => tools).filter((name) => !who.tools.includes(name));
    if (round % 4 === 1) {
      const name = others[number % others.length]!;
      expect([place, (await call(name)).error]).toEqual([place, { code: -32602, message: `Unknown tool: ${name}` }]);
      return 'refused';
    }
    const name = who.tools[number % who.tools.length]!;
    const { result } = await call(name);
    const subject = who.known ? who.name : '';
    const expected =
      name === 'acting'
        ? `account of ${subject} role of ${subject}`
        : [subject, subject, subject, ...who.scopes].join(' ');
    expect([place, name, result?.content[0].text]).toEqual([place, name, expected]);
    return 'called';
  }

  test('have their own lists and calls in 200 requests that are under way together (A2, P13, R5)', async () => {
    const kinds = await Promise.all(Array.from({ length: 200 }, (_, number) => one(number)));
    const count = (kind: string) => kinds.filter((each) => each === kind).length;
    expect([count('list'), count('refused'), count('called')]).toEqual([100, 50, 50]);
    expect(gate.log.of('error')).toEqual([]);
  });

  test('are told the same tools in the same order whenever they ask (P13)', async () => {
    const lists = await Promise.all(people.map((who) => gate.rpc('tools/list', {}, { headers: who.headers })));
    const again = await Promise.all(
      people.toReversed().map((who) => gate.rpc('tools/list', {}, { headers: who.headers })),
    );
    expect(again.toReversed().map(({ body }) => body.result)).toEqual(lists.map(({ body }) => body.result));
  });
});

judgeTheLog();
