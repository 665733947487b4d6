import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { Test } from '@nestjs/testing';
import { authorizationMatrix, mcpTestToken } from 'nestjs-mcp-gate/testing';
import { catalogueInWords } from '../../src/cli/catalogue/report.js';
import { STRANGE_KEYS, tokenFor } from '../authorization/tokens.js';
import { LogBook } from '../nest/serve.js';
import { keep } from '../support/written.js';
import ClubModule, { MEMBERS_URL, worked } from './apps/club.module.js';
import { seen } from './apps/desk.module.js';
import { begun } from './apps/stuck.module.js';
import { runCommand } from './run-command.js';

const APPS = fileURLToPath(new URL('apps', import.meta.url));
const catalogue = (words: readonly string[], surroundings: object = {}) =>
  runCommand(['catalogue', ...words], { cwd: APPS, ...surroundings });
const club = (...words: string[]) => catalogue(['club.module.ts', ...words]);
/** Names and standings, as the table has them. */
const rows = (stdout: string) =>
  [...stdout.matchAll(/^(\w+) +\d+ {2}[\w.]+ +(\S.*)$/gm)].map(([, name, standing]) => [name, standing]);

describe('nestjs-mcp-gate catalogue (N2)', () => {
  it('prints the tools that a stranger finds, with their sizes, and why the others are hidden', async () => {
    const { code, stdout, stderr } = await club('--gate', 'mixed');
    expect(code).toBe(0);
    expect(stderr).toMatch(/^\[Nest\] .* WARN \[McpGate\] moving: tool bookings acts for a user.*\n$/);
    expect(stdout).toBe(`mixed, as a stranger finds it

TOOL        TOKENS  DECLARED BY            FOR THE CALLER
hours           33  ClubTools.hours        visible
menu_today      23  ClubTools.getMcpTools  visible
card            33  ClubTools.card         hidden: it needs an authenticated caller
report          33  ClubTools.report       hidden: it needs the scopes club:read
bookings        34  ClubTools.bookings     hidden: it needs an authenticated caller
cellar          31  ClubTools.cellar       hidden: a guard refused it

2 of 6 tools, about 56 tokens: an estimate, the characters of name, description and input schema
divided by 4. Models and clients differ.

The checks have nothing to say.
`);
  });

  it('prints them as somebody with scopes finds them, with what the scopes contain and stand for', async () => {
    const { stdout } = await club('--gate', 'mixed', '--as', 'club:write', '--account', 'ann');
    expect(stdout).toContain('mixed, as ann with club:write, club:read finds it\n');
    expect(rows(stdout)).toEqual([
      ['hours', 'visible'],
      ['card', 'visible'],
      ['report', 'visible; its arguments may ask for more scopes'],
      ['bookings', 'visible'],
      ['menu_today', 'visible'],
      ['cellar', 'hidden: a guard refused it'],
    ]);
    const signedIn = await club('--gate', 'mixed', '--as', '');
    expect(signedIn.stdout).toContain('mixed, as a caller without scopes finds it\n');
    expect(rows(signedIn.stdout)).toContainEqual(['card', 'visible']);
  });

  it('writes nothing that a terminal obeys, whoever calls', async () => {
    const { stdout } = await club('--gate', 'mixed', '--as', '', '--account', 'a\u009bnn');
    expect(stdout).toContain('mixed, as a nn without scopes finds it\n');
    const json = await club('--gate', 'mixed', '--as', 'x', '--account', 'a\u009bnn', '--json');
    expect(json.stdout).toContain('"subject": "a\\u009bnn"');
    const caller = { authenticated: false, scopes: [], roles: [] };
    const tool = { name: 'hours', listed: false, call: 'withheld', tokens: 1, faults: [] } as const;
    const tools = [{ ...tool, origin: 'Club.\u001b[2Jhours', reason: 'it is\r late' }];
    const report = { gate: 'club', caller, sound: true, tokens: 0, tools, discarded: [] };
    expect(catalogueInWords(report, (_, text) => text, 80)).toContain('Club. [2Jhours  hidden: it is late\n');
  });

  it('gives the reasons that the matrix of permissions gives, and shows them in no other order than a client', async () => {
    const testing = await Test.createTestingModule({ imports: [ClubModule] })
      .setLogger(new LogBook())
      .compile();
    const app = await testing.init();
    try {
      const callers = { stranger: {}, reader: { authenticated: true, scopes: ['club:read'] } };
      for (const gate of ['members', 'mixed', 'open']) {
        const { tools } = await authorizationMatrix(app, callers, { gate });
        for (const [name, words] of [
          ['stranger', []],
          ['reader', ['--as', 'club:read']],
        ] as const) {
          const { stdout } = await club('--gate', gate, '--json', ...words);
          const read = JSON.parse(stdout).tools as Record<string, any>[];
          expect(Object.fromEntries(read.map((tool) => [tool['name'], tool['reason']]))).toEqual(
            Object.fromEntries(Object.entries(tools).map(([tool, cells]) => [tool, cells[name].reason])),
          );
        }
      }
    } finally {
      await app.close();
    }
  });

  it('says of a gate that asks for a token that a stranger finds nothing there', async () => {
    const { code, stdout } = await club('--gate', 'members');
    expect(code).toBe(0);
    expect(new Set(rows(stdout).map(([, standing]) => standing))).toEqual(
      new Set(['hidden: the gate serves nobody without a token']),
    );
  });

  it('remarks that scopes are of no use at a gate that authenticates nobody', async () => {
    const { stderr, stdout } = await club('--gate', 'open', '--as', 'club:read');
    expect(stderr).toContain('The gate "open" authenticates nobody: over HTTP all its callers are strangers.\n');
    expect(rows(stdout)).toContainEqual(['report', expect.stringContaining('visible')]);
    expect(JSON.parse((await club('--gate', 'open', '--json')).stdout).caller.roles).toEqual(['guest']);
  });

  it('calls no tool, closes the application that it has started, and gives the streams of the process back', async () => {
    const before = seen.closed;
    const streams = [process.stdout, process.stderr].map((stream) => Object.getOwnPropertyDescriptor(stream, 'write'));
    await catalogue(['desk.module.ts', '--as', 'desk:ledger']);
    await club('--gate', 'open');
    expect([seen.closed - before, seen.calls, worked]).toEqual([1, [], []]);
    expect([process.stdout, process.stderr].map((stream) => Object.getOwnPropertyDescriptor(stream, 'write'))).toEqual(
      streams,
    );
  });

  it('opens no port', async () => {
    const listening: unknown[] = [];
    const { listen } = createServer().constructor.prototype as { listen: (...args: unknown[]) => unknown };
    const prototype = createServer().constructor.prototype as { listen: unknown };
    prototype.listen = function (...args: unknown[]) {
      listening.push(args);
      return listen.apply(this, args);
    };
    try {
      expect((await catalogue(['desk.module.ts'])).code).toBe(0);
    } finally {
      delete prototype.listen;
    }
    expect(listening).toEqual([]);
  });
});

