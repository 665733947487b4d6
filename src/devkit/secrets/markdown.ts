/**
 * Markdown, in which a secret stands behind its name as people write for people: emphasised, in a cell of a table, in a sentence.
 */
import { MASK } from './behind-names.js';
import { isSecretName } from './names.js';
import { maskText } from './shapes.js';

/** The text, line for line, with everything in it masked that looks like a secret. */
export function maskMarkdown(text: string): string {
  const whole = text.replace(PEM, (block) => MASK + '\n'.repeat(block.split('\n').length - 1));
  return maskText(maskLabelled(maskTables(whole)));
}

/** Over several lines, of which a passage may hold the later ones alone. */
const PEM = /-----BEGIN [A-Z0-9 ]{1,60}-----[\s\S]{0,10000}?-----END [A-Z0-9 ]{1,60}-----/g;

/** Begun by a letter, also behind the `__` of an emphasis. */
const NAME = /(?<![\p{L}\p{N}.-])[\p{L}][\p{L}\p{N}_.-]{0,80}/gu;

/** What may end a name: its emphasis, its quotes, a tag, a remark in brackets. */
const END = String.raw`[*_\`"'~\]]{0,4}(?:<\/\w{1,10}>){0,2}(?:[ \t]{1,3}\([^()\n]{0,60}\))?[*_~]{0,3}`;
/** What may begin a value. */
const BEGIN = String.raw`[*_~]{0,3}[ \t\u00a0]{0,8}[*_~]{0,3}(?:<\w{1,10}>){0,2}`;
const SPAN = String.raw`\`[^\`\n]{1,2048}\``;
const QUOTED = String.raw`"(?!\$\((?!echo|printf))(?:[^"\\\n]|\\.){1,512}"|'(?:[^'\\\n]|\\.){1,512}'|“[^”\n]{1,512}”`;

/** A sign, or a verb, and a value that is marked as one. */
const MARKED_VALUE = new RegExp(
  String.raw`(${END}[ \t\u00a0]{0,4}(?:[:=：]|[-=]>|→|[–—-](?=[ \t])|(?<=[ \t])(?:is|was)(?=[ \t]))${BEGIN})(${SPAN}|${QUOTED})`,
  'y',
);
/** A sign, and one word with nothing behind it: no sentence. Links lead somewhere, and are no secrets. */
const ONE_WORD = new RegExp(
  String.raw`(${END}[ \t\u00a0]{0,4}(?:[:=：]|[-=]>|→|[–—](?=[ \t])|(?<=<\/t[dh]>)\s{0,8}(?=<t))${BEGIN})(?!https?:|[#/.{[]|\$[{(])` +
    String.raw`([^\s\`"'<>|,;()*]{1,256})(?=[*_~]{0,3}(?:<\/\w{1,10}>)?(?:[ \t]{0,8}(?:\n|$|[,;)])|\`|\.(?:\s|$)))`,
  'y',
);
/** `with the password "x"` */
const BESIDE = new RegExp(String.raw`([*_\`~]{0,4}[ \t]{1,3})(${SPAN}|"[^"\n]{1,512}")`, 'y');

/** Behind a name these tell what it is, and not its value. */
const TYPE =
  /^[`"']?(?:string|number|boolean|unknown|any|object|never|true|false|null|undefined|yes|no|none|required|optional|date|uuid|text|int(?:eger)?)(?:\[\])?[`"']?$/i;
/** The name of a variable, a call, a scope: what stands beside a name in a sentence that explains it. */
const EXPLAINED = /^[`"](?:[A-Z][A-Z\d_]+|[^`"\n]*[(){}<>@:=][^`"\n]*|[\w-]+(?:\.[a-z][\w-]*)+)[`"]$/;

/** Before something that is no number they tell what to do with it: "pass `limit`", and not "with the pass `x`". */
const VERB = /(?<!\b(?:with|the|your|a|by)\s)\b(?:pass|pin)$/i;

function maskLabelled(text: string): string {
  let masked = '';
  let from = 0;
  for (const { index, 0: name } of text.matchAll(NAME)) {
    if (index < from || name.endsWith('.') || !isSecretName(name)) continue;
    const end = index + name.length;
    for (const way of [MARKED_VALUE, ONE_WORD, BESIDE]) {
      way.lastIndex = end;
      const [all, between, value] = way.exec(text) ?? [];
      if (all === undefined || TYPE.test(value!)) continue;
      if (
        way === BESIDE &&
        (EXPLAINED.test(value!) || (VERB.test(text.slice(Math.max(0, index - 8), end)) && !/\d/.test(value!)))
      )
        continue;
      masked += text.slice(from, end) + between + hidden(value!);
      from = end + all.length;
      break;
    }
  }
  return masked + text.slice(from);
}

/** Its quotes stay. */
function hidden(value: string): string {
  const quote = /^[`"']/.exec(value)?.[0] ?? '';
  return quote + MASK + quote;
}

/** Cells behind a secret's name, and those below one. */
function maskTables(text: string): string {
  if (!text.includes('|')) return text;
  const lines = text.split('\n');
  let secretColumns: ReadonlySet<number> | undefined;
  return lines
    .map((line, at) => {
      if (!line.includes('|')) {
        secretColumns = undefined;
        return line;
      }
      if (secretColumns === undefined && isRule(line)) {
        const heads = cellsOf(lines[at - 1] ?? '');
        secretColumns = new Set(heads.flatMap((cell, column) => (isNameCell(cell) ? [column] : [])));
        return line;
      }
      if (secretColumns === undefined && !/^\s*\|/.test(line)) return line;
      const cells = cellsOf(line);
      const named = cells.slice(0, 3).findIndex(isNameCell); // behind the first bar, or behind a number
      return cells
        .map((cell, column) =>
          secretColumns?.has(column) || (named >= 0 && column > named) ? withoutValue(cell) : cell,
        )
        .join('|');
    })
    .join('\n');
}

function cellsOf(line: string): string[] {
  return line.split(/(?<!\\)\|/);
}

/** The line below the heads of a table. Further down cells of dashes are rows that say nothing. */
function isRule(line: string): boolean {
  const cells = line.split('|').map((cell) => cell.trim());
  if (cells[0] === '') cells.shift();
  const last = cells.pop()!;
  return cells.length > 0 && cells.every((cell) => /^:?-+:?$/.test(cell)) && /^:?-*:?$/.test(last);
}

const MAX_NAME_CELL = 100;

/** A cell with a name in it and nothing else. */
function isNameCell(cell: string): boolean {
  const held = cell.trim();
  if (held.length > MAX_NAME_CELL) return false; // also for the sake of the marks: each of a thousand may be the first of the last
  const name = held.replace(/^[*_`~"']+|[*_`~"':]+$/g, '');
  return name.length <= 80 && /^[\p{L}][\p{L}\p{N}_.-]*(?: [\p{L}\p{N}_.-]+){0,2}$/u.test(name) && isSecretName(name);
}

/** A cell that is one code, one quotation or one word is a value. */
function withoutValue(cell: string): string {
  const [, before, value, after] =
    /^(\s*[*_]{0,3})(`[^`]+`|"[^"]+"|[^\s`*_<>][^\s`<>]*?)([*_]{0,3}\s*)$/.exec(cell) ?? [];
  if (value === undefined || TYPE.test(value) || /^[-–—]+$|^https?:|^\[.*\]\(/.test(value)) return cell;
  return before + hidden(value) + after;
}
