/**
 * Texts in which a secret stands behind its NAME: settings, files of the environment, YAML, command lines, and source code with a
 * literal in it.
 */
import { isSecretName } from './names.js';

/** What stands in a secret's place. */
export const MASK = '[masked]';

/** Without one of these no name has a value. */
const SIGNS = /[:=,(>]|--|\?\?|\|\||\b(?:ENV|ARG|setx?|setenv)[ \t]/;

/** A name, where one begins; the dashes of a command line may be before it. */
const NAME = /(?<![\p{L}\p{N}_.-])-{0,2}([\p{L}][\p{L}\p{N}_.-]{0,80})/gu;

/** Before a name: that it is one. */
const DECLARED = /(?:^|\n)[ \t]*(?:ENV|ARG|set|setx|setenv)[ \t]+$/;

/** What may stand between a name and its secret. The secret is the last group, behind all that the others took. */
const WAYS: readonly { readonly way: RegExp; readonly fits?: (before: string, name: string) => boolean }[] = [
  // `{ "name": "PASSWORD", "value": "x" }`, `- name: PASSWORD` with `value: x` on the next line, `<input name="password" value="x">`
  {
    way: /(["']?\s{0,8}[:,]?\s{0,40}\{?\s{0,40}["']?\bvalue["']?\s{0,8}[:=]\s{0,8})("[^"\n]{1,2048}"|'[^'\n]{1,2048}'|[^\s"'`,;<>(){}]+)/y,
  },
  // `passwords = ['x', 'y']`
  { way: /(["'`]?\]?\s{0,8}(?:=>?|:=?)\s{0,8}\[\s{0,40})(["'`][^[\]]{1,2048})(?=\])/y },
  // `"{\"password\": \"x\"}"`
  { way: /(\\{1,4}["']\s{0,8}:\s{0,8}\\{1,4}["'])([^"'\\\n]{1,2048})/y },
  // `-H 'x-api-key: x'`
  {
    way: /(:[ \t]{0,8}(?:(?:Bearer|Basic|Token)[ \t]{1,4})?)([^\n"'`]+)(?=["'])/y,
    fits: (before) => /(?:-H|--header)[ \t=]{0,8}["']$/.test(before),
  },
  // YAML: `password: |` and the lines below it
  {
    way: /(:[ \t]{0,8}[|>][-+\d]{0,2}[ \t]{0,8}\n([ \t]{1,40}))([^\n]+(?:\n\2[^\n]*){0,50})/y,
    fits: (before) => /(?:^|\n)[ \t]*(?:- )?["']?$/.test(before),
  },
  // `password: 'x'`, `"password" => "x"`, `password: string = 'x'`, `env['PASSWORD'] ?? 'x'`, `secret: env.S || 'x'`,
  // `get('PASSWORD', 'x')`, `passwords = ['x'`, `secret = Buffer.from('x'`
  // and no list of codes in Markdown: `` `jwks`, `algorithms` ``
  {
    way: new RegExp(
      String.raw`(?!\`\s{0,8},\s{0,8}\`)(["'\`]?\]?[?!]?(?:\s{0,8}:\s{0,8}[\w<>[\]|. ]{1,40}?)?\s{0,8}(?:=>?|:=?|\?\?=?|\|\|=?|,)\s{0,8}` +
        String.raw`(?:[^\n"'\`;{}]{0,60}?(?:\|\||\?\?)\s{0,8})?(?:Buffer\.from\(|\[)?\s{0,8})` +
        String.raw`("(?!\$\((?!echo|printf))(?:[^"\\\n]|\\.){1,2048}"|'(?:[^'\\\n]|\\.){1,2048}'|${'`'}(?:[^${'`'}\\]|\\.){1,2048}${'`'})`,
      'y',
    ),
  },
  // `setPassword('x')`: of a method that is called as the secret is
  {
    way: /(\(\s{0,8})("[^"\n]{1,2048}"|'[^'\n]{1,2048}')/y,
    fits: (_, name) => /(?:password|passphrase|secret|apikey)$/i.test(name),
  },
  // `PASSWORD=x`, `Password={x;y};`, `&token=x`: nothing stands around the sign. What a command prints is looked into
  {
    way: /((?:\[\w{0,20}\])?=)(?!["']?\$\((?!echo|printf))(\{[^{}\n]{1,512}\}|(?:\\.|"[^"]*"|'[^']*'|[^\s"'&;,\\])+)/y,
  },
  // `password = hunter2`, `password: hunter2`, `token:abc123`: a word that no type and no sentence would be
  { way: /(\s{0,8}[:=]\s{1,8})(?=[^\s"']{0,256}[\d!@#$%^&*~+])([^\s"'`<>(){}[\],;]+)/y },
  {
    way: /(:)(?!\*+\s)(?=[^\s"']{0,256}[\d!@#$%^&*~+])([^\s"'`<>(){}[\],;:/]+)/y,
    fits: (before, name) => !before.endsWith('/') && !name.includes('.'),
  },
  // `POSTGRES_PASSWORD: x`, and a line of YAML or of an INI file with nothing else in it
  // and no `POSTGRES_PASSWORD: string;` of a class that checks the environment
  {
    way: /(:[ \t]{1,8})(?!(?:string|number|boolean|unknown|any)[;,)])([^\s"'`<>(){}[\],;$|>&*!]+)/y,
    fits: (_, name) => /^[A-Z][A-Z\d_]+$/.test(name),
  },
  {
    way: /([ \t]{0,8}[:=][ \t]{1,8})(?!(?:string|number|boolean|unknown|any|object|never|true|false|null|undefined)\b)([^\s"'`<>(){}[\],;$|>&*!]+)(?=[ \t]*(?:#.*)?(?:\n|$))/y,
    fits: (before) => /(?:^|\n)[ \t]*(?:- )?["']?$/.test(before),
  },
  // `--password x`
  { way: /([ \t]{1,8})([^\s"'-][^\s"']*|"[^"\n]+"|'[^'\n]+')/y, fits: (before) => before.endsWith('--') },
  // `ENV PASSWORD x` of a Dockerfile, `set PASSWORD x` of a shell
  { way: /([ \t]{1,8})([^\s"'=][^\s"']*|"[^"\n]+"|'[^'\n]+')/y, fits: (before) => DECLARED.test(before) },
  // `<password>x</password>`
  { way: /(>\s{0,8})([^<>\s][^<>]{0,512})(?=<\/)/y, fits: (before) => before.endsWith('<') },
];

const QUOTE = /^(["'`])[\s\S]*\1$/;

/** The text without the values that stand behind names of secrets. What follows any other name is looked into too. */
export function maskBehindNames(text: string): string {
  if (!SIGNS.test(text)) return text;
  let masked = '';
  let from = 0;
  for (const { index, 0: written, 1: name } of text.matchAll(NAME)) {
    if (index < from || !isSecretName(name!)) continue;
    const end = index + written.length;
    const before = text.slice(Math.max(0, end - name!.length - 40), end - name!.length);
    for (const { way, fits } of WAYS) {
      if (fits?.(before, name!) === false) continue;
      way.lastIndex = end;
      const found = way.exec(text);
      if (found === null) continue;
      const [all, between] = found;
      const quote = QUOTE.exec(found.at(-1)!)?.[1] ?? '';
      masked += text.slice(from, end) + between + quote + MASK + quote;
      from = end + all.length;
      break;
    }
  }
  return masked + text.slice(from);
}
