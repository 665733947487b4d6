/**
 * Names behind which secrets stand, whatever they look like.
 */

/** Words of a name that make its value a secret. */
const SECRET_WORDS = new Set(
  `password passwd passphrase passcode pwd pass pw pin otp totp passe secret secrets token tokens jwt bearer
  authorization cookie cookies credential credentials creds salt pepper signature dsn webhook apikey
  apikeys privatekey secretkey accesskey signingkey encryptionkey authkey masterkey licensekey
  connectionstring sas sig mnemonic seedphrase auth nonce sid passwords cred jwk jwks pem psk csrf xsrf cvv cvc
  contrasena passwort passworter kennwort geheimnis mdp senha segredo secreto segreto clave wachtwoord geheim haslo parola
  salasana losenord adgangskode passord heslo sifre jelszo пароль 密码 密碼 パスワード 비밀번호`.split(/\s+/),
);

/** Endings of names in which nothing says where a word begins: `dbpassword`, `refreshtoken`. */
const SECRET_ENDING =
  /(?:password|passwort|passwd|passphrase|motdepasse|secret|token|apikey|privatekey|privkey|accesskey|secretkey|sharedkey|credential)s?\d*$/;
/** `DBPASS`, `bindpw`; and not `compass`. */
const SHORT_ENDING = /^(?:db|pg|my|sql|user|admin|root|smtp|mail|redis|ldap|bind|ftp|ssh)(?:pass|pwd|pw)\d*$/;
/** Words that make a secret of a `code` beside them. */
const CODE_WORDS = new Set('recovery backup verification unlock activation access auth security invite'.split(' '));

/** Words that make a secret of a `key` beside them. */
const KEY_WORDS = new Set(
  `api private secret access signing sign encryption encrypt crypto auth master license licence account
  storage service shared hmac aes rsa ssh tls ssl app session deploy publishable server client webhook
  stripe jwt cipher host instrumentation gpg pgp hash preshared`.split(/\s+/),
);

/** Words that make of a name one ABOUT secrets: how long one is good, where it is asked for, which class sees to it. */
const MEASURES = new Set(
  `ttl expires expiry expiration expire lifetime age length min max count rounds enabled required type
  algorithm algorithms issuer audience url uri endpoint path name header prefix policy timeout
  interval ms seconds minutes hours days file in limit size provider strategy format version domain
  secure strict time duration period attempts retries digits host port region realm scope scopes mode env
  module service guard controller pipe interceptor filter repository factory resolver gateway middleware`.split(/\s+/),
);

/** The words of a name, in any script: of `dbPassword`, `DB_PASSWORD` and `db.password` alike, of `contraseña` without its mark. */
export function wordsOf(name: string): string[] {
  return name
    .normalize('NFKD')
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFC')
    .replaceAll('ł', 'l')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter(Boolean);
}

/** Whether the value under a name is a secret. A measure of one (`tokenTtl`) is not, and its value is still looked at. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1);
  if (last === undefined || MEASURES.has(last)) return false;
  if (words.some((word) => SECRET_WORDS.has(word) || SECRET_WORDS.has(word.replace(/\d+$/, '')))) return true;
  if (SECRET_ENDING.test(words.join('')) || words.some((word) => SHORT_ENDING.test(word))) return true;
  return isBeside(words, /^keys?\d*$/, KEY_WORDS) || isBeside(words, /^codes?\d*$/, CODE_WORDS);
}

function isBeside(words: readonly string[], noun: RegExp, before: ReadonlySet<string>): boolean {
  const at = words.findIndex((word) => noun.test(word));
  return at > 0 && words.slice(0, at).some((word) => before.has(word));
}
