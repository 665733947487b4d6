/**
 * Makes one file of all floors, in place, of what `tsc` wrote to a folder: `node bundle.mjs [folder]`. A file is what an
 * application waits for when it starts, and there are hundreds. Names stay, so that a stack trace still says where it was,
 * and maps lead to the sources. Types stay as they are.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { rolldown } from 'rolldown';

const dist = resolve(process.argv[2] ?? 'dist');

/** Folders whose files stay what they are: they are loaded when they are needed, or look around from where they stand. */
const KEPT = ['cli', 'devkit', 'schematics'];

/** Folders that become files of their own: no application needs them to start. */
const APART = ['testing', 'ticket-session'];

/** What packages, commands and generators are loaded by. */
const ENTRIES = [
  'index',
  'testing/index',
  'ticket-session/index',
  'devkit/index',
  'cli/main',
  'schematics/gate/gate.schematic',
  'schematics/nest-add/nest-add.schematic',
  'schematics/tool/tool.schematic',
];

/** `gate/access` */
function pathOf(id) {
  return relative(dist, id).split(sep).join('/').replace(/\.js$/, '');
}

/** The file that a module goes to; `null` where what needs it decides. */
function fileOf(id, modules) {
  const path = pathOf(id);
  const [folder, file] = path.split('/');
  if (APART.includes(folder)) return folder;
  if (file !== undefined && KEPT.includes(folder)) return isLoadedLate(id, modules) ? null : path;
  return startOf(modules).has(id) ? 'floors' : null;
}

/** What is loaded late goes to a file that is named by it, with all that only it needs. */
function isLoadedLate(id, modules) {
  return modules.getModuleInfo(id).dynamicImporters.length > 0;
}

let start;

/** Every module that an application waits for when it starts. */
function startOf(modules) {
  if (start !== undefined) return start;
  start = new Set([join(dist, 'index.js')]);
  for (const id of start) for (const next of modules.getModuleInfo(id)?.importedIds ?? []) start.add(next);
  if (start.size === 1) throw new Error(`Nothing is found of what ${join(dist, 'index.js')} imports.`);
  return start;
}

/** The maps that tsc wrote, so that the new ones lead on. */
const traceable = {
  name: 'traceable',
  load: (id) => ({ code: readFileSync(id, 'utf8'), map: readFileSync(`${id}.map`, 'utf8') }),
};

/** What Nest and applications read at run time must be what the sources say, and in an order that Node can load. */
const checked = {
  name: 'checked',
  generateBundle(_options, files) {
    const chunks = new Map(
      Object.values(files)
        .filter(({ type }) => type === 'chunk')
        .map((chunk) => [chunk.fileName, chunk]),
    );
    for (const { isEntry, facadeModuleId, exports, code, fileName } of chunks.values()) {
      const wanted = isEntry ? this.getModuleInfo(facadeModuleId).exports : exports;
      if (wanted.toSorted().join() !== exports.toSorted().join()) {
        throw new Error(`${fileName} exports ${exports.join(', ')}, and its source ${wanted.join(', ')}.`);
      }
      const renamed = /\w+\$\d+ = class\b|\bclass \w+\$\d+/.exec(code)?.[0];
      if (renamed !== undefined) throw new Error(`${fileName}: two classes have one name (${renamed}).`);
    }
    const done = new Set();
    const walk = (fileName, above) => {
      if (above.includes(fileName))
        throw new Error(`Files import one another in a circle: ${[...above, fileName].join(' -> ')}.`);
      if (done.has(fileName)) return;
      done.add(fileName);
      for (const next of chunks.get(fileName)?.imports ?? []) walk(next, [...above, fileName]);
    };
    for (const fileName of chunks.keys()) walk(fileName, []);
  },
};

const bundle = await rolldown({
  cwd: dist,
  input: Object.fromEntries(ENTRIES.map((path) => [path, join(dist, `${path}.js`)])),
  platform: 'node',
  // Packages; and late.cjs, whose `require` must stay one.
  external: (id) => !/^[./]/.test(id) || id.endsWith('.cjs'),
  preserveEntrySignatures: 'allow-extension',
  plugins: [traceable, checked],
});
const { output } = await bundle.generate({
  dir: dist,
  sourcemap: true,
  comments: false,
  minifyInternalExports: false,
  entryFileNames: '[name].js',
  // What is loaded late out of a floor has its own name, and leads there.
  chunkFileNames: ({ facadeModuleId }) => (facadeModuleId === null ? '[name].js' : `${pathOf(facadeModuleId)}.js`),
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [{ debugName: 'floors', name: fileOf, test: (id) => !ENTRIES.includes(pathOf(id)) }],
  },
});
await bundle.close();

for (const path of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  // Without the note of what is built, tsc builds everything again instead of some files among these.
  if (/\.js(?:\.map)?$|\.tsbuildinfo$/.test(path)) rmSync(join(dist, path));
}
for (const { fileName, ...file } of output) {
  mkdirSync(dirname(join(dist, fileName)), { recursive: true });
  writeFileSync(join(dist, fileName), file.type === 'chunk' ? inAscii(file.code) : file.source);
}

/** A text of one byte a character is read and compiled a fifth faster. The others stand in strings. */
function inAscii(code) {
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
