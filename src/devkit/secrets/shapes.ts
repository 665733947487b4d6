/**
 * What secrets look like, whatever they are called: blocks and tokens of known make, passwords in addresses, and strings that
 * only chance could have written.
 */
import { isSecretName } from './names.js';

/** What stands in a secret's place. */
export const MASK = '[masked]';

/** Tokens that their makers mark. */
const MARKED = [
  /-----BEGIN [A-Z0-9 ]+-----[\s\S]*?(?:-----END [A-Z0-9 ]+-----|$)/g, // PEM, also one that was cut
  /\beyJ[\w-]{6,4096}\.[\w-]{4,}(?:\.[\w-]*){0,3}/g, // JWS and JWE
  /\b(?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA)[A-Z0-9]{12,}/g, // AWS
  /\bAIza[\w-]{20,}|\bya29\.[\w-]+|\bGOCSPX-[\w-]+/g, // Google
  /\b(?:ghp|gho|ghu|ghs|ghr)_\w{16,}|\bgithub_pat_\w{16,}|\bglpat-[\w-]{12,}/g, // GitHub, GitLab
  /\b(?:sk|pk|rk|whsec|sess|key|tok|shp(?:at|ss|pa|ca))[-_](?:live_|test_|proj-|ant-|or-v1-)?[\w-]{16,}/g, // Stripe and others
  /\bxox[abeoprs]-[\w-]{8,}|\bxapp-[\w-]{8,}/g, // Slack
  /https:\/\/hooks\.slack\.com\/\S+|https:\/\/(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks\/\S+/g,
  /\bSG\.[\w-]{10,}\.[\w-]{10,}|\bnpm_\w{20,}|\bpypi-[\w-]{16,}|\bdop_v1_\w{16,}|\bhf_\w{16,}|\bhv[sb]\.[\w-]{16,}/g,
  /\b\d{6,12}:[\w-]{30,}/g, // Telegram
  /\bAGE-SECRET-KEY-1[A-Z0-9]+/g,
  /\$(?:2[aby]?|argon2(?:id|i|d)|scrypt|5|6)\$[\w./+=$,-]{16,}/g, // password hashes
];

/** To the last `@`: people forget to encode what stands in a password. */
const ADDRESS_PASSWORD = /\b([a-z][a-z\d+.-]{0,20}:\/\/)[^\s/?#@:"'<>]{0,256}:[^\s"'<>]{1,2048}@/gi;
const SCHEME = /\b(Bearer|Basic|Digest|Token)\s+(?=[\w~+/.=-]*[\d+/=.~-])[\w~+/.=-]{6,}/gi;
/** A name, where one begins, and the sign behind it. */
const NAME = String.raw`(?<![\w.-])([A-Za-z][\w.-]{0,80})`;
/** `PASSWORD=x`, `Password=x;`, `&token=x`: nothing stands around the sign. */
const ASSIGNED = new RegExp(`${NAME}=`, 'g');
const ASSIGNED_VALUE = /"[^"]*"|'[^']*'|[^\s"'&;,]+/y;
/** `password: 'x'`, `"password": "x"`: a text in quotes. */
const QUOTED = new RegExp(`(["']?)${NAME}\\1\\s{0,8}[:=]\\s{0,8}(["'\`])((?:(?!\\3)[^\\\\\\n]|\\\\.){1,2048})\\3`, 'g');
/** `password: hunter2`: a word that no type and no sentence would be. */
const SAID = new RegExp(`${NAME}:\\s{1,8}(?=[^\\s"']*[\\d!@#$%^&*~+])([^\\s"'<>(){}[\\],;]+)`, 'g');
/** Also the secrets of base64 that has slashes. */
const LONG_WORD = /[A-Za-z\d+/_=~-]{20,}/g;

/** In which none of these shapes can be. */
const LETTERS_ALONE = /^[A-Za-z ()]*$/;

/** The text with everything in it masked that looks like a secret. */
export function maskText(text: string): string {
  if (text.length < 6 || LETTERS_ALONE.test(text)) return text;
  let masked = text;
  for (const shape of MARKED) masked = masked.replace(shape, MASK);
  masked = maskAssigned(masked);
  return masked
    .replace(ADDRESS_PASSWORD, (_, scheme: string) => `${scheme}${MASK}@`)
    .replace(SCHEME, (_, scheme: string) => `${scheme} ${MASK}`)
    .replace(QUOTED, (all: string, quote: string, name: string, open: string, value: string) =>
      isSecretName(name) && value !== MASK ? all.replace(open + value + open, open + MASK + open) : all,
    )
    .replace(SAID, (all: string, name: string) => (isSecretName(name) ? `${name}: ${MASK}` : all))
    .replace(LONG_WORD, (word: string) => (isRandom(word) ? MASK : word));
}

/** Of a name that is no secret's the value is looked into too: `CALLBACK=https://…?token=x`. */
function maskAssigned(text: string): string {
  let masked = '';
  let from = 0;
  for (const { index, 0: written, 1: name } of text.matchAll(ASSIGNED)) {
    const start = index + written.length;
    if (index < from || !isSecretName(name!)) continue;
    ASSIGNED_VALUE.lastIndex = start;
    const value = ASSIGNED_VALUE.exec(text);
    if (value === null) continue;
    masked += text.slice(from, start) + MASK;
    from = start + value[0].length;
  }
  return masked + text.slice(from);
}

/**
 * Whether chance wrote a word: it holds digits, few of its characters repeat, and it changes between capitals, small letters,
 * digits and signs as no name does that people make of words.
 */
export function isRandom(word: string): boolean {
  if (/^[\dA-Fa-f]{32,}$/.test(word)) return entropyOf(word.toLowerCase()) > 2.8;
  const hasSigns = /[+/]/.test(word);
  if (hasSigns && (word.length < 32 || !/[A-Z]/.test(word))) return false;
  if (!/\d/.test(word) || !/[A-Za-z]/.test(word)) return false;
  if (/^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(word)) return true;
  return entropyOf(word) >= 3.4 && changesOf(word) >= (word.length < 32 ? 0.34 : 0.3);
}

/** Shannon's, in bits a character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => {
    const share = count / text.length;
    return sum - share * Math.log2(share);
  }, 0);
}

/** How often the kind of character changes, for each character. A word with a capital in front is one kind. */
function changesOf(text: string): number {
  const kinds = text
    .replace(/(?<=[a-z\d_-]|^)[A-Z](?=[a-z])/g, '.')
    .replace(/[a-z]/g, 'a')
    .replace(/[A-Z]/g, 'A')
    .replace(/\d/g, '0')
    .replace(/[^aA0.]/g, '-');
  let changes = 0;
  for (let at = 1; at < kinds.length; at += 1) if (kinds[at] !== kinds[at - 1] && kinds[at - 1] !== '.') changes += 1;
  return changes / text.length;
}