describe('the bearer of a token', () => {
  const as = (token: string, ...words: string[]) =>
    catalogue(['club.module.ts', '--token-env', 'CLUB_TOKEN', ...words], { env: { CLUB_TOKEN: keep(token) } });
  const member = (resource = MEMBERS_URL, ttlSec = 60) =>
    mcpTestToken({ account: 'ann', resource, scopes: ['club:read'], ttlSec });

  it('is whom the gate takes it for', async () => {
    const { code, stdout, stderr } = await as(await member(), '--gate', 'members');
    expect(code).toBe(0);
    expect(stderr).not.toContain('token');
    expect(stdout).toContain('members, as ann with club:read finds it\n');
    expect(rows(stdout)).toContainEqual(['bookings', 'visible']);
  });

  it('is nobody when the token is for another address, or of somebody else: no catalogue, and the reason', async () => {
    const other = await as(await member('https://other.example/mcp'), '--gate', 'members');
    expect([other.code, other.stdout]).toEqual([1, '']);
    expect(other.stderr).toContain(
      `The gate "members" refuses the token in CLUB_TOKEN: audience-other. It was checked for ${MEMBERS_URL}.\n`,
    );
    const forged = await as(await tokenFor(MEMBERS_URL, { key: STRANGE_KEYS }), '--gate', 'members');
    expect(forged.stderr).toMatch(/refuses the token in CLUB_TOKEN: (key-unknown|signature-invalid)\./);
  });

  it('is a stranger at a mixed gate that refuses it, and is told so', async () => {
    const { code, stdout, stderr } = await as(await member('https://other.example/mcp'), '--gate', 'mixed');
    expect(code).toBe(0);
    expect(stderr).toMatch(/audience-other.* Its bearer is served as a stranger\.\n$/s);
    expect(stdout).toContain('mixed, as a stranger finds it\n');
  });

  it('must say for which address the token is, where the gate takes it from the request', async () => {
    const url = 'http://127.0.0.1:3000/moving';
    const without = await as(await member(url), '--gate', 'moving');
    expect([without.code, without.stderr]).toEqual([
      1,
      expect.stringMatching(/takes its address from each request.* --resource http:\/\/127\.0\.0\.1:3000\/moving\.\n$/),
    ]);
    expect((await as(await member(url), '--gate', 'moving', '--resource', url)).code).toBe(0);
    expect((await as(await member(url), '--gate', 'moving', '--resource', `${url}/x`)).code).toBe(1);
  });

  it('finds a gate that takes no tokens', async () => {
    const { code, stderr } = await as(await member(), '--gate', 'open');
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('The gate "open" takes no tokens: it has no "authorization". Leave --token-env out.\n'),
    ]);
  });
});

