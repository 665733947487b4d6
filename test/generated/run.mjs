/**
 * Makes a project with the Nest CLI of each supported major, and has the generators of the packed package write into it
 * all that they can (N1). It must compile, keep the project's style, pass its own tests under Jest and under Vitest, fail
 * them when an annotation is removed, and serve the official clients. Ends with "N passed, N failed".
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { CLIENTS, createTally, equal, includes, start, withTarball } from '../hosts/harness.mjs';
import { inspectOpenGate, INSPECTIONS } from './gates.mjs';
import { Project } from './project.mjs';

const SWC = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    target: 'es2023',
  },
  module: { type: 'es6' },
};
const JEST = {
  testMatch: ['**/*.jest.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '\\.ts$': ['@swc/jest', SWC] },
};
const VITEST = { test: { include: ['**/*.vitest.ts'] } };

const JEST_COMMAND = ['node', '--experimental-vm-modules', 'node_modules/jest/bin/jest.js'];
const VITEST_COMMAND = ['node', 'node_modules/vitest/vitest.mjs', 'run'];

/** What the CLI makes, the test runner that comes with it, and the other one with a configuration of its own. */
const PROJECTS = [
  {
    name: 'Nest 11, CommonJS',
    folder: 'nest11',
    cli: '@nestjs/cli@11',
    lint: ['eslint', 'src/**/*.ts', '--max-warnings', '1'], // the one is the CLI's own, in main.ts
    own: { name: 'jest', command: ['node', 'node_modules/jest/bin/jest.js'] },
    other: {
      name: 'vitest',
      command: VITEST_COMMAND,
      packages: { vitest: '^4.1.2' },
      files: { 'vitest.config.mjs': `export default ${JSON.stringify(VITEST)};\n` },
    },
  },
  {
    name: 'Nest 12, ESM',
    folder: 'nest12',
    cli: '@nestjs/cli@12',
    lint: ['oxlint', '--type-aware', '--deny-warnings', 'src'],
    own: { name: 'vitest', command: VITEST_COMMAND },
    other: {
      name: 'jest',
      command: JEST_COMMAND,
      packages: { jest: '^30.0.0', '@swc/jest': '^0.2.39', '@swc/core': '^1.16.0' },
      files: { 'jest.config.mjs': `export default ${JSON.stringify(JEST)};\n` },
    },
  },
];

const GATES = [
  { type: 'local', name: 'shop', file: 'shop', tool: 'shop' },
  { type: 'oauth', name: 'partners', file: 'partners', tool: 'partners' },
  { type: 'mixed', name: 'orderDesk', file: 'order-desk', tool: 'order_desk' },
];
/** What the gates for others do not start without. No token of theirs comes, so nobody asks them. */
const ISSUERS = { PARTNERS_ISSUER: 'https://login.example', ORDER_DESK_ISSUER: 'https://login.example' };
const PUBLIC_URLS = {
  PARTNERS_PUBLIC_URL: 'http://127.0.0.1:3000/a',
  ORDER_DESK_PUBLIC_URL: 'http://127.0.0.1:3000/b',
};
const TRUST = { ...ISSUERS, ...PUBLIC_URLS };
const HINTS = '{ readOnlyHint: true, openWorldHint: false }';
const UNANNOTATED = 'has tools that tell a client what they do';

/** All that can be generated, by the Nest CLI and, for the other runner, by the CLI of the generators. */
async function generate({ project, check, other }) {
  await check('"nest g tool" installs the packages that the project lacks', async () => {
    await project.generate('tool', 'stock');
    equal(JSON.parse(project.read('node_modules/class-validator/package.json')).name, 'class-validator');
  });
  await check('"nest add" opens a gate, and changes nothing the second time', async () => {
    await project.bin('nest', 'add', 'nestjs-mcp-gate', '--skip-install');
    const once = project.files();
    equal(once['src/app.module.ts'].match(/McpModule\.forRoot/g)?.length, 1);
    await project.bin('nest', 'add', 'nestjs-mcp-gate', '--skip-install');
    equal(project.files(), once);
  });
  await check('"nest g gate" writes a gate of each kind, and "nest g tool" a tool into one', async () => {
    for (const { name, type } of GATES) await project.generate('gate', name, '--type', type);
    await project.generate('tool', 'shop_price', 'shop', '--flat');
  });
  await check(`the same gates with tests for ${other.name}`, async () => {
    for (const { name, type } of GATES) {
      const options = [`--expose=${type}`, `--test-runner=${other.name}`, `--spec-file-suffix=${other.name}`];
      await project.bin('schematics', 'nestjs-mcp-gate:gate', `other/${name}`, ...options, '--skip-import');
    }
  });
}

