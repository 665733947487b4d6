/**
 * A project as a user has it: made by the Nest CLI, with the packed package in it.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { run, runWith } from '../hosts/harness.mjs';

export class Project {
  constructor(folder, env = {}) {
    this.folder = folder;
    this.env = env;
  }

  /** The same project, whose programs find more in their environment. */
  with(env) {
    return new Project(this.folder, env);
  }

  /** Makes it. It brings the other test runner along; its server stays on this machine, and says when it listens. */
  static async make(scratch, { cli, folder, other }, tarball) {
    await run(scratch, 'npx', '-y', cli, 'new', folder, '--skip-git', '--skip-install', '--package-manager', 'npm');
    const project = new Project(join(scratch, folder));
    const listening = "app.listen(process.env.PORT!, '127.0.0.1');\n  console.log(`LISTENING ${await app.getUrl()}`);";
    project.replace('src/main.ts', 'app.listen(process.env.PORT ?? 3000);', listening);
    const file = JSON.parse(project.read('package.json'));
    Object.assign(file.devDependencies, other.packages);
    project.write('package.json', `${JSON.stringify(file, null, 2)}\n`);
    for (const [path, text] of Object.entries(other.files)) project.write(path, text);
    await project.run('npm', 'install', '--no-audit', '--no-fund', tarball);
    return project;
  }

  run(program, ...args) {
    return runWith(this.env, this.folder, program, ...args);
  }

  /** A command of an installed package, as npx would run it. */
  bin(name, ...args) {
    return this.run(join(this.folder, 'node_modules', '.bin', name), ...args);
  }

  /** `nest generate` with our collection. */
  generate(...args) {
    return this.bin('nest', 'generate', '-c', 'nestjs-mcp-gate', ...args);
  }

  read(path) {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  write(path, text) {
    writeFileSync(join(this.folder, path), text);
  }

  replace(path, from, to) {
    const before = this.read(path);
    if (!before.includes(from)) throw new Error(`${path} does not hold ${from}`);
    this.write(path, before.replace(from, to));
  }

  /** The files that its author writes: what a generator may change. */
  files() {
    const below = (folder) => {
      const entries = readdirSync(join(this.folder, folder), { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    };
    const paths = [...below('src'), ...below('test')].map((path) => relative(this.folder, path));
    return Object.fromEntries(['package.json', ...paths].map((path) => [path, this.read(path)]));
  }

  /**
   * Runs tests with a runner; both can write their results in Jest's form. Gives the number of suites, and what failed
   * as "suite: test".
   */
  async test({ name, command: [program, ...args] }) {
    const results = join(this.folder, 'results.json');
    const output = `--outputFile=${results}`;
    try {
      await this.run(program, ...args, ...(name === 'jest' ? ['--json', output] : ['--reporter=json', output]));
    } catch (error) {
      if (!error.message.includes('exit code 1\n')) throw error; // 1 is: tests failed
    }
    const { testResults } = JSON.parse(readFileSync(results, 'utf8'));
    const failed = testResults.flatMap(({ name: suite, message, assertionResults }) => {
      const where = relative(this.folder, suite);
      if (assertionResults.length === 0) return [`${where}: ${message}`]; // it did not even start
      return assertionResults.filter(({ status }) => status !== 'passed').map(({ title }) => `${where}: ${title}`);
    });
    return { suites: testResults.length, failed: failed.toSorted() };
  }
}
