/** Whatever stands in a file: a server goes into it, and everything else is still there. */
import * as fc from 'fast-check';
import { writeConfigFile } from '../../../src/cli/config/config-file.js';
import { lineDiff } from '../../../src/cli/config/line-diff.js';
import { mergeServer } from '../../../src/cli/config/merge.js';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const OURS = { type: 'http', url: 'https://shop.example/mcp' };
const merge = (text: string, format: 'json' | 'jsonc' | 'toml' = 'json') =>
  mergeServer(text, { format, servers: 'mcpServers', name: 'shop', wanted: (standing) => standing ?? OURS });

const key = fc.oneof(
  fc.string(),
  fc.constantFrom('__proto__', 'constructor', 'toString', '', 'a"b', 'servers', 'mcpServers ', '\u2028'),
);
const value = fc.jsonValue({ maxDepth: 3 });
const object = fc.dictionary(
  key.filter((name) => name !== 'mcpServers' && name !== 'shop'),
  value,
  { maxKeys: 6 },
);
const indent = fc.constantFrom(undefined, 1, 2, 4, '\t');

describe('merging', () => {
  it('keeps every other value of any JSON object, in its order, and every byte of the text', async () => {
    await fc.assert(
      fc.asyncProperty(
        object,
        fc.option(object, { nil: undefined }),
        object,
        indent,
        fc.boolean(),
        async (first, servers, last, step, crlf) => {
          const before = JSON.parse(
            JSON.stringify({ ...first, ...(servers && { mcpServers: servers }), ...last }),
          ) as Record<string, object>;
          const text = crlf
            ? JSON.stringify(before, undefined, step).replaceAll('\n', '\r\n')
            : JSON.stringify(before, undefined, step);
          const { text: merged } = await merge(text);
          const after = JSON.parse(merged) as Record<string, Record<string, unknown>>;
          expect(after['mcpServers']?.['shop']).toEqual(OURS);
          delete after['mcpServers']!['shop'];
          if (servers === undefined) delete after['mcpServers'];
          expect(JSON.stringify(after)).toBe(JSON.stringify(before));
          expect(text === '{}' || isWithin(text, merged)).toBe(true);
          expect(await merge(merged)).toEqual({ text: merged, replaces: false });
        },
      ),
      { numRuns: 500 },
    );
  });

  it('keeps every comment, wherever it stands', async () => {
    const comment = fc.constantFrom('', '', ' ', '/* a */', '// b\n', '\n// c\n', ' /* d\n */ ', '\n');
    const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        names,
        names,
        fc.array(comment, { minLength: 40, maxLength: 40 }),
        fc.boolean(),
        async (outer, inner, comments, trailing) => {
          const left = [...comments];
          const next = () => left.pop() ?? '';
          const write = (properties: string[]) =>
            `{${next()}${properties.join(`${next()},${next()}`)}${next()}${trailing && properties.length > 0 ? `,${next()}` : ''}${next()}}`;
          const property = (name: string, text: string) => `"${name}"${next()}:${next()}${text}`;
          const servers = write(inner.map((name) => property(name, '{}')));
          const text = `${next()}${write([...outer.map((name) => property(name, '1')), property('mcpServers', servers)])}${next()}`;
          const { text: merged } = await merge(text, 'jsonc');
          expect(isWithin(text.replaceAll(/\s/g, ''), merged.replaceAll(/\s/g, ''))).toBe(true);
          expect(await merge(merged, 'jsonc')).toEqual({ text: merged, replaces: false });
        },
      ),
      { numRuns: 500 },
    );
  });

  it('changes and removes settings of a server, and leaves every other byte, wherever comments stand', async () => {
    const gap = fc.constantFrom('', '', ' ', '  ', '/* a */', ' // b\n', '\n // c\n', '\n    ', '\r\n\t');
    const names = fc.shuffledSubarray(['a', 'b', 'gone', 'lost', 'url'], { minLength: 1 });
    const gaps = fc.array(gap, { minLength: 40, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(names, gaps, fc.boolean(), async (keys, comments, trailing) => {
        const left = [...comments];
        const next = () => left.pop() ?? '';
        const value = (key: string) => (key === 'url' ? '"old"' : '[ 1,2, 3]');
        const server = keys.map((key) => `${next()}"${key}" : ${value(key)}${next()}`).join(',');
        const text = `${next()}{${next()}"mcpServers":${next()}{"shop":${next()}{${server}${trailing ? `,${next()}` : ''}}}${next()}}`;
        const wanted = (standing: object = {}) =>
          Object.fromEntries(
            Object.entries(standing)
              .filter(([key]) => !['gone', 'lost'].includes(key))
              .map(([key, kept]: [string, unknown]) => [key, key === 'url' ? 'new' : kept]),
          );
        const target = { format: 'jsonc', servers: 'mcpServers', name: 'shop' } as const;
        const { text: merged } = await mergeServer(text, { ...target, wanted });
        expect(isWithin(merged.replace('"new"', '"old"'), text)).toBe(true);
        const gone = keys.filter((key) => ['gone', 'lost'].includes(key));
        const without = gone.reduce((rest, key) => rest.replace(`"${key}":[1,2,3]`, ''), text.replaceAll(/\s/g, ''));
        const commas = /,(?!2|3)/g;
        expect(merged.replaceAll(/\s/g, '').replaceAll(commas, '')).toBe(
          without.replace('"old"', '"new"').replaceAll(commas, ''),
        );
        const again = await mergeServer(merged, { ...target, wanted });
        expect(again).toEqual({ text: merged, replaces: false });
      }),
      { numRuns: 1_000 },
    );
  });

  it('never takes a text that is not JSON', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.nat(), object, async (noise, at, whole) => {
        const sound = JSON.stringify(whole);
        const text = sound.slice(0, at % sound.length) + noise + sound.slice(at % sound.length);
        const isObject = isJsonObject(text) || text.trim() === '';
        const outcome = await merge(text).then(
          () => 'taken',
          (error: Error) => error.name,
        );
        expect(['taken', 'McpConfigFault']).toContain(outcome);
        if (!isObject) expect(outcome).toBe('McpConfigFault');
      }),
      { numRuns: 500 },
    );
  });
});

describe('the difference of two texts', () => {
  it('makes the one of the other', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
      .map((lines) => lines.map((line) => `${line}\n`).join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const changes = lineDiff(before, after);
        const signs = (sign: string) => changes.filter((change) => change.sign === sign).map((change) => change.text);
        const left = before.split('\n').slice(0, -1);
        for (const line of signs('-')) left.splice(left.indexOf(line), 1);
        expect([...left, ...signs('+')].toSorted()).toEqual(after.split('\n').slice(0, -1).toSorted());
        expect(lineDiff(before, before)).toEqual([]);
      }),
    );
  });
});

describe('a file that somebody else writes', () => {
  it('is not overwritten when it has changed since it was read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mcp-merge-'));
    const file = join(folder, 'mcp.json');
    await writeFile(file, 'theirs');
    await expect(writeConfigFile(file, 'ours', 'as it was')).rejects.toThrow('somebody else has changed it');
    await expect(writeConfigFile(file, 'ours', undefined)).rejects.toThrow('somebody else has changed it');
    expect(await readFile(file, 'utf8')).toBe('theirs');
    expect(await readdir(folder)).toEqual(['mcp.json']);
    await rm(folder, { recursive: true });
  });
});

/** Whether `inner` comes out of `outer` by leaving characters out. */
function isWithin(inner: string, outer: string): boolean {
  let at = 0;
  for (const character of outer) if (inner.startsWith(character, at)) at += character.length;
  return at === inner.length;
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