/** What a project is held to without running it. */
async function inspect({ project, check, lint }) {
  await check('compiles, tests and all', () => project.bin('tsc', '--noEmit', '-p', 'tsconfig.json'));
  await check('is in the style of the project', async () => {
    await project.bin('prettier', '--check', 'src', 'test');
    await project.bin(...lint);
  });
}

/** The tests that were generated, and that they can fail. */
async function test({ project, check, own, other }) {
  const runs = [
    { runner: own, folder: 'src/', suffix: 'spec', suites: GATES.length + 3 }, // with two tools, and the CLI's controller
    { runner: other, folder: 'src/other/', suffix: other.name, suites: GATES.length },
  ];
  await check('passes the end-to-end test that the CLI wrote, once it is told whom to trust', async () => {
    // Which gate Nest builds first is its own affair: each name is left out by itself.
    for (const name of ['PARTNERS_ISSUER', 'ORDER_DESK_ISSUER']) {
      const trusting = project.with({ ...TRUST, [name]: '' });
      includes(
        await trusting.run('npm', 'run', 'test:e2e').catch(({ message }) => message),
        `${name} is not set. Set ${name} to`,
      );
    }
    await project.with(TRUST).run('npm', 'run', 'test:e2e');
  });
  for (const { runner, folder, suffix, suites } of runs) {
    await check(`passes its tests with ${runner.name}`, async () =>
      equal(await project.test(runner), { suites, failed: [] }),
    );
    await check(`fails them with ${runner.name} when an annotation is removed`, async () => {
      for (const { file } of GATES)
        project.replace(`${folder}${file}/${file}.tools.ts`, HINTS, '{ readOnlyHint: true }');
      const failed = GATES.map(({ file }) => `${folder}${file}/${file}.gate.${suffix}.ts: ${UNANNOTATED}`).toSorted();
      equal(await project.test(runner), { suites, failed });
      for (const { file } of GATES)
        project.replace(`${folder}${file}/${file}.tools.ts`, '{ readOnlyHint: true }', HINTS);
    });
  }
}

/** The application itself, over HTTP. */
async function serve({ project, check }) {
  const port = await freePort();
  const gates = GATES.map(({ file, ...gate }) => {
    return { ...gate, scope: file, url: new URL(`http://127.0.0.1:${port}/mcp/${file}`) };
  });
  const command = (...args) => project.bin('nestjs-mcp-gate', 'token', ...args);
  const keys = await command('--generate-keys');
  project.write('keys.json', keys);
  const urls = gates.map(({ tool, url }) => [`${tool.toUpperCase()}_PUBLIC_URL`, url.href]);
  const env = { PORT: String(port), MCP_JWKS: keys, ...ISSUERS, ...Object.fromEntries(urls) };
  let running;
  await check('builds, and starts once each gate is told whom to trust and where it is', async () => {
    await project.bin('nest', 'build');
    for (const name of Object.keys(TRUST)) {
      const said = await project
        .with({ ...env, [name]: '' })
        .run('node', 'dist/main.js')
        .catch(({ message }) => message);
      includes(said, `${name} is not set.`);
    }
    running = await start(project.folder, env);
  });
  if (running === undefined) return;
  try {
    const open = new URL('/mcp', running.address);
    await check('the gate of "nest add" serves what needs no token', () => inspectOpenGate(CLIENTS[0], { url: open }));
    for (const gate of gates) {
      const scopes = ['--scope', `${gate.scope}:read`, '--scope', `${gate.scope}:write`];
      const token = await command('--keys', 'keys.json', '--account', 'ann', '--resource', gate.url.href, ...scopes);
      for (const client of CLIENTS) {
        await check(`its ${gate.type} gate serves the official client ${client.label}`, () =>
          INSPECTIONS[gate.type](client, { ...gate, token }),
        );
      }
    }
  } finally {
    running.child.kill('SIGTERM');
    await once(running.child, 'exit');
  }
}

/** A port that is free at this moment: a gate's public URL must be known before it listens. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

const tally = createTally('generated');
await withTarball(async (scratch, tarball) => {
  await Promise.all(
    PROJECTS.map(async (kind) => {
      const check = (sentence, work) => tally.check(`${kind.name}: ${sentence}`, work);
      let project;
      await check('is made by the Nest CLI, and takes the package', async () => {
        project = await Project.make(scratch, kind, tarball);
      });
      if (project === undefined) return;
      for (const part of [generate, inspect, test, serve]) await part({ ...kind, project, check });
    }),
  );
});
tally.report();
