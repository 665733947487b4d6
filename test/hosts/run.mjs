/**
 * Installs the packed package into small applications of each supported Nest, as a user would, and calls their tools
 * with the official clients. Ends with "N passed, N failed", and with exit code 1 if anything failed.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');

const HOSTS = [
  { name: 'Nest 11, CommonJS', nest: '^11', type: 'commonjs' },
  { name: 'Nest 12, ESM', nest: '^12', type: 'module' },
];

const CLIENTS = [
  ['v1', () => new ClientV1({ name: 'hosts', version: '1.0.0' }), TransportV1],
  ['v2', () => new ClientV2({ name: 'hosts', version: '1.0.0' }), TransportV2],
  [
    'v2 pinned to 2026-07-28',
    () => new ClientV2({ name: 'hosts', version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
    TransportV2,
  ],
];

let passed = 0;
let failed = 0;

async function check(sentence, work) {
  try {
    await work();
    passed += 1;
    console.log(`  ok   ${sentence}`);
  } catch (error) {
    failed += 1;
    console.log(`  FAIL ${sentence}\n${error.stack}`);
  }
}

function equal(actual, expected) {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) {
    throw new Error(`expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
  }
}

function npm(cwd, ...args) {
  const output = execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  return output.trim();
}

function makeHost(folder, host, tarball) {
  cpSync(join(here, 'app'), join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'host', private: true, type: host.type }));
  const nest = ['common', 'core', 'platform-express'].map((part) => `@nestjs/${part}@${host.nest}`);
  const others = ['class-validator', 'class-transformer', 'reflect-metadata', 'rxjs'];
  npm(folder, 'install', '--no-audit', '--no-fund', tarball, ...nest, ...others);
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2023',
    strict: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    skipLibCheck: true,
    types: [],
    rootDir: 'src',
    outDir: 'dist',
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  execFileSync(process.execPath, [tsc, '-p', folder], { stdio: 'inherit' });
}

async function start(folder) {
  const child = spawn(process.execPath, ['dist/main.js'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('LISTENING ')) return { child, url: new URL('/mcp', line.slice('LISTENING '.length)) };
  }
  throw new Error('the application ended before it listened');
}

async function callWith(makeClient, Transport, url) {
  const client = makeClient();
  await client.connect(new Transport(url));
  try {
    const { tools } = await client.listTools();
    equal(tools.map(({ name }) => name).toSorted(), ['host_count', 'host_stock']);
    equal(tools.find(({ name }) => name === 'host_stock').inputSchema.properties.sku.type, 'string');
    const stock = await client.callTool({ name: 'host_stock', arguments: { sku: 'A-001' } });
    equal(stock.content, [{ type: 'text', text: '{"sku":"A-001","quantity":7}' }]);
    const refused = await client.callTool({ name: 'host_stock', arguments: { sku: 'A-001', colour: 'red' } });
    equal(refused.isError, true);
    const count = await client.callTool({ name: 'host_count', arguments: { limit: 3 } });
    equal(count.content, [{ type: 'text', text: 'counted' }]);
  } finally {
    await client.close();
  }
}

const scratch = mkdtempSync(join(tmpdir(), 'mcp-gate-hosts-'));
try {
  const [packed] = JSON.parse(npm(root, 'pack', '--json', '--pack-destination', scratch));
  for (const host of HOSTS) {
    console.log(host.name);
    const folder = mkdtempSync(join(scratch, 'host-'));
    let running;
    await check('installs the tarball and compiles', () => makeHost(folder, host, join(scratch, packed.filename)));
    await check('starts', async () => {
      running = await start(folder);
    });
    if (running === undefined) continue;
    for (const [label, makeClient, Transport] of CLIENTS) {
      await check(`serves the official client ${String(label)}`, () => callWith(makeClient, Transport, running.url));
    }
    running.child.kill('SIGTERM');
    await once(running.child, 'exit');
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
console.log(`hosts: ${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