describe('the checks of a catalogue', () => {
  it('name what is to be mended, and what is not served at all, and exit with 1', async () => {
    const { code, stdout, stderr } = await catalogue(['faulty.module.ts'], {
      terminal: { out: false, err: false, columns: 1_000 },
    });
    expect(code).toBe(1);
    expect(stdout).not.toContain('nothing to say');
    const told = stdout
      .split('divide')
      .at(-1)!
      .split('\n')
      .slice(2)
      .filter((line) => line !== '');
    expect(told).toEqual([
      expect.stringMatching(/^discarded {4}FaultyTools\.badName \(tool "bad name"\): its name must be/),
      expect.stringMatching(/^discarded {4}FaultyTools\.getMcpTools \(tool "fresh"\): its description is missing/),
      expect.stringMatching(/^annotations {2}Tool "silent": say with readOnlyHint/),
      expect.stringMatching(/^annotations {2}Tool "silent": say with openWorldHint/),
      expect.stringMatching(/^portability {2}Tool "pairs": its input schema has a tuple \(pairs\)/),
    ]);
    expect(stderr).toContain('Not served: FaultyTools.badName');
  });

  it('are not at peace with a declaration that is not served, though all others are sound', async () => {
    const { code, stdout } = await catalogue(['discarding.module.ts', '--json']);
    const { sound, tools, discarded } = JSON.parse(stdout);
    expect([code, sound, tools, discarded]).toEqual([1, false, [], [expect.objectContaining({ name: 'bad name' })]]);
    expect((await catalogue(['discarding.module.ts'])).stdout).toContain('There are no tools.\n');
  });

  it('are for machines too', async () => {
    const { code, stdout } = await catalogue(['faulty.module.ts', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      gate: 'faulty',
      caller: { authenticated: false, scopes: [], roles: [] },
      sound: false,
      tokens: 77,
      tools: [
        {
          name: 'silent',
          origin: 'FaultyTools.silent',
          listed: true,
          call: 'allowed',
          tokens: 34,
          faults: [
            { check: 'annotations', message: expect.stringContaining('readOnlyHint') },
            { check: 'annotations', message: expect.stringContaining('openWorldHint') },
          ],
        },
        {
          name: 'pairs',
          origin: 'FaultyTools.pairs',
          listed: true,
          call: 'allowed',
          tokens: 43,
          faults: [{ check: 'portability', message: expect.stringContaining('a tuple (pairs)') }],
        },
      ],
      discarded: [
        { origin: 'FaultyTools.badName', name: 'bad name', reason: expect.stringContaining('its name must be') },
        { origin: 'FaultyTools.getMcpTools', name: 'fresh', reason: expect.stringContaining('description') },
      ],
    });
  });

  it('leave out what clients mishandle when they are told to', async () => {
    const { stdout } = await catalogue(['faulty.module.ts', '--no-portability']);
    expect(stdout).not.toContain('portability');
    expect(stdout).toContain('annotations');
    const clean = await catalogue(['club.module.ts', '--gate', 'open', '--no-portability', '--json']);
    expect([clean.code, JSON.parse(clean.stdout).sound]).toEqual([0, true]);
  });

  it('count the name of the gate with that of a tool', async () => {
    const { stdout } = await catalogue(['long-names.module.ts', '--json']);
    expect(JSON.parse(stdout).tools[0].faults).toEqual([
      { check: 'portability', message: expect.stringContaining('its name and "a-gate-with-a-name-of-its-own" are 60') },
    ]);
  });
});

describe('what stands in the way of a catalogue', () => {
  it.each([
    ['several gates', ['club.module.ts'], /The application has the gates members, mixed, moving, open: .* --gate\.\n$/],
    ['a gate of another name', ['club.module.ts', '--gate', 'memebers'], /No gate is called "memebers"/],
    ['a gate that is shut', ['club.module.ts', '--gate', 'shut'], /The gate "shut" is not enabled/],
    ['no gate at all', ['../modules/by-name.ts'], /has no gate: import McpModule\.forRoot\(\)/],
    ['no such file', ['dist/app.module.js'], /no file dist\/app\.module\.js in .*apps\. Build the application/],
    [
      'an application that does not start',
      ['failing.module.ts'],
      /failing\.module\.ts does not start: .*SHOP_DATABASE_URL/,
    ],
    ['two callers', ['desk.module.ts', '--as', 'a', '--token-env', 'T'], /--as and --token-env name two callers/],
    ['an account alone', ['desk.module.ts', '--account', 'ann'], /--account goes with --as/],
    ['a resource alone', ['desk.module.ts', '--resource', 'http://a/b'], /--resource goes with --token-env/],
    ['a variable that is not set', ['desk.module.ts', '--token-env', 'NOT_SET'], /NOT_SET is not set/],
    ['a token in its place', ['desk.module.ts', '--token-env', 'eyJ.x.y'], /takes the NAME/],
    ['no file', [], /missing required argument 'module file'/],
  ])('is told, with the way out: %s', async (_, words, says) => {
    const { code, stdout, stderr } = await catalogue(words);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(says);
    expect(stderr).not.toContain('eyJ.x.y');
  });

  it('is Ctrl-C while the application starts', async () => {
    const pressed = new AbortController();
    const ended = catalogue(['stuck.module.ts'], { interrupted: pressed.signal });
    await begun;
    pressed.abort(new Error('Interrupted.'));
    expect(await ended).toEqual({ code: 130, stdout: '', stderr: '' });
  });
});
