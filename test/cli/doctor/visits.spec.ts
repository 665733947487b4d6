/** What the doctor does on a visit beside finding faults: it leaves sound gates alone, and keeps what it was told. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Injectable, Module } from '@nestjs/common';
import { Annotations, McpModule, McpTool } from '../../../src/index.js';
import type { Finding } from '../../../src/cli/doctor/finding.js';
import { FAULTS } from '../../../src/cli/doctor/faults.js';
import { KEYS, tokenFor } from '../../authorization/tokens.js';
import { PLATFORMS, serve as serveNest } from '../../nest/serve.js';
import { LocalIssuer, METADATA } from '../../oauth/local-issuer.js';
import { wordsFor } from '../../support/compiled.js';
import { makeTool } from '../../support/tools.js';
import { alsoRead, keep } from '../../support/written.js';
import { runCommand, type Ended } from '../run-command.js';
import { BROKEN, endBroken, tlsServer } from './broken.js';
import { closeServers, COUNTING, serve, serveGate, serveProxy } from './servers.js';

afterEach(async () => {
  await closeServers();
  await endBroken();
});

interface Asked {
  readonly token?: string;
  readonly interrupted?: AbortSignal;
  readonly terminal?: { out: boolean; err: boolean; columns: number };
}

function doctor(url: string, words: readonly string[] = [], { token, ...around }: Asked = {}): Promise<Ended> {
  const tokenWords = token === undefined ? [] : ['--token-env', 'SHOP_TOKEN'];
  const env = token === undefined ? {} : { SHOP_TOKEN: token };
  return runCommand(['doctor', '--url', url, ...tokenWords, ...words], { env, ...around });
}

const seenOf = ({ stdout }: Ended, verdict: Finding['verdict']) =>
  (JSON.parse(stdout) as { findings: Finding[] }).findings
    .filter((finding) => finding.verdict === verdict)
    .map(({ check, seen }) => `${check}: ${seen}`);

const COLOUR = new RegExp(`${String.fromCodePoint(27)}\\[\\d+m`, 'g');

describe('a sound gate', () => {
  it('is left alone, with everything looked at', async () => {
    const origin = 'https://app.example';
    const gate = await serveGate({ allowedOrigins: [origin] });
    const proxy = await serveProxy(gate);
    const words = ['--origin', origin, '--tool', 'count', '--args', '{"to":100}', '--idle', '1s', '--json'];
    const ended = await doctor(proxy.url, words);
    expect(seenOf(ended, 'change')).toEqual([]);
    expect(ended.code).toBe(0);
    expect(seenOf(ended, 'unchecked')).toEqual([]);
    expect(seenOf(ended, 'ok')).toEqual([
      expect.stringMatching(/^reach: 200 after \d+ ms$/),
      'token: no token is needed',
      'versions: 2026-07-28, 2025-11-25',
      'headers: Mcp-Method, Mcp-Name, MCP-Protocol-Version and Accept arrive',
      'headers: GET is answered with 405',
      'guards: a foreign Origin is turned away',
      'guards: a foreign Host is turned away',
      'protection: none: strangers are served',
      'cors: a page of https://app.example can call the gate',
      'body: 4.1 MB pass; the gate itself refuses 4.3 MB',
      'stream: streams are not compressed',
      expect.stringMatching(/^stream: \d+ pieces of progress of count came within \d+ ms$/),
      expect.stringMatching(/^stream: the stream of count is open after 1\.\d s \(longest silence 0\.\d s\)$/),
    ]);
  });

  it.each(PLATFORMS)('of Nest on %s is left alone', async (platform) => {
    @Injectable()
    class StockTools {
      @McpTool({ name: 'shop_stock', description: 'Stock of a product.' })
      @Annotations({ readOnlyHint: true, openWorldHint: false })
      read() {
        return 12;
      }
    }
    @Module({ imports: [McpModule.forRoot({ name: 'shop', path: '/api/mcp' })], providers: [StockTools] })
    class AppModule {}
    const served = await serveNest({ imports: [AppModule] }, { platform });
    try {
      const ended = await doctor(`${served.url.replace('[::1]', '127.0.0.1')}/api/mcp`, ['--json']);
      expect(seenOf(ended, 'change')).toEqual([]);
      expect(ended.code).toBe(0);
      expect(seenOf(ended, 'unchecked')).toEqual([
        'cors: no page is to call the gate',
        expect.stringMatching(/^stream: shop_stock showed nothing of buffering/),
        expect.stringMatching(/^stream: shop_stock was done after/),
      ]);
    } finally {
      await served.close();
    }
  });

  it('that wants tokens is left alone, with a token and without', async () => {
    const issuer = await LocalIssuer.start();
    try {
      const metadata = { issuer: issuer.url, code_challenge_methods_supported: ['S256'] };
      issuer.answers.set(METADATA, (_, res) => res.end(JSON.stringify(metadata)));
      const gate = await serveGate({ authorization: { ownKeys: KEYS, issuers: [issuer.url] } });
      const stranger = await doctor(gate.url, ['--json']);
      expect([stranger.code, seenOf(stranger, 'change')]).toEqual([0, []]);
      expect(seenOf(stranger, 'ok')).toContain(`protection: ${issuer.url} says how to sign in`);
      expect(seenOf(stranger, 'unchecked')).toContain(
        'token: Authorization reaches the gate; there is no token to try',
      );
      const known = await doctor(gate.url, ['--json'], { token: await tokenFor(gate.url) });
      expect([known.code, seenOf(known, 'change')]).toEqual([0, []]);
      expect(seenOf(known, 'ok')).toEqual(
        expect.arrayContaining([
          'token: the gate takes the token',
          'body: 4.1 MB pass; the gate itself refuses 4.3 MB',
        ]),
      );
    } finally {
      await issuer.stop();
    }
  });

  it('that serves strangers beside others has its document looked at', async () => {
    const gate = await serveGate({ authorization: { ownKeys: KEYS, anonymous: true } });
    const ended = await doctor(gate.url, ['--json'], { token: await tokenFor(gate.url) });
    expect([ended.code, seenOf(ended, 'change')]).toEqual([0, []]);
    expect(seenOf(ended, 'note')).toEqual([
      'token: served without a token, and with one',
      'protection: strangers are served; there is a document for who wants more',
      'protection: the document names no authorization server',
    ]);
  });

  it.each([
    ['the newest revision', ['2026-07-28'], 'versions: 2026-07-28'],
    ['older revisions', ['2025-06-18', '2025-03-26'], 'versions: 2025-06-18'],
  ] as const)('that serves %s alone is noted, and left alone', async (_, versions, note) => {
    const ended = await doctor((await serveGate({ protocol: { versions } })).url, ['--json']);
    expect([ended.code, seenOf(ended, 'change')]).toEqual([0, []]);
    expect(seenOf(ended, 'note')).toEqual([note]);
  });

  it('has its own limit of bodies found, and is not blamed for it', async () => {
    const ended = await doctor((await serveGate({ bodyLimit: 500_000 })).url, ['--json']);
    expect(seenOf(ended, 'ok')).toContain('body: 120 kB pass; the gate itself refuses 1.1 MB');
    expect(ended.code).toBe(0);
  });
});

describe('a gate that does not answer', () => {
  it('because it is disabled is not found', async () => {
    const { code, stdout } = await doctor((await serveGate({ enabled: false })).url);
    expect([code, stdout]).toEqual([1, expect.stringContaining(FAULTS['not-found'].means)]);
  });
});

describe('a limit of requests', () => {
  it('that is met in the middle of a visit is not taken for anything else', async () => {
    let requests = 0;
    const proxy = await serveProxy(await serveGate(), {
      answer: (_, res) => (requests += 1) > 12 && (res.writeHead(429).end('<html>'), true),
    });
    const ended = await doctor(proxy.url, ['--json']);
    expect(ended.code).toBe(1);
    expect(seenOf(ended, 'change')).toEqual(['reach: a request was answered with 429']);
  });
});

describe('certificates', () => {
  /** An authority is trusted from the start of a process on, so these need one of their own. */
  async function inProcess(url: string, trusted: string): Promise<{ code: number; stdout: string }> {
    const folder = await mkdtemp(join(tmpdir(), 'mcp-doctor-'));
    try {
      const file = join(folder, 'ca.pem');
      await writeFile(file, trusted);
      const main = wordsFor(new URL('../../../src/cli/main.ts', import.meta.url));
      const args = [...main, 'doctor', '--json', '--url', url];
      const env = { ...process.env, NODE_EXTRA_CA_CERTS: file };
      return await promisify(execFile)(process.execPath, args, { env }).then(
        ({ stdout }) => ({ code: 0, stdout }),
        ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  it.each([
    ['tls-expired', { until: new Date(Date.now() - 1_000) }],
    ['tls-name', { ip: '127.0.0.2', name: 'other.example' }],
  ] as const)('%s is told from one that nobody trusts', async (fault, wish) => {
    const { url, trusted } = await tlsServer(wish);
    const { code, stdout } = await inProcess(url, trusted);
    alsoRead(stdout);
    const { findings } = JSON.parse(stdout) as { findings: Finding[] };
    expect([code, findings.map((finding) => finding.fault)]).toEqual([1, [fault]]);
  });

  it('that are trusted let the doctor in, by the command as a process', async () => {
    const { url, trusted } = await tlsServer({});
    const { code, stdout } = await inProcess(url, trusted);
    const { findings } = JSON.parse(stdout) as { findings: Finding[] };
    expect([code, findings.map((finding) => finding.fault)]).toEqual([1, ['not-a-gate']]);
  });
});

describe('asking the gate directly, too', () => {
  it('tells what stands before it from the gate itself', async () => {
    const gate = await serveGate();
    const proxy = await serveProxy(gate, {
      answer: ({ method }, res) => method === 'GET' && (res.writeHead(200).end('page'), true),
    });
    const origin = ['--origin', 'https://app.example'];
    const { stdout } = await doctor(proxy.url, [...origin, '--direct', gate.url, '--json']);
    const { findings } = JSON.parse(stdout) as { findings: Finding[] };
    const means = Object.fromEntries(findings.flatMap((each) => (each.fault ? [[each.fault, each.means]] : [])));
    expect(means['get-answered']).toMatch(/it comes from what stands before it/);
    expect(means['origin-refused']).toMatch(/The gate has it too/);
  });
});

describe('what the doctor writes', () => {
  it('is for people: what was seen, what it means, what to change, and how many things', async () => {
    const { url } = await BROKEN['get-answered']();
    const { code, stdout } = await doctor(url);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ok +reach +200 after/);
    expect(stdout).toMatch(/^CHANGE +headers +GET: 200, text\/html: <html>200 from the proxy<\/html>$/m);
    const words = stdout.replaceAll(/\s+/g, ' ');
    expect(words).toContain(FAULTS['get-answered'].means);
    expect(words).toContain(`-> ${FAULTS['get-answered'].change}`);
    expect(stdout).toMatch(/\n1 thing must be changed\. 2 could not be looked at\.\n$/);
    expect(stdout).not.toContain('\u001b');
  });

  it('has colours on a terminal, and no longer lines than it', async () => {
    const { url } = await serveGate();
    const terminal = { out: true, err: true, columns: 70 };
    const { stdout } = await doctor(url, [], { terminal });
    expect(stdout).toContain('\u001b[32mok\u001b[39m');
    expect(stdout).toContain('Nothing must be changed.');
    for (const line of stdout.split('\n')) expect(line.replaceAll(COLOUR, '').length).toBeLessThanOrEqual(70);
  });

  it('is JSON for programs', async () => {
    const { url } = await serveGate();
    const { stdout, stderr } = await doctor(url, ['--json']);
    expect(JSON.parse(stdout)).toMatchObject({ url, sound: true, findings: expect.any(Array) });
    expect(stderr).toBe('');
  });

  it('never holds the token, whatever a server sends back', async () => {
    const token = keep(`secret-token-${'x'.repeat(300)}-end`);
    const echo = await serve((req, res) => {
      const sent = req.headers.authorization ?? 'none';
      const status = req.headers.authorization === undefined ? 401 : 400;
      res.writeHead(status, {
        'content-type': 'application/json',
        'www-authenticate': `Bearer realm="${sent}", error="${sent}", resource_metadata="http://x.invalid/${sent.slice(7)}"`,
      });
      res.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32_000, message: `You sent ${sent}!` } }));
    });
    for (const words of [[], ['--json']]) {
      const { stdout, stderr } = await doctor(echo.url, words, { token });
      expect(stdout).toContain('You sent Bearer (token)');
      expect(stdout + stderr).not.toContain('secret-token');
    }
  });

  it('is nothing that a terminal would obey', async () => {
    const trap = await serve((_, res) => res.writeHead(404).end('\u001b[2J\u0007\u202egone\r\n\u009b31m'));
    const { stdout } = await doctor(trap.url);
    expect(stdout).toContain('404');
    expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});

