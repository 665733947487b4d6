import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { jest } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { McpModule, type McpGateSettings } from 'nestjs-mcp-gate';
import { mcpTestKeys, mcpTestToken } from 'nestjs-mcp-gate/testing';
import type { McpCommandSurroundings } from '../../src/cli/surroundings.js';
import { PLATFORMS, serve, type Platform } from '../nest/serve.js';
import { aborted } from '../support/gates.js';
import { keep } from '../support/written.js';
import { MEMBERS_URL } from './apps/club.module.js';
import { DeskTools, seen, slow } from './apps/desk.module.js';
import { hangs } from './apps/hanging.module.js';
import { LEAKY_URL } from './apps/leaky.module.js';
import { runCommand, type Ended } from './run-command.js';

const APPS = fileURLToPath(new URL('apps', import.meta.url));
type Around = Partial<McpCommandSurroundings>;
type Call = (words: readonly string[], around?: Around) => Promise<Ended>;
const command: Call = (words, around = {}) => runCommand(['call', ...words], { cwd: APPS, ...around });

let served: { app: INestApplication; url: string; close(): Promise<void> } | undefined;

async function open(platform: Platform, settings: Partial<McpGateSettings>): Promise<Call> {
  const tool = { ...slow.tool, description: 'Takes its time.', annotations: { readOnlyHint: true } };
  const gate = McpModule.forRoot({ name: 'desk', tools: [DeskTools, tool], stream: { graceMs: 50 }, ...settings });
  served = await serve({ imports: [gate], providers: [DeskTools] }, { platform });
  const { url } = served;
  return (words, around) => command([...words, '--url', `${url}/mcp`], around);
}

const LEGACY = { protocol: { versions: ['2025-11-25' as const] } };
const OLDEST = { protocol: { versions: ['2025-03-26' as const] } };
const MODERN = { protocol: { versions: ['2026-07-28' as const] } };
const UNDISCOVERED = { protocol: { versions: ['2026-07-28' as const], discover: false } };

/** The same tools, in every way to call them. */
const WAYS: readonly (readonly [string, () => Promise<Call>])[] = [
  ['in process', async () => (words, around) => command([...words, '--module', 'desk.module.ts'], around)],
  ...PLATFORMS.map((platform) => [`over HTTP on ${platform}`, () => open(platform, {})] as const),
  ['over HTTP, in the newest revision alone', () => open('Express', MODERN)],
  ['over HTTP, in the newest revision alone and without discovery', () => open('Express', UNDISCOVERED)],
  ['over HTTP, in a revision with a handshake', () => open('Fastify', LEGACY)],
  ['over HTTP, in the oldest revision', () => open('Express', OLDEST)],
];

