/**
 * What the suites share that install the packed package into real applications: sentences that hold or not, npm, an
 * application as a process, and the official clients.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioTransportV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioTransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

const IDENTITY = { name: 'hosts', version: '1.0.0' };
const PINNED = { versionNegotiation: { mode: { pin: '2026-07-28' } } };

/** Each official client with its transports; `call` is given the options where that client takes them. */
export const CLIENTS = [
  {
    label: 'v1',
    make: () => new ClientV1(IDENTITY),
    Transport: TransportV1,
    StdioTransport: StdioTransportV1,
    call: (client, params, options) => client.callTool(params, undefined, options),
  },
  {
    label: 'v2',
    make: () => new ClientV2(IDENTITY),
    Transport: TransportV2,
    StdioTransport: StdioTransportV2,
    call: (client, params, options) => client.callTool(params, options),
  },
  {
    label: 'v2 pinned to 2026-07-28',
    make: () => new ClientV2(IDENTITY, PINNED),
    Transport: TransportV2,
    StdioTransport: StdioTransportV2,
    call: (client, params, options) => client.callTool(params, options),
  },
];

/** Sentences, counted; `report` prints "NAME: N passed, M failed", which `.ci/count.mjs` reads. */
export function createTally(name) {
  let passed = 0;
  let failed = 0;
  return {
    /** Whether it holds. */
    check: async (sentence, work) => {
      const began = performance.now();
      try {
        await work();
        passed += 1;
        console.log(`  ok   ${sentence} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
        return true;
      } catch (error) {
        failed += 1;
        console.log(`  FAIL ${sentence}\n${error.stack}`);
        return false;
      }
    },
    report: () => {
      console.log(`${name}: ${passed} passed, ${failed} failed`);
      process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
    },
  };
}

export function equal(actual, expected) {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) {
    throw new Error(`expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
  }
}

/** What a text must say; where it does not, the error shows what it says instead. */
export function includes(text, expected) {
  if (!text.includes(expected)) throw new Error(`expected "${expected}" in: ${text}`);
}

/** Runs a program; what it prints is in the error when it fails. */
export function run(cwd, program, ...args) {
  return runWith({}, cwd, program, ...args);
}

/** The same with more in its environment. */
export async function runWith(more, cwd, program, ...args) {
  try {
    const env = { ...process.env, ...more };
    const { stdout } = await promisify(execFile)(program, args, { cwd, env, encoding: 'utf8', maxBuffer: 2 ** 26 });
    return stdout.trim();
  } catch (error) {
    const said = `exit code ${error.code}\n${error.stdout}${error.stderr}`;
    throw new Error(`${program} ${args.join(' ')}: ${said}`, { cause: error });
  }
}

/** A folder that is gone afterwards, and the packed package: the one that the command line names, else a new one. */
export async function withTarball(work) {
  const scratch = mkdtempSync(join(tmpdir(), 'mcp-gate-hosts-'));
  try {
    await work(scratch, process.argv[2] === undefined ? await pack(scratch) : resolve(process.argv[2]));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function pack(folder) {
  const [packed] = JSON.parse(await run(ROOT, 'npm', 'pack', '--json', '--pack-destination', folder));
  return join(folder, packed.filename);
}

/** Starts an application that prints "LISTENING address" once it does. */
export async function start(folder, env = {}) {
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) {
    if (!line.startsWith('LISTENING ')) continue;
    child.stdout.resume(); // nobody reads on, and a full pipe would hold the application up
    return { child, address: line.slice('LISTENING '.length) };
  }
  throw new Error('the application ended before it listened');
}
