/**
 * What secrets look like, whatever they are called: blocks and tokens of known make, passwords in addresses, and strings that
 * only chance could have written.
 */
import { MASK, maskBehindNames } from './behind-names.js';

/** Tokens that their makers mark. */
const MARKED = [
  /-----BEGIN [A-Z0-9 ]+-----[\s\S]*?(?:-----END [A-Z0-9 ]+-----|$)/g, // PEM, also one that was cut
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
  /\$(?:apr)?1\$[\w./]{1,16}\$[\w./]{8,}|\{S?SHA\d{0,3}\}[\w+/=]{8,}|\bpbkdf2[\w-]{0,12}\$\d+\$[\w./+=$-]{8,}/g,
  /\bATATT3[\w=-]{16,}|\b(?:dckr_[op]at|lin_api|ntn|figd|PMAK|gl(?:ptt|rt|dt)|sbp|dapi|tskey)[-_][\w-]{16,}/g, // Atlassian and others
  /\bGR1348941[\w-]{16,}|\bNRAK-[A-Z\d]{16,}|\b\w{14}\.atlasv1\.[\w-]{16,}|\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}/g, // GitLab, New Relic, Terraform, Discord
  /\baccess_token\$(?:production|sandbox)\$\w+\$\w+|\b(?:rubygems|shippo_(?:live|test))_\w{16,}|\b(?:pul|pplx|HRKU)-[\w-]{24,}/g, // PayPal and others
  /\bMII[A-Za-z\d+/]{24,}={0,2}/g, // a key or a certificate whose marks are lost
];

/** JWS and JWE. A word without a dot is gone over once, and not from each `eyJ` in it again. */
const JWT = /\beyJ[\w-]{6,}(\.[\w-]{4,}(?:\.[\w-]*){0,3})?/g;

/** To the last `@`: people forget to encode what stands in a password. */
const ADDRESS_PASSWORD = /\b([a-z][a-z\d+.-]{0,20}:\/\/)[^\s/?#@:"'<>]{0,256}:[^\s"'<>]{1,2048}@/gi;
/** Who has no password before the `@` of a page's address has a token there. */
const ADDRESS_TOKEN = /\b(https?:\/\/)[^\s/?#@:"'<>]{1,512}@/gi;
const ORACLE_PASSWORD = /\b(jdbc:oracle:\w{1,20}:)[^\s/@]{1,128}\/[^\s@]{1,512}@/gi;
const SCHEME = /\b(Bearer|Basic|Digest|Token)\s+(?!--)(?=[\w~+/.=-]*(?:[\d+/=~-]|\.\w))[\w~+/.=-]{6,}/gi;
/** Behind the header's name no word is an ordinary one. */
const CREDENTIALS = /(authorization["']?\s{0,8}[:=]\s{0,8}["'`]?(?:Bearer|Basic|Token)\s{1,8})[\w~+/.=-]+/gi;
/** `curl -u ada:x`, `curl --user=ada:x` */
const CURL_USER = /(\bcurl\b[^\n]{0,400}?[ \t](?:-u|--user|--proxy-user)[ \t=]?["']?[^\s:"']{1,128}:)[^\s"']{1,256}/g;
/** Commands with a short word for a password, and a file of such words. */
const SHORT_FLAGS = [
  /(\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n]{0,200}?[ \t]-p)["']?[^\s"'-][^\s"']{0,255}/g,
  /(\b(?:sshpass|docker[ \t]+login\b[^\n]{0,200}?)[ \t]+-p[ \t]*)["']?[^\s"'-][^\s"']{0,255}/g,
  /(\bredis-cli\b[^\n]{0,200}?[ \t]-a[ \t]+)["']?[^\s"'-][^\s"']{0,255}/g,
  /(\blogin[ \t]+\S{1,128}[ \t]+password[ \t]+)[^\s"'`]{1,256}/g, // .netrc
];

/** Also the secrets of base64 that has slashes. */
const LONG_WORD = /[A-Za-z\d+/_=~-]{20,}/g;

/** A part of a path that is long enough for a key: `/hooks/9f86d0…`, or of capitals, small letters and digits. */
const PATH_PART = /(?<=\/)(?:[\dA-Fa-f]{32,}|(?=[^/]*[A-Z])(?=[^/]*[a-z])[A-Za-z\d]{20,})(?![\w-])/g;
/** The id of a commit is none. */
const COMMIT = /^[\dA-Fa-f]{40}$/;

/** In which none of these shapes can be: a key of Amazon's may have letters alone, and has sixteen at least. */
const SHORT_WORDS = /^(?!.*[A-Za-z]{16})[A-Za-z ()]*$/;

/** The text with everything in it masked that looks like a secret. */
export function maskText(text: string): string {
  if (text.length < 6 || SHORT_WORDS.test(text)) return text;
  let masked = text;
  for (const shape of MARKED) masked = masked.replace(shape, MASK);
  masked = masked.replace(JWT, (word, isToken: string | undefined) => (isToken === undefined ? word : MASK));
  for (const flag of [CURL_USER, ...SHORT_FLAGS]) masked = masked.replace(flag, `$1${MASK}`);
  return maskBehindNames(masked)
    .replace(ADDRESS_PASSWORD, (_, scheme: string) => `${scheme}${MASK}@`)
    .replace(ADDRESS_TOKEN, (all: string, scheme: string) => (all === `${scheme}${MASK}@` ? all : `${scheme}${MASK}@`))
    .replace(ORACLE_PASSWORD, (_, scheme: string) => `${scheme}${MASK}@`)
    .replace(CREDENTIALS, (_, scheme: string) => scheme + MASK)
    .replace(SCHEME, (_, scheme: string) => `${scheme} ${MASK}`)
    .replace(LONG_WORD, (word: string) =>
      isRandom(word) ? MASK : word.replace(PATH_PART, (part) => (!COMMIT.test(part) && isRandom(part) ? MASK : part)),
    );
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
  if (WORDS_OF_A_HEADING.test(word)) return false;
  return entropyOf(word) >= 3.4 && changesOf(withoutPath(word)) >= (word.length < 32 ? 0.34 : 0.3);
}

/** `an-avatar-of-a-user-in-s3`: what Markdown links to. */
const WORDS_OF_A_HEADING = /^(?:[a-z]{1,20}|[a-z]{1,2}\d|\d{1,3})(?:-+(?:[a-z]{1,20}|[a-z]{1,2}\d|\d{1,3}))+$/;

/** Of a path (`com/Shop/shop/commit/27cb9b6`) neither the signs between its parts nor the id of a commit were written by chance. */
function withoutPath(word: string): string {
  return word.replace(/\/[\da-f]{7,40}(?=\/|$)/g, '').replaceAll('/', '');
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