describe.each(WAYS)('nestjs-mcp-gate call, %s (N2)', (way, opened) => {
  let call: Call;

  beforeAll(async () => {
    call = await opened();
  });

  afterAll(async () => {
    await served?.close();
    served = undefined;
  });

  it('writes the text of the result to standard output and nothing else', async () => {
    expect(await call(['echo', '{"a":{"b":[1,"é"]}}'])).toEqual({
      code: 0,
      stdout: '{"a":{"b":[1,"é"]}}\n',
      stderr: '',
    });
    expect((await call(['echo'])).stdout).toBe('{}\n');
    expect((await call(['whoami'])).stdout).toBe('nobody: \n');
  });

  it('takes the arguments from standard input', async () => {
    const stdin = Readable.from([Buffer.from('{"a":'), Buffer.from('1}\n')]);
    expect(await call(['echo', '-'], { stdin })).toEqual({ code: 0, stdout: '{"a":1}\n', stderr: '' });
  });

  it('writes the whole result as JSON', async () => {
    const { code, stdout } = await call(['refuse', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'Nothing is in stock.' }],
    });
  });

  it('exits with 1 when the tool fails, and still writes what it says', async () => {
    expect(await call(['refuse'])).toEqual({
      code: 1,
      stdout: 'Nothing is in stock.\n',
      stderr: 'The tool says that it failed (isError).\n',
    });
  });

  it('exits with 1 when the gate answers by an error, and writes nothing to standard output', async () => {
    const { code, stdout, stderr } = await call(['nosuch']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^-32602: Unknown tool: nosuch\n/);
    const json = await call(['nosuch', '--json']);
    expect(JSON.parse(json.stdout)).toEqual({ error: { code: -32602, message: 'Unknown tool: nosuch' } });
  });

  it('shows nothing of why a tool broke but what a client is told', async () => {
    const { code, stdout, stderr } = await call(['break']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^-32603: .*break/m);
    // The log of the server has it, which in process is seen as well.
    expect(stderr.match(/database is on fire/g) ?? []).toHaveLength(way === 'in process' ? 1 : 0);
  });

  it('shows progress in lines where there is no terminal', async () => {
    const ended = call(['slow']);
    const { run, finish } = await slow.next();
    run.progress(1, 4, 'step 1');
    run.progress(2, 4, 'step \u001b[31m2\n');
    finish('all done');
    expect(await ended).toEqual({
      code: 0,
      stdout: 'all done\n',
      stderr: ' 25 % step 1\n 50 % step [31m2\n',
    });
  });

  it('shows a bar on a terminal, and takes it away before the result', async () => {
    let stderr = '';
    const err = (text: string) => void (stderr += text);
    const terminal = { out: false, err: true, columns: 40 };
    const ended = call(['slow'], { err, terminal, env: { NO_COLOR: '1' } });
    const { run, finish } = await slow.next();
    run.progress(1, 4, 'one of many steps');
    run.progress(5, 4);
    finish('all done');
    expect(await ended).toMatchObject({ code: 0, stdout: 'all done\n' });
    expect(stderr.split('\r\u001b[K')).toEqual([
      '',
      '[######------------------]  25 % one o…',
      '[########################] 100 %',
      '',
    ]);
  });

  it('keeps the bar on one line of the terminal, whatever is said beside it', async () => {
    let stderr = '';
    const err = (text: string) => void (stderr += text);
    const ended = call(['slow'], { err, terminal: { out: false, err: true, columns: 44 }, env: { NO_COLOR: '1' } });
    const { run, finish } = await slow.next();
    run.progress(1, 4, '索引を作り直す 🚀');
    run.progress(2, 4, 'ten letter');
    finish('done');
    await ended;
    const bars = stderr.split('\r\u001b[K').filter((bar) => bar !== '');
    expect(bars).toEqual(['[######------------------]  25 % 索引を作…', '[############------------]  50 % ten letter']);
  });

  it('cancels the call on Ctrl-C: the run is aborted at the server', async () => {
    const pressed = new AbortController();
    const ended = call(['slow'], { interrupted: pressed.signal });
    const { run } = await slow.next();
    const abortion = aborted(run);
    pressed.abort(new Error('Interrupted.'));
    expect(await ended).toEqual({ code: 130, stdout: '', stderr: 'Cancelled.\n' });
    expect(await abortion).toMatch(/^The client (cancelled the call|closed the connection)\.$/);
  });

  it('cancels a call that has reported progress, too', async () => {
    const pressed = new AbortController();
    const heard = new Promise<void>((resolve) => {
      const err = (text: string) => (text.includes('under way') ? resolve() : undefined);
      void call(['slow'], { interrupted: pressed.signal, err }).then(({ code }) => codes.push(code));
    });
    const codes: number[] = [];
    const { run } = await slow.next();
    const abortion = aborted(run);
    run.progress(1, undefined, 'under way');
    await heard;
    pressed.abort(new Error('Interrupted.'));
    expect(await abortion).toMatch(
      way.includes('handshake') || way.includes('oldest') || way === 'in process'
        ? /cancelled the call/
        : /closed the connection/,
    );
  });

  it('sends what must travel in headers as well', async () => {
    expect((await call(['local', '{"region":"Köln"}'])).stdout).toBe('{"region":"Köln"}\n');
    expect((await call(['local'])).stdout).toBe('{}\n');
  });

  it('names what it cannot show', async () => {
    expect(await call(['draw'])).toEqual({
      code: 0,
      stdout: way.includes('oldest') ? 'A door.\ndoor: desk://door\n' : 'A door.\n',
      stderr:
        'Not shown: image, image/png. --json has it.\n' +
        (way.includes('oldest') ? '' : 'Not shown: resource_link, desk://door. --json has it.\n'),
    });
    expect(await call(['nothing'])).toEqual({ code: 0, stdout: '', stderr: 'The result is empty.\n' });
  });

  it('writes no command to a terminal as JSON either, which stays what it is', async () => {
    const text = 'C1: \u009b31m, DEL: \u007f, \u202eback';
    const { stdout } = await call(['echo', JSON.stringify({ text }), '--json']);
    expect(stdout).not.toMatch(/[\u007f-\u009f\u202e]/);
    expect(stdout).toContain('\\u009b31m');
    expect(JSON.parse(JSON.parse(stdout).content[0].text)).toEqual({ text });
  });

  it('writes a text as it is, but no command to a terminal', async () => {
    expect((await call(['escape'])).stdout).toBe('red: \u001b[31mred\u0007\r\n\tnext \u202eline\n');
    const terminal = { out: true, err: false, columns: 80 };
    expect((await call(['escape'], { terminal })).stdout).toBe('red: �[31mred�\n\tnext �line\n');
  });
});

