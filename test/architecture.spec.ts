/** The floors and their arrows: who may import whom, which packages, and what of Node. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const SRC = fileURLToPath(new URL('../src', import.meta.url));

interface Import {
  readonly from: string;
  /** `gate/gate.ts` for our own files, else the package or `node:` module. */
  readonly to: string;
  readonly kind: 'value' | 'type' | 'dynamic';
}

const isOurs = (target: string) => /\.(?:ts|cjs)$/.test(target);
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(isOurs);
const sources = new Map(files.map((name) => [name, code(readFileSync(join(SRC, name), 'utf8'))]));
const imports = files.flatMap((name) => importsOf(name, sources.get(name)!));

/** A source without its comments: they may name what they like. */
function code(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$|\s\/\/ .*$/gm, '');
}

/** Of a template only what stands above it: the code in it is the user's. */
function importsOf(from: string, text: string): Import[] {
  const source = from.endsWith('.template.ts') ? text.split('`')[0]! : text;
  const statements = source.matchAll(/^(?:import|export)\s+(type\s)?[^'";]*?from\s+'([^']+)'|^import\s+'([^']+)'/gm);
  // A type that is asked for by `typeof import()` is none.
  const dynamic = source.matchAll(/(?<!typeof )(?:import|\brequire)\(\s*'([^']+)'/g);
  return [
    ...Array.from(statements, ([, type, target, bare]): Import => {
      return { from, to: resolve(from, target ?? bare!), kind: type === undefined ? 'value' : 'type' };
    }),
    ...Array.from(dynamic, ([, target]): Import => ({ from, to: resolve(from, target!), kind: 'dynamic' })),
  ];
}

function resolve(from: string, target: string): string {
  if (!target.startsWith('.')) return target;
  return relative(SRC, join(SRC, dirname(from), target)).replace(/\.js$/, '.ts');
}

/** `gate` of `gate/gate.ts`; a file beside the rooms is a room of its own. */
const room = (file: string) => file.split('/')[0]!;
const packageOf = (target: string) =>
  target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');
const say = ({ from, to, kind }: Import) => `${from} -> ${to} (${kind})`;

const WORDS = ['caller.ts', 'account.ts', 'awaitable.ts'];
/** Packages, when they are needed. */
const LATE = 'late.cjs';

/** What each room may import: other rooms, packages, parts of Node. */
const ROOMS: Readonly<Record<string, { rooms: string[]; packages?: string[]; node?: string[] }>> = {
  'caller.ts': { rooms: [] },
  'account.ts': { rooms: ['caller.ts'] },
  'awaitable.ts': { rooms: [] },
  [LATE]: { rooms: [] },
  runs: { rooms: WORDS, node: ['node:async_hooks', 'node:crypto'] },
  tools: {
    rooms: [...WORDS, LATE, 'runs'],
    packages: [
      '@standard-schema/spec',
      'ajv', // types
      'class-transformer',
      'class-validator',
      'reflect-metadata',
    ],
  },
  resources: { rooms: [...WORDS, LATE, 'runs', 'tools'] },
  prompts: { rooms: [...WORDS, 'runs', 'tools'], packages: ['@standard-schema/spec'] },
  completions: { rooms: [...WORDS, 'runs', 'tools', 'resources', 'prompts'] },
  inputs: { rooms: [...WORDS, 'runs', 'tools'], packages: ['@standard-schema/spec'] },
  events: { rooms: ['awaitable.ts'], node: ['node:async_hooks', 'node:crypto'] },
  protocol: { rooms: [...WORDS, 'events', 'runs', 'tools', 'resources', 'prompts', 'completions'] },
  oauth: { rooms: WORDS, packages: ['jose'], node: ['node:crypto'] },
  gate: {
    rooms: [...WORDS, 'protocol', 'tools', 'resources', 'prompts', 'completions', 'runs', 'oauth', 'events'],
    node: ['node:buffer', 'node:crypto', 'node:http', 'node:net', 'node:stream', 'node:util', 'node:zlib'],
  },
  stdio: { rooms: [...WORDS, 'gate', 'protocol'], node: ['node:module', 'node:stream', 'node:util'] },
  nest: {
    rooms: [...WORDS, 'gate', 'tools', 'resources', 'prompts', 'completions', 'oauth', 'runs', 'stdio', 'events'],
    packages: ['@nestjs/common', '@nestjs/core', 'reflect-metadata', 'rxjs'],
    node: ['node:http', 'node:util'],
  },
  'ticket-session': {
    rooms: ['account.ts', 'gate', 'runs', 'tools'],
    packages: ['@nestjs/common', '@nestjs/core'],
    node: ['node:crypto', 'node:http'],
  },
  devkit: {
    rooms: [...WORDS, 'mcp.module.ts', 'nest', 'gate', 'tools', 'runs', 'ticket-session', 'testing'],
    packages: ['@nestjs/common', '@nestjs/core', 'minisearch', 'reflect-metadata', 'rxjs', 'typescript'],
    node: [
      'node:async_hooks',
      'node:crypto',
      'node:diagnostics_channel',
      'node:fs',
      'node:http',
      'node:inspector',
      'node:module',
      'node:path',
      'node:timers',
      'node:url',
      'node:util',
    ],
  },
  cli: {
    rooms: ['caller.ts', 'oauth', 'gate', 'protocol', 'stdio', 'nest', 'testing', 'tools'],
    packages: ['@nestjs/common', 'commander', 'jose', 'jsonc-parser'],
    node: [
      'node:crypto',
      'node:fs',
      'node:http',
      'node:https',
      'node:module',
      'node:os',
      'node:path',
      'node:stream',
      'node:url',
      'node:util',
    ],
  },
  schematics: {
    rooms: ['tools'],
    packages: ['@angular-devkit/schematics', '@nestjs/schematics'],
    node: ['node:fs', 'node:module', 'node:path', 'node:url'],
  },
};

/** Entries of the package: they may bring everything together, and nothing below may import them. */
const ENTRIES = ['index.ts', 'mcp.module.ts', 'testing', 'cli', 'schematics', 'ticket-session', 'devkit'];

describe('the rooms of src', () => {
  it('are the ones that this test knows: a new one says here what it may import', () => {
    const known = [...Object.keys(ROOMS), ...ENTRIES];
    expect([...new Set(files.map(room))].filter((name) => !known.includes(name))).toEqual([]);
    expect(files.length).toBeGreaterThan(40);
    expect(imports.length).toBeGreaterThan(150);
  });

  it.each(Object.entries(ROOMS))('%s imports only the rooms that it stands on', (name, { rooms }) => {
    const wrong = imports.filter(
      ({ from, to }) => room(from) === name && isOurs(to) && room(to) !== name && !rooms.includes(room(to)),
    );
    expect(wrong.map(say)).toEqual([]);
  });

  it.each(Object.entries(ROOMS))(
    '%s imports only the packages and the parts of Node that it needs',
    (name, allowed) => {
      const known = [...(allowed.packages ?? []), ...(allowed.node ?? [])];
      const wrong = imports.filter(
        ({ from, to, kind }) =>
          room(from) === name && !isOurs(to) && kind !== 'dynamic' && !known.includes(packageOf(to)),
      );
      expect(wrong.map(say)).toEqual([]);
    },
  );

  it('know nothing of nest: only the entries of the package do', () => {
    const wrong = imports.filter(({ from, to }) => room(to) === 'nest' && ![...ENTRIES, 'nest'].includes(room(from)));
    expect(wrong.map(say)).toEqual([]);
  });

  it('know nothing of @nestjs/*, but for nest and the entries; what is optional is imported when it is needed', () => {
    const wrong = imports.filter(
      ({ from, to, kind }) =>
        to.startsWith('@nestjs/') && kind !== 'dynamic' && ![...ENTRIES, 'nest'].includes(room(from)),
    );
    expect(wrong.map(say)).toEqual([]);
  });

  it('load Nest on the command line only once a command needs it: a token is minted without', () => {
    const eager = reachedFrom('cli/main.ts');
    expect(eager.some(({ to }) => to === 'cli/token.command.ts')).toBe(true);
    expect(
      eager.filter(({ to }) => to.startsWith('@nestjs/') || ['nest', 'testing'].includes(room(to))).map(say),
    ).toEqual([]);
  });

  it('never import an entry', () => {
    const wrong = imports.filter(({ from, to }) => ENTRIES.includes(room(to)) && !ENTRIES.includes(room(from)));
    expect(wrong.map(say)).toEqual([]);
  });

  it('need none of the optional packages to be loaded, and start without those that not every application needs', () => {
    const optional = [
      'minisearch',
      'typescript',
      'class-validator',
      'class-transformer',
      '@nestjs/swagger',
      'zod',
      'valibot',
      'arktype',
    ];
    const late = ['ajv', 'ajv-formats', 'jose', 'url-template'];
    expect(
      late.filter((name) => !imports.some(({ to, kind }) => kind === 'dynamic' && packageOf(to) === name)),
    ).toEqual([]);
    const wrong = imports.filter(({ to, kind }) => kind === 'value' && [...optional, ...late].includes(packageOf(to)));
    expect(wrong.map(say)).toEqual([]);
  });

  it('keep the packages of generators to the generators, which need no more at run time than every Nest project has', () => {
    const generators = imports.filter(({ to }) => /^@(?:angular-devkit|nestjs\/schematics)\b/.test(to));
    expect(generators.filter(({ from }) => room(from) !== 'schematics').map(say)).toEqual([]);
    const loaded = generators.filter(({ kind }) => kind !== 'type').map(({ to }) => to);
    expect([...new Set(loaded)]).toEqual(['@nestjs/schematics']);
  });

  it('do not know the generators', () => {
    const wrong = imports.filter(({ from, to }) => room(to) === 'schematics' && room(from) !== 'schematics');
    expect(wrong.map(say)).toEqual([]);
  });

  it('need no SDK: the protocol is ours', () => {
    expect(imports.filter(({ to }) => to.startsWith('@modelcontextprotocol/')).map(say)).toEqual([]);
  });

  it('import one another in no circle', () => {
    const next = new Map<string, string[]>();
    for (const { from, to, kind } of imports) {
      if (kind === 'value' && isOurs(to)) next.set(from, [...(next.get(from) ?? []), to]);
    }
    const done = new Set<string>();
    const circles: string[] = [];
    function walk(file: string, above: readonly string[]): void {
      if (above.includes(file)) circles.push([...above.slice(above.indexOf(file)), file].join(' -> '));
      if (done.has(file) || above.includes(file)) return;
      for (const target of next.get(file) ?? []) walk(target, [...above, file]);
      done.add(file);
    }
    for (const file of files) walk(file, []);
    expect(circles).toEqual([]);
  });
});

/** Every import that is loaded with a file, at once: its own, and those of what it imports. */
function reachedFrom(entry: string): Import[] {
  const reached = new Map([[entry, [] as Import[]]]);
  for (const [file] of reached) {
    const eager = imports.filter(({ from, kind }) => from === file && kind === 'value');
    reached.set(file, eager);
    for (const { to } of eager) if (isOurs(to) && !reached.has(to)) reached.set(to, []); // a Map iterates over additions
  }
  return [...reached.values()].flat();
}

describe('the files of methods', () => {
  it('do not ask which era they answer: its shape is made in one place', () => {
    const methods = [...sources].filter(([name]) => name.startsWith('protocol/methods/'));
    expect(methods.length).toBeGreaterThan(10);
    const asking = methods
      .filter(([, text]) => /\bera(?:Of)?\b(?!\.js)|'(?:legacy|modern)'/.test(text))
      .map(([name]) => name);
    expect(asking).toEqual([]);
  });
});

describe('the floors below the gate', () => {
  it('tools know of a run what their authors see: how it is opened, timed and ended is not their business', () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        ['tools', 'resources', 'prompts', 'completions'].includes(room(from)) &&
        room(to) === 'runs' &&
        to !== 'runs/run.ts' &&
        to !== 'runs/input.ts',
    );
    expect(wrong.map(say)).toEqual([]);
  });

  it.each([
    [
      'protocol',
      /\b(?:process|console|performance|Buffer|setTimeout|setInterval|setImmediate|queueMicrotask|fetch)\b|Date\.now|new Date\b/,
    ],
    ['events', /\b(?:process|console|performance|setTimeout|setInterval|setImmediate|fetch)\b|Date\.now/],
    ['completions', /\b(?:process|console|performance|setTimeout|setInterval|setImmediate|fetch)\b|Date\.now/],
    ['prompts', /\b(?:process|console|performance|setTimeout|setInterval|setImmediate|fetch)\b|Date\.now/],
    ['resources', /\b(?:process|console|performance|setTimeout|setInterval|setImmediate|fetch)\b|Date\.now/],
    ['tools', /\b(?:process|console|performance|setTimeout|setInterval|setImmediate|fetch)\b|Date\.now/],
  ])('P1: %s has no clock, no console, no process and no network of its own', (name, pattern) => {
    const found = files.filter((file) => room(file) === name && pattern.test(withoutTexts(sources.get(file)!)));
    expect(found).toEqual([]);
  });
});

/** A source without its strings and patterns: they may name what they like. */
function withoutTexts(source: string): string {
  return source.replace(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|"(?:[^"\\\n]|\\.)*"/g, "''");
}
