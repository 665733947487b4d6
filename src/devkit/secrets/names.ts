/**
 * Names behind which secrets stand, whatever they look like.
 */

/** Words of a name that make its value a secret. */
const SECRET_WORDS = new Set(
  `password passwd passphrase passcode pwd pass pw pin otp totp secret secrets token tokens jwt bearer
  authorization cookie cookies credential credentials creds salt pepper signature dsn webhook apikey
  apikeys privatekey secretkey accesskey signingkey encryptionkey authkey masterkey licensekey
  connectionstring sas mnemonic seedphrase auth nonce sid passwords`.split(/\s+/),
);

/** Words that make a secret of a `key` beside them. */
const KEY_WORDS = new Set(
  `api private secret access signing sign encryption encrypt crypto auth master license licence account
  storage service shared hmac aes rsa ssh tls ssl app session deploy publishable server client webhook
  stripe jwt cipher host instrumentation`.split(/\s+/),
);

/** Words that make of a name one ABOUT secrets: how long one is good, where it is asked for. */
const MEASURES = new Set(
  `ttl expires expiry expiration expire lifetime age length min max count rounds enabled required type
  algorithm algorithms issuer audience url uri endpoint path name header prefix policy timeout
  interval ms seconds minutes hours days file in limit size provider strategy format version domain
  secure strict`.split(/\s+/),
);

/** The words of a name: of `dbPassword`, `DB_PASSWORD` and `db.password` alike. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean);
}

/** Whether the value under a name is a secret. A measure of one (`tokenTtl`) is not, and its value is still looked at. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1);
  if (last === undefined || MEASURES.has(last)) return false;
  if (words.some((word) => SECRET_WORDS.has(word) || SECRET_WORDS.has(word.replace(/\d+$/, '')))) return true;
  if (/(?:password|passwd|secret|apikey|privatekey|accesskey|credential)s?\d*$/.test(words.join(''))) return true;
  const key = words.findIndex((word) => /^keys?\d*$/.test(word));
  return key > 0 && words.slice(0, key).some((word) => KEY_WORDS.has(word));
}
