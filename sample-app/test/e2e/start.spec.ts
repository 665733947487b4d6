import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { jest } from '@jest/globals';
import Database from 'libsql';
import { wordsFor } from '../../../test/support/compiled.js';
import { alsoRead } from '../../../test/support/written.js';

const folder = mkdtempSync(join(tmpdir(), 'shop-test-'));
const children: ChildProcess[] = [];

/** The sample in a process of its own, as `npm start` runs it. */
class ShopProcess {
  private readonly child: ChildProcess;
  readonly exited: Promise<unknown[]>;
  output = '';
  errors = '';

  constructor(env: Record<string, string>, entry = 'main.ts') {
    const words = wordsFor(new URL(`../../src/${entry}`, import.meta.url));
    this.child = spawn(process.execPath, words, {
      env: { ...process.env, PORT: '0', NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(this.child);
    this.child.stdout!.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    this.child.stderr!.setEncoding('utf8').on('data', (text: string) => (this.errors += text));
    for (const stream of [this.child.stdout!, this.child.stderr!]) stream.on('data', alsoRead);
    this.exited = once(this.child, 'close');
  }

  static open(file: string, batchMs: number): Promise<ShopProcess> {
    const shop = new ShopProcess({ SHOP_DB: file, SHOP_BATCH_MS: String(batchMs) });
    return shop.once(() => shop.commands.length === 2);
  }

  /** The process, once it has printed enough. */
  async once(hasPrinted: () => boolean): Promise<this> {
    for (; !hasPrinted(); await once(this.child.stdout!, 'data')) {
      if (this.child.exitCode !== null) throw new Error(`The shop did not open: ${this.output}${this.errors}`);
    }
    return this;
  }

  get address(): string {
    return /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(this.output)?.[0] ?? '';
  }

  /** The printed commands that are complete. */
  get commands(): string[] {
    return this.output.match(/^curl (?:.*\\\n)*.*'\n/gm) ?? [];
  }

  kill(signal: 'SIGTERM' | 'SIGINT'): void {
    this.child.kill(signal);
  }
}

jest.setTimeout(120_000); // processes start slowly on a busy machine

const first = join(folder, 'first.db');
const second = join(folder, 'second.db');
let quick: ShopProcess;
let slow: ShopProcess;

beforeAll(async () => {
  [quick, slow] = await Promise.all([ShopProcess.open(first, 40), ShopProcess.open(second, 400)]);
});

afterAll(() => {
  for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** `it`, where there is a curl; its absence is shouted, and on the build server it is a failure. */
const withCurl = hasCurl() ? it : it.skip;

function hasCurl(): boolean {
  try {
    execFileSync('curl', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    if (process.env['CI'] === 'true') throw new Error('curl is missing: the printed commands cannot be tried.');
    console.warn('SKIPPED: curl is missing, so the commands that npm start prints were NOT tried.');
    return false;
  }
}

const paste = async (command: string): Promise<string> => (await promisify(execFile)('bash', ['-c', command])).stdout;

describe('npm start', () => {
  it('prints the address of the gate, how many tools it serves and how many are reserved (A3)', () => {
    expect(quick.output).toContain(`The shop's gate is open at ${quick.address}\n`);
    expect(quick.output).toContain('It serves 5 tools; 4 more need authorization.\n');
    expect(quick.output).toContain('The gates that take tokens are shut: npm run start:oauth opens them.\n');
    expect(quick.errors).toBe('');
  });

  withCurl('prints a command that reads the stock, and it works when pasted', async () => {
    const answer = JSON.parse(await paste(quick.commands[0] ?? '')) as { result: { content: { text: string }[] } };

    expect(JSON.parse(answer.result.content[0]?.text ?? '')).toMatchObject({ sku: 'A-001', stock: 12 });
  });

  withCurl('prints a command that rebuilds the index, and it shows the progress when pasted', async () => {
    const stream = await paste(quick.commands[1] ?? '');

    expect(stream.match(/"method":"notifications\/progress"/g)?.length).toBeGreaterThan(3);
    expect(stream).toContain('batch 25 of 25');
    expect(stream).toContain('The search index holds 60 products now.');
  });

  it('keeps the gates that take tokens shut, and loads nothing of an authorization server', async () => {
    const main = new URL('../../src/main.ts', import.meta.url);

    expect((await fetch(`${quick.address}/account`, { method: 'POST' })).status).toBe(404);
    expect((await fetch(`${quick.address}/mixed`, { method: 'POST' })).status).toBe(404);
    expect([...loadedFrom(main)].filter((file) => /oidc-provider|\/oauth\//.test(file))).toEqual([]);
    expect([...loadedFrom(new URL('oauth/main.ts', main))]).toContain('oidc-provider');
  });

  it('says in one sentence that the port is taken, and ends with code 1', async () => {
    const { port } = new URL(quick.address);
    const late = new ShopProcess({ PORT: port, SHOP_DB: first });

    expect(await late.exited).toEqual([1, null]);
    expect(late.errors).toBe(`Port ${port} of 127.0.0.1 is taken. PORT=0 npm start takes a free one.\n`);
    expect(late.output).toBe('');
  });

  it('says what is wrong with SHOP_ISSUER, and ends with code 1', async () => {
    const misled = new ShopProcess({ SHOP_DB: first, SHOP_ISSUER: 'http://login.example' });

    expect(await misled.exited).toEqual([1, null]);
    expect(misled.errors).toMatch(/must be an https URL[^]*\nCheck SHOP_ISSUER\.\n$/);
  });

  it('says in one sentence what is wrong with the database, and ends with code 1', async () => {
    const file = join(folder, 'letter.db');
    writeFileSync(file, 'not a database, whatever its name says. '.repeat(100));
    const misled = new ShopProcess({ SHOP_DB: file });

    expect(await misled.exited).toEqual([1, null]);
    expect(misled.errors).toMatch(/^\S+letter\.db is not a database of the shop[^\n]+SHOP_DB[^\n]+\n$/);
  });
});

/** A file, and all that it imports, directly or not; packages by their names. */
function loadedFrom(file: URL, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file.href)) return loaded;
  loaded.add(file.href);
  for (const [, specifier] of readFileSync(file, 'utf8').matchAll(/^(?:import|\} from)[^;]*'([^']+)';$/gm)) {
    if (specifier!.startsWith('.')) loadedFrom(new URL(specifier!.replace(/\.js$/, '.ts'), file), loaded);
    else loaded.add(specifier!);
  }
  return loaded;
}

describe('npm run start:oauth', () => {
  let shop: ShopProcess;
  beforeAll(async () => {
    shop = new ShopProcess({ SHOP_DB: join(folder, 'oauth.db'), OAUTH_PORT: '0' }, 'oauth/main.ts');
    await shop.once(() => shop.output.includes('Bruno Costa'));
  });

  const gates = (): string[] => [...shop.output.matchAll(/^claude mcp add .* (http\S+)$/gm)].map(([, gate]) => gate!);

  it('prints how to connect to each gate that takes tokens, and who can sign in', () => {
    expect(gates()).toEqual([`${shop.address}/account`, `${shop.address}/mixed`]);
    expect(shop.output).toContain(`claude mcp add --transport http shop-account ${gates()[0]}\n`);
    expect(shop.output).toMatch(/^- Ada Berg \(C-001\), .*shop:write/m);
    expect(shop.output).toMatch(/^- Bruno Costa \(C-002\), /m);
  });

  it('opens the gates for tokens of the authorization server beside it (A7)', async () => {
    const [account] = gates();
    const refused = await fetch(account!, { method: 'POST' });
    const metadata = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1];
    const { resource, authorization_servers } = (await (await fetch(metadata!)).json()) as any;
    const server = (await (await fetch(`${authorization_servers[0]}/.well-known/openid-configuration`)).json()) as any;

    expect(refused.status).toBe(401);
    expect(resource).toBe(account);
    expect(server.issuer).toBe(authorization_servers[0]);
    expect(shop.output).toContain(`the authorization server at ${server.issuer},`);
  });

  it('ends with code 1 when the port of the shop is taken, and closes the authorization server', async () => {
    const { port } = new URL(shop.address);
    const late = new ShopProcess({ PORT: port, OAUTH_PORT: '0', SHOP_DB: join(folder, 'late.db') }, 'oauth/main.ts');

    expect(await late.exited).toEqual([1, null]);
    expect(late.errors).toContain(`Port ${port} of 127.0.0.1 is taken. PORT=0 npm run start:oauth takes a free one.\n`);
  });

  it('ends on SIGINT with code 0', async () => {
    shop.kill('SIGINT');

    expect(await shop.exited).toEqual([0, null]);
  });
});

describe('The end of the process', () => {
  it('on SIGINT comes with code 0 when nothing is under way', async () => {
    quick.kill('SIGINT');

    expect(await quick.exited).toEqual([0, null]);
    expect(quick.errors).toBe('');
  });

  it('on SIGTERM stops the call that is under way, frees and closes the database (R1)', async () => {
    const response = await fetch(slow.address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'shop_reindex', arguments: {}, _meta: { progressToken: 'p' } },
      }),
    });
    const received = response.text().catch(() => 'cut off');
    slow.kill('SIGTERM');

    expect(await slow.exited).toEqual([0, null]);
    expect(await received).not.toContain('60 products');
    expect(slow.errors).toBe('');
    const database = new Database(second);
    expect(database.prepare('SELECT * FROM search_build').all([])).toEqual([]);
    expect(database.prepare("SELECT name FROM sqlite_master WHERE name LIKE 'product_text%'").all([])).toEqual([]);
    database.close();
  });
});
