/** D: where a function is written, seen from the project, and no path of this machine. */
import { Module } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { placesOf } from '../../src/devkit/places/places.js';

const PROJECT = process.cwd();

@Module({})
class WrittenHere {}

/** A function of a script that a bundler has made. */
function bundled(source: string): Function {
  const map = { version: 3, sources: [source], names: [], mappings: 'AAAA' };
  const inline = Buffer.from(JSON.stringify(map)).toString('base64');
  const code = `(function bundled() {})\n//# sourceMappingURL=data:application/json;base64,${inline}`;
  return new Script(code, { filename: join(PROJECT, 'out', `of-${source.length}.js`) }).runInThisContext() as Function;
}

it('is the file and the line in the source, below the folder of the project', async () => {
  const lines = readFileSync(fileURLToPath(import.meta.url), 'utf8').split('\n');
  const place = (await placesOf([WrittenHere], PROJECT)).get(WrittenHere);
  expect(place?.file).toBe('test/devkit/places.spec.ts');
  expect([place!.line, place!.line + 1]).toContain(lines.findIndex((line) => line.startsWith('class WrittenHere')) + 1);
});

it('is told of a package from its folder on, wherever the project is', async () => {
  for (const project of [PROJECT, '/somewhere/else']) {
    expect((await placesOf([ModuleRef], project)).get(ModuleRef)?.file).toMatch(/^node_modules\/@nestjs\/core\//);
  }
});

it('is the script where its map names no file, as bundlers do, and that of every other function all the same', async () => {
  const [lost, absent] = [bundled('webpack://shop/./src/main.ts'), bundled('nowhere/main.ts')];
  class After {}
  const places = await placesOf([lost, absent, After], PROJECT);
  expect(places.get(lost)).toEqual({ file: 'out/of-28.js', line: 1 });
  expect(places.get(absent)).toEqual({ file: 'out/of-15.js', line: 1 });
  expect(places.get(After)?.file).toBe('test/devkit/places.spec.ts');
});

it('is not known of what the language itself has', async () => {
  expect((await placesOf([Math.max], PROJECT)).size).toBe(0);
});
