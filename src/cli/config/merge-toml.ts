/**
 * Merging into TOML: a new server is a table at the end, a changed one has the lines of its settings changed. What came
 * out is parsed again, and is taken only when it says what it should and everything else as before.
 */
import { isDeepStrictEqual } from 'node:util';
import { McpConfigFault } from './config-fault.js';
import type { Merged, MergeTarget } from './merge.js';
import { asSettings, type ServerSettings } from './server.js';

type Toml = Pick<typeof import('smol-toml'), 'parse' | 'stringify'>;

/** @throws McpConfigFault */
export async function mergeToml(text: string, target: MergeTarget): Promise<Merged> {
  const toml: Toml = await import('smol-toml');
  const whole = read(toml, text);
  const servers = whole[target.servers] === undefined ? {} : asSettings(whole[target.servers]);
  if (servers === undefined) throw new McpConfigFault(`"${target.servers}" must be a table that holds the servers`);
  const found = servers[target.name];
  const standing = asSettings(found);
  if (found !== undefined && standing === undefined) {
    throw new McpConfigFault(`the server "${target.name}" must be a table`);
  }
  const wanted = target.wanted(standing);
  if (isDeepStrictEqual(plain(standing), plain(wanted))) return { text, replaces: false };

  const edited =
    standing === undefined ? appended(toml, text, target, wanted) : changed(toml, text, target, { standing, wanted });
  const expected = { ...whole, [target.servers]: { ...servers, [target.name]: wanted } };
  if (edited !== undefined && says(toml, edited, expected)) return { text: edited, replaces: standing !== undefined };
  throw new McpConfigFault(
    `the server "${target.name}" cannot be written into this file without changing more of it. Write it by hand:\n\n` +
      table(toml, target, wanted),
  );
}

function read(toml: Toml, text: string): ServerSettings {
  try {
    return toml.parse(text);
  } catch (error) {
    const { message, line, column } = error as Error & { line?: number; column?: number };
    const what = message.split('\n')[0]!.replace(/^Invalid TOML document: /, '');
    throw new McpConfigFault(line === undefined ? what : `line ${line}, column ${column}: ${what}`, { cause: error });
  }
}

function says(toml: Toml, text: string, expected: ServerSettings): boolean {
  try {
    return isDeepStrictEqual(plain(toml.parse(text)), plain(expected));
  } catch {
    return false;
  }
}

/** Without prototypes, which the parser leaves out. Dates become text, as which they compare. */
function plain(value: unknown): unknown {
  return value === undefined
    ? undefined
    : JSON.parse(JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each)));
}

function table(toml: Toml, { servers, name }: MergeTarget, wanted: ServerSettings): string {
  return toml.stringify({ [servers]: { [name]: wanted } });
}

function appended(toml: Toml, text: string, target: MergeTarget, wanted: ServerSettings): string {
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const end = text === '' ? '' : text.endsWith('\n') ? lineBreak : lineBreak + lineBreak;
  return text + end + table(toml, target, wanted).replaceAll('\n', lineBreak);
}

/** What stands behind the value of a line, with the space before it; `undefined` when the line does not hold all of the value. */
function commentOn(toml: Toml, line: string, value: unknown): string | undefined {
  const text = line.replace(/\r$/, '');
  const ends = [...text.matchAll(/\s*#/g)].map(({ index }) => index);
  const end = [...ends, text.length].find((at) => isDeepStrictEqual(plain(valueIn(toml, text.slice(0, at))), value));
  return end === undefined ? undefined : text.slice(end).trimEnd();
}

/** The value of a line with one setting; `undefined` when it is none. */
function valueIn(toml: Toml, line: string): unknown {
  try {
    return Object.values(toml.parse(line))[0];
  } catch {
    return undefined;
  }
}

/** The lines of one table with other values; `undefined` when a setting is not on one line of its own. */
function changed(
  toml: Toml,
  text: string,
  { servers, name }: MergeTarget,
  { standing, wanted }: { standing: ServerSettings; wanted: ServerSettings },
): string | undefined {
  const lines = text.split('\n');
  const header = lines.findIndex((line) =>
    new RegExp(`^\\s*\\[\\s*${servers}\\s*\\.\\s*"?${name}"?\\s*\\]`).test(line),
  );
  if (header < 0) return undefined;
  const next = lines.findIndex((line, at) => at > header && /^\s*\[/.test(line));
  const end = next < 0 ? lines.length : next;
  const ending = lines[header]!.endsWith('\r') ? '\r' : '';
  const own = lines.slice(header + 1, end);
  for (const key of Object.keys(standing)) {
    if (isDeepStrictEqual(plain(standing[key]), plain(wanted[key]))) continue;
    const at = own.findIndex((line) => new RegExp(`^\\s*"?${key}"?\\s*=`).test(line));
    const comment = at < 0 ? undefined : commentOn(toml, own[at]!, plain(standing[key]));
    if (comment === undefined) return undefined;
    const line = key in wanted ? toml.stringify({ [key]: wanted[key] }).trimEnd() + comment : comment.trimStart();
    own.splice(at, 1, ...(line === '' ? [] : [line + ending]));
  }
  const added = Object.keys(wanted).filter((key) => !(key in standing));
  const additions = added.map((key) => toml.stringify({ [key]: wanted[key] }).trimEnd() + ending);
  return [...lines.slice(0, header + 1), ...additions, ...own, ...lines.slice(end)].join('\n');
}