describe('arguments that are no JSON object', () => {
  it.each([
    ['text', 'sku', /^The arguments are no JSON: something is wrong at line 1, column 1\. Write one such as/],
    ['a password without quotes', '{"a":1,\n "b": hunter2}', /^The arguments are no JSON: .* line 2, column 7\. Write/],
    ['a comment', '{"a":1}// b', /^The arguments are no JSON: .* line 1, column 8\. Write/],
    ['what does not end', '{"a":"b', /^The arguments are no JSON: .* line 1, column 6\. Write/],
    ['an array', '[1]', /^The arguments are an array, not a JSON object\. Write one such as/],
    ['null', 'null', /^The arguments are null, not a JSON object\./],
    ['a number', '7', /^The arguments are a number, not a JSON object\./],
    ['a text in quotes', '"hunter2"', /^The arguments are a string, not a JSON object\./],
    ['nothing', '', /^The arguments are no JSON/],
  ])('are refused before anything is called or started: %s', async (_, json, says) => {
    const before = { ...seen, calls: [...seen.calls] };
    const { code, stdout, stderr } = await command(['echo', json, '--module', 'desk.module.ts']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(says);
    expect(stderr).toMatch(/Nothing was called\.\n$/);
    expect(stderr).not.toContain('hunter2'); // it may be a secret
    const piped = await command(['echo', '-', '--module', 'desk.module.ts'], { stdin: Readable.from([json]) });
    expect(piped.stderr).toMatch(new RegExp(says.source.replace('The arguments are', 'Standard input is')));
    expect(seen).toEqual(before);
  });

  it('are asked for at a terminal, which would wait without a word', async () => {
    const stdin = Object.assign(Readable.from(['{"a":1}']), { isTTY: true });
    const { stdout, stderr } = await command(['echo', '-', '--module', 'desk.module.ts'], { stdin });
    expect([stdout, stderr]).toEqual(['{"a":1}\n', 'Write the arguments, and Ctrl-D behind them.\n']);
  });

  it('are not waited for after Ctrl-C', async () => {
    const pressed = new AbortController();
    let begin: () => void;
    const reading = new Promise<void>((resolve) => (begin = resolve));
    const stdin = new Readable({ read: () => begin() });
    const ended = command(['echo', '-', '--module', 'desk.module.ts'], { stdin, interrupted: pressed.signal });
    await reading;
    pressed.abort(new Error('Interrupted.'));
    expect(await ended).toEqual({ code: 130, stdout: '', stderr: 'Cancelled.\n' });
    expect(stdin.destroyed).toBe(true);
  });
});

describe('a call in process', () => {
  const call: Call = (words, around) => command([...words, '--module', 'club.module.ts'], around);
  const quiet = (stderr: string) => stderr.split('\n').filter((line) => line !== '' && !line.startsWith('[Nest]'));

  it('is that of a stranger, of somebody with scopes, or of the bearer of a token', async () => {
    const as = ['--as', 'club:write', '--account', 'ann'];
    expect((await call(['card', '--gate', 'mixed', ...as])).stdout).toBe('ann; club:write club:read; author\n');
    expect((await call(['bookings', '--gate', 'mixed', ...as])).stdout).toBe('bookings of account-ann\n');
    const token = keep(await mcpTestToken({ account: 'ann', resource: MEMBERS_URL, scopes: ['club:read'] }));
    const bearer = await call(['card', '--gate', 'members', '--token-env', 'T'], { env: { T: token } });
    expect(bearer.stdout).toBe('ann; club:read; \n');
  });

  it('of a tool that is withheld says why, to the developer', async () => {
    const { code, stderr } = await call(['report', '--gate', 'mixed']);
    expect(code).toBe(1);
    expect(quiet(stderr)).toEqual([
      '-32602: Unknown tool: report',
      'The tool "report" is withheld from this caller: it needs the scopes club:read.',
    ]);
    const unknown = await call(['reprot', '--gate', 'mixed']);
    expect(quiet(unknown.stderr)[1]).toMatch(/^The gate "mixed" has no tool "reprot", only hours, card, report/);
  });

  it('that needs more scopes names them all', async () => {
    const { code, stderr } = await call(['report', '{"publish":true}', '--gate', 'members', '--as', 'club:read']);
    expect(code).toBe(1);
    expect(quiet(stderr)).toEqual([
      '-32600: Tool report needs more authorization for this call: the scopes club:read, club:write.',
    ]);
  });

  it('at a gate that asks for a token needs somebody who calls', async () => {
    const { code, stderr } = await call(['hours', '--gate', 'members']);
    expect(code).toBe(1);
    expect(quiet(stderr)).toEqual([
      'members: the gate serves nobody without a token. Say who calls, with --token-env or --as.',
    ]);
  });

  it('writes the token nowhere, whatever the application prints', async () => {
    const token = keep(await mcpTestToken({ account: 'ann', resource: LEAKY_URL }));
    const words = ['leak', JSON.stringify({ secret: token }), '--module', 'leaky.module.ts', '--token-env', 'T'];
    const { stdout, stderr } = await command(words, { env: { T: token } });
    expect(stdout).toBe('result (token)\n');
    expect(stderr).toBe('out (token)\nerr (token)\n');
  });

  it.each([
    ['after a result', [], 'done\n', ''],
    [
      'after a fault, which is said last',
      ['--gate', 'none'],
      '',
      'No gate is called "none". The gates are: hanging.\n',
    ],
  ])('does not wait for ever for an application that does not close, %s', async (_, words, stdout, fault) => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    try {
      const ended = command(['quick', '--module', 'hanging.module.ts', ...words]);
      await hangs();
      jest.advanceTimersByTime(10_000);
      const stderr = `The shutdown hooks took longer than 10 seconds.\n${fault}`;
      expect(await ended).toEqual({ code: 1, stdout, stderr });
    } finally {
      jest.useRealTimers();
    }
  });

  it('says of a tool that is not there nothing that a terminal obeys', async () => {
    const { stderr } = await command(['no\u001b[31msuch', '--module', 'desk.module.ts']);
    expect(stderr).toMatch(/^-32602: Unknown tool: no \[31msuch\nThe gate "desk" has no tool "no\ufffd\[31msuch"/);
  });

  it('closes the application, however the call ends', async () => {
    const desk: Call = (words) => command([...words, '--module', 'desk.module.ts']);
    const before = seen.closed;
    for (const tool of ['echo', 'refuse', 'break', 'nosuch']) await desk([tool]);
    expect(seen.closed - before).toBe(4);
  });
});

describe('a call at an address', () => {
  it('shows a token, and never writes it', async () => {
    const authorization = { ownKeys: mcpTestKeys(), publicUrl: MEMBERS_URL };
    const gate = McpModule.forRoot({ name: 'desk', authorization, tools: [DeskTools] });
    const { url, app } = await serve({ imports: [gate], providers: [DeskTools] });
    try {
      const call: Call = (words, around) => command([...words, '--url', `${url}/mcp`], around);
      const token = keep(await mcpTestToken({ account: 'ann', resource: MEMBERS_URL, scopes: ['desk:ledger'] }));
      const bearing = (T: string): [string[], Around] => [['--token-env', 'T'], { env: { T } }];
      const [words, around] = bearing(token);
      expect(await call(['whoami', ...words], around)).toMatchObject({ code: 0, stdout: 'ann: desk:ledger\n' });
      const echo = await call(['echo', JSON.stringify({ said: token }), ...words], around);
      expect(echo.stdout).toBe('{"said":"(token)"}\n');

      const stranger = await call(['whoami']);
      expect([stranger.code, stranger.stdout]).toEqual([1, '']);
      expect(stranger.stderr).toMatch(
        /^401 and -32600.*valid access token.*\nName the environment variable .* --token-env\.\n$/,
      );
      const other = keep(await mcpTestToken({ account: 'ann', resource: 'https://other.example/mcp' }));
      const [, refused] = bearing(other);
      expect((await call(['whoami', ...words], refused)).stderr).toMatch(/^401.*\nThe token is not taken, .*doctor/);
    } finally {
      await app.close();
    }
  });

  it.each([
    ['nowhere', [], /^Say where the tool is: --module .*, or --url/],
    ['in both places', ['--module', 'x', '--url', 'http://a/b'], /^--module and --url are two ways to a tool/],
    ['with scopes at an address', ['--url', 'http://a/b', '--as', 'x'], /^--as goes with --module\. .*--token-env/],
    ['with a gate at an address', ['--url', 'http://a/b', '--gate', 'x'], /^--gate goes with --module/],
    ['as two callers', ['--module', 'x', '--as', 'a', '--token-env', 'T'], /name two callers/],
    ['with a variable that is not set', ['--url', 'http://a/b', '--token-env', 'NOT_SET'], /NOT_SET is not set/],
    ['with a token', ['--url', 'http://a/b', '--token', 'hunter2'], /^A token is never written on the command line/],
    [
      'with a token behind an equals sign',
      ['--token=hunter2'],
      /^A token is never written on the command line: --token-env/,
    ],
    ['with a token for a name', ['--token-env', 'sk_hunter2abcdefghijklm'], /^--token-env takes the NAME/],
    ['with an option that is none', ['--tokn=hunter2'], /^error: unknown option '--tokn'\n/],
    ['at what is no address', ['--url', 'localhost'], /Write the address of a gate/],
  ])('is refused %s, with the way out', async (_, words, says) => {
    const { code, stdout, stderr } = await command(['echo', ...words]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(says);
    expect(stderr).not.toContain('hunter2');
  });

  it('warns of a token that others can read on its way', async () => {
    const interrupted = AbortSignal.abort(new Error('Interrupted.'));
    const words = ['echo', '--url', 'http://shop.example/mcp', '--token-env', 'T'];
    const { stderr } = await command(words, { env: { T: 'a-token' }, interrupted });
    expect(stderr).toMatch(/^The token travels unencrypted: .*https\.\n/);
  });

  it('needs the tool', async () => {
    expect((await command([])).stderr).toMatch(/missing required argument 'tool'/);
  });
});