describe('tools', () => {
  const called: string[] = [];
  const tool = (name: string, parts: object = {}) =>
    makeTool({ name, handler: () => (called.push(name), 'done'), ...parts });
  const readOnly = { annotations: { readOnlyHint: true } };
  const WANTS = { inputSchema: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] } };

  beforeEach(() => void called.splice(0));

  it('are not called unless they say that they only read and need no arguments', async () => {
    const tools = [
      tool('writes'),
      tool('hinted', { annotations: { readOnlyHint: false } }),
      tool('wants', { ...readOnly, ...WANTS }),
    ];
    const ended = await doctor((await serveGate({ tools })).url, ['--json']);
    expect([ended.code, called]).toEqual([0, []]);
    expect(seenOf(ended, 'unchecked')).toContain('stream: no tool was called');
  });

  it('are called once if they do', async () => {
    const tools = [tool('writes'), tool('reads', readOnly), tool('reads_too', readOnly)];
    await doctor((await serveGate({ tools })).url);
    expect(called).toEqual(['reads']);
  });

  it('are called when they are named', async () => {
    const tools = [tool('reads', readOnly), tool('writes', WANTS)];
    const { url } = await serveGate({ tools });
    await doctor(url, ['--tool', 'writes', '--args', '{"sku":"A-001"}']);
    expect(called).toEqual(['writes']);
    const unknown = await doctor(url, ['--tool', 'nobody', '--json']);
    expect(seenOf(unknown, 'unchecked')).toContain('stream: there is no tool nobody for this visit');
    const wrong = await doctor(url, ['--tool', 'writes', '--json']);
    expect(seenOf(wrong, 'unchecked').at(-1)).toMatch(/^stream: writes failed: 200.*sku/);
    expect(called).toEqual(['writes']);
  });

  it('that do not begin to answer in the time that they are watched say nothing of buffering', async () => {
    const { url } = await serveGate({ tools: [COUNTING], stream: { graceMs: 60_000 } });
    const words = ['--tool', 'count', '--args', '{"to":50}', '--idle', '50ms', '--json'];
    const ended = await doctor(url, words);
    expect(seenOf(ended, 'unchecked')).toContain('stream: not even the beginning of an answer of count came in 0.1 s');
    expect(ended.code).toBe(0);
  });
});

