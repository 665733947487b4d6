/**
 * A project in memory, as far as the generators look at it: Jest on Node 20 can not load the tree of
 * @angular-devkit/schematics. `collection.spec.ts` runs the generators on that one, in a process of its own.
 */
import { dirname, join } from 'node:path/posix';
import type { DirEntry, Rule, SchematicContext, Tree } from '@angular-devkit/schematics';

export class MemoryTree {
  readonly files = new Map<string, string>();

  constructor(files: Readonly<Record<string, string | object>> = {}) {
    for (const [path, content] of Object.entries(files)) {
      this.files.set(join('/', path), typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);
    }
  }

  exists(path: string): boolean {
    return this.files.has(join('/', path));
  }

  read(path: string): Buffer | null {
    const text = this.files.get(join('/', path));
    return text === undefined ? null : Buffer.from(text);
  }

  readText(path: string): string {
    const text = this.files.get(join('/', path));
    if (text === undefined) throw new Error(`${path} is not there`);
    return text;
  }

  json(path: string): any {
    return JSON.parse(this.readText(path));
  }

  create(path: string, text: string): void {
    if (this.exists(path)) throw new Error(`${path} is there already`);
    this.files.set(join('/', path), text);
  }

  overwrite(path: string, text: string): void {
    if (!this.exists(path)) throw new Error(`${path} is not there`);
    this.files.set(join('/', path), text);
  }

  getDir(path: string): DirEntry {
    const at = join('/', path);
    const below = [...this.files.keys()].filter((file) => file.startsWith(at === '/' ? '/' : `${at}/`));
    const names = below.map((file) => file.slice(at === '/' ? 1 : at.length + 1).split('/'));
    return {
      path: at,
      parent: at === '/' ? null : this.getDir(dirname(at)),
      subfiles: names.filter(({ length }) => length === 1).map(([name]) => name),
      subdirs: [...new Set(names.filter(({ length }) => length > 1).map(([name]) => name))],
      dir: (name: string) => this.getDir(join(at, name)),
    } as unknown as DirEntry;
  }
}

/** Runs a generator. Gives what it said and the tasks that it left. */
export async function generate(tree: MemoryTree, rule: Rule): Promise<{ said: string[]; tasks: unknown[] }> {
  const said: string[] = [];
  const tasks: unknown[] = [];
  const say = (level: string) => (text: string) => said.push(`${level}: ${text}`);
  const context = {
    logger: { info: say('info'), warn: say('warn') },
    addTask: (task: { toConfiguration(): unknown }) => tasks.push(task.toConfiguration()),
  };
  await rule(tree as unknown as Tree, context as unknown as SchematicContext);
  return { said, tasks };
}

/** package.json of what the Nest CLI makes, with what is to be different. */
export function packageJson(parts: object = {}): object {
  return {
    name: 'app',
    dependencies: {
      '@nestjs/common': '^11.0.1',
      '@nestjs/core': '^11.0.1',
      'class-transformer': '^0.5.1',
      'class-validator': '^0.15.1',
      'reflect-metadata': '^0.2.2',
      rxjs: '^7.8.1',
    },
    devDependencies: { jest: '^30.0.0' },
    ...parts,
  };
}

export const APP_MODULE = `import { Module } from '@nestjs/common';
import { AppController } from './app.controller';

@Module({
  imports: [],
  controllers: [AppController],
  providers: [],
})
export class AppModule {}
`;

/** A project of the Nest CLI: CommonJS and Jest, unless package.json says otherwise. */
export function nestProject(parts: object = {}, files: Readonly<Record<string, string | object>> = {}): MemoryTree {
  return new MemoryTree({
    'package.json': packageJson(parts),
    'nest-cli.json': { sourceRoot: 'src' },
    'src/app.module.ts': APP_MODULE,
    ...files,
  });
}
