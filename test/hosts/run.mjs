/**
 * Installs the packed package into small applications of each supported Nest, as a user would, and calls their tools
 * with the official clients. Ends with "N passed, N failed", and with exit code 1 if anything failed.
 */
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CLIENTS, createTally, equal, ROOT, run, start, withTarball } from './harness.mjs';

const here = dirname(fileURLToPath(import.meta.url));

const HOSTS = [
  {
    name: 'Nest 11, CommonJS',
    nest: '^11',
    type: 'commonjs',
    beside: ['config@^4', 'event-emitter@^3', 'schedule@^6'],
  },
  { name: 'Nest 12, ESM', nest: '^12', type: 'module', beside: ['config@^12', 'event-emitter@^12', 'schedule@^12'] },
];

/** What a client starts, in the folder of the application. */
const COMMANDS = [
  ['a file of its own', process.execPath, ['dist/main.stdio.js']],
  ['the command', join('node_modules', '.bin', 'nestjs-mcp-gate'), ['stdio', 'dist/app.module.js']],
];

const { check, report } = createTally('hosts');

async function makeHost(folder, host, tarball) {
  cpSync(join(here, 'app'), join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'host', private: true, type: host.type }));
  const nest = ['common', 'core', 'platform-express'].map((part) => `@nestjs/${part}@${host.nest}`);
  const beside = host.beside.map((part) => `@nestjs/${part}`);
  const others = [...beside, 'class-validator', 'class-transformer', 'reflect-metadata', 'rxjs'];
  await run(folder, 'npm', 'install', '--no-audit', '--no-fund', tarball, ...nest, ...others);
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
  await run(folder, process.execPath, join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', folder);
}

const START = `
  const { NestFactory } = await import('@nestjs/core');
  const module = await import('./dist/app.module.js');
  const app = await NestFactory.create((module.default ?? module).AppModule, { logger: false });
  await app.init();
  process.exit();
`;

/** The files below node_modules that an application has loaded once it has started, by what Node saw run. */
async function loadedAtStart(folder) {
  const seen = mkdtempSync(join(folder, 'seen-'));
  await run(folder, 'env', `NODE_V8_COVERAGE=${seen}`, process.execPath, '--input-type=module', '-e', START);
  const scripts = readdirSync(seen).flatMap((name) => JSON.parse(readFileSync(join(seen, name), 'utf8')).result);
  return scripts.flatMap(({ url }) => url.split('/node_modules/').slice(1).at(-1) ?? []);
}

/** A file is what a start waits for: all floors are one, and packages that no request has needed yet are none. */
async function startLean(folder) {
  const loaded = await loadedAtStart(folder);
  const late = ['ajv', 'ajv-formats', 'jose', 'url-template', 'typescript', 'minisearch'];
  equal(
    late.filter((name) => loaded.some((path) => path.startsWith(`${name}/`))),
    [],
  );
  const own = loaded.filter((path) => path.startsWith('nestjs-mcp-gate/') && !path.includes('/dist/devkit/'));
  // The devkit of this application brings the files of two more entries.
  equal(own.map((path) => path.replace('nestjs-mcp-gate/dist/', '')).toSorted(), [
    'floors.js',
    'index.js',
    'late.cjs',
    'testing.js',
    'ticket-session.js',
    'tools/schemas/dto-reader.js', // its tools have classes of arguments
  ]);
}

async function callWith({ make, call }, transport) {
  const client = make();
  await client.connect(transport);
  try {
    const { tools } = await client.listTools();
    equal(tools.map(({ name }) => name).toSorted(), ['host_count', 'host_stock']);
    equal(tools.find(({ name }) => name === 'host_stock').inputSchema.properties.sku.type, 'string');
    const stock = await call(client, { name: 'host_stock', arguments: { sku: 'A-001' } });
    equal(stock.content, [{ type: 'text', text: '{"sku":"A-001","quantity":7}' }]);
    const refused = await call(client, { name: 'host_stock', arguments: { sku: 'A-001', colour: 'red' } });
    equal(refused.isError, true);
    const count = await call(client, { name: 'host_count', arguments: { limit: 3 } });
    equal(count.content, [{ type: 'text', text: 'counted' }]);
  } finally {
    await client.close();
  }
}

/** What the devkit says of an application is what it does: the decorators and tokens are those of this Nest. */
async function askDevkit({ make, call }, transport, address) {
  const client = make();
  await client.connect(transport);
  const ask = async (subject) => {
    const { content } = await call(client, { name: 'nest_inspect', arguments: { subject } });
    return JSON.parse(content[0].text);
  };
  try {
    const { items } = await ask('routes');
    const route = items.find(({ handler, controller }) => controller === 'RanController' && handler === 'read');
    const ran = await (await fetch(new URL(route.path.replace(':what', 'it'), address))).json();
    equal(
      route.guards.map((guard) => guard.split(' ')[0]),
      ran.slice(-2),
    );
    equal(
      items
        .filter(({ gate }) => gate !== undefined)
        .map(({ path }) => path)
        .toSorted(),
      ['/mcp', '/mcp/devkit'],
    );
    equal((await ask('events')).items, [{ on: 'order.paid', kind: 'listener', handler: 'Background.paid' }]);
    const schedules = (await ask('schedules')).items.filter(({ handler }) => handler !== undefined);
    equal(
      schedules.map(({ on, kind }) => `${kind} ${on}`),
      ['cron 0 3 * * *', 'interval 3600000 ms'],
    );
    const values = (await ask('config')).items.filter(({ name }) => name.startsWith('host.'));
    equal(values, [
      { name: 'host.port', value: 7, from: 'config' },
      { name: 'host.password', value: '[masked]', from: 'config' },
    ]);
    const { content } = await call(client, { name: 'nest_check', arguments: { check: 'idle-parts' } });
    equal(JSON.parse(content[0].text).items, []);
  } finally {
    await client.close();
  }
}

await withTarball(async (scratch, tarball) => {
  for (const host of HOSTS) {
    console.log(host.name);
    const folder = mkdtempSync(join(scratch, 'host-'));
    let running;
    await check('installs the tarball and compiles', () => makeHost(folder, host, tarball));
    await check('starts', async () => {
      running = await start(folder);
    });
    if (running === undefined) continue;
    await check('starts with one file for all floors, and without packages that it does not need yet', () =>
      startLean(folder),
    );
    const url = new URL('/mcp', running.address);
    for (const client of CLIENTS) {
      await check(`serves the official client ${client.label}`, () => callWith(client, new client.Transport(url)));
      for (const [way, command, args] of COMMANDS) {
        await check(`serves the official client ${client.label} over stdio, by ${way}`, () =>
          callWith(client, new client.StdioTransport({ command, args, cwd: folder, stderr: 'ignore' })),
        );
      }
    }
    const [client] = CLIENTS;
    await check('answers an agent that asks the devkit', () =>
      askDevkit(client, new client.Transport(new URL('/mcp/devkit', running.address)), running.address),
    );
    running.child.kill('SIGTERM');
    await once(running.child, 'exit');
  }
});
report();