describe('Ctrl-C', () => {
  it('ends the visit with 130, and the call that is under way', async () => {
    const interruption = new AbortController();
    let end: () => void;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const waiting = makeTool({
      name: 'waits',
      handler: (_, __, run) => {
        run.signal.addEventListener('abort', () => end());
        interruption.abort(new Error('Interrupted.'));
        return new Promise(() => undefined);
      },
    });
    const { url } = await serveGate({ tools: [waiting] });
    const { code, stderr } = await doctor(url, ['--tool', 'waits'], { interrupted: interruption.signal });
    expect([code, stderr]).toEqual([130, '']);
    await ended;
  });
});

describe('what cannot be asked', () => {
  it.each([
    ['no address', [], /--url/],
    ['a variable that is not set', ['--url', 'http://x.invalid', '--token-env', 'NO_SUCH'], /NO_SUCH is not set/],
    [
      'a variable with a sentence in it',
      ['--url', 'http://x.invalid', '--token-env', 'SPACED'],
      /something else than a token/,
    ],
    ['arguments without a tool', ['--url', 'http://x.invalid', '--args', '{}'], /--args goes with --tool/],
    [
      'arguments that are no object',
      ['--url', 'http://x.invalid', '--tool', 'a', '--args', '[]'],
      /Write a JSON object/,
    ],
    ['arguments that are no JSON', ['--url', 'http://x.invalid', '--tool', 'a', '--args', '{'], /Write a JSON object/],
    ['an origin with a path', ['--url', 'http://x.invalid', '--origin', 'https://a.example/'], /scheme, host and port/],
    ['a time without a unit', ['--url', 'http://x.invalid', '--idle', '60'], /ms, s, m, h or d/],
  ])('is refused: %s', async (_, words, says) => {
    const { code, stdout, stderr } = await runCommand(['doctor', ...words], { env: { SPACED: 'not a token' } });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(says);
    expect(stderr).not.toContain('not a token ');
  });
});
