/** Forty secrets, each as `name: value`, of every make that an application is given. None is anybody's. */
const PEM = (kind: string, body: string) => `-----BEGIN ${kind}-----\n${body}\n-----END ${kind}-----`;
/** In two parts, so that whoever looks for lost secrets in this repository finds none. */
const cut = (prefix: string) => prefix;
const JWT =
  cut('eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJzZWVkZWQtNDAifQ.') +
  'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

/** The name, the value, and of the value what must nowhere stand (by default all of it). */
export const SEEDED: readonly (readonly [name: string, value: string, secret?: string])[] = [
  // by their names: ordinary words
  ['DB_PASSWORD', 'hunter2'],
  ['dbPassword', 'correcthorsebattery'],
  ['SESSION_SECRET', 'keyboard cat'],
  ['JWT_SECRET', 'wombat'],
  ['jwtRefreshSecret', 'platypus-in-a-hat'],
  ['API_KEY', 'plainwords'],
  ['apiKey', 'walrusmoustache'],
  ['ENCRYPTION_KEY', 'lemonmeringue'],
  ['SIGNING_KEY', 'buttercupfield'],
  ['SMTP_PASS', 'marmalade'],
  ['ADMIN_PIN', '481516'],
  ['cookieSecret', 'gingerbread'],
  ['OAUTH_CLIENT_SECRET', 'thunderclap'],
  ['ACCESS_TOKEN', 'nightingale'],
  ['hashSalt', 'himalayan'],
  ['MASTER_KEY', 'featherweight'],
  ['LDAP_BIND_CREDENTIALS', 'quicksilver'],
  ['SENTRY_DSN', 'dragonflywing'],
  ['privateKey', 'snowdropmeadow'],
  ['WEBHOOK_SECRET', 'peppermint'],
  // by their shapes, under names that say nothing
  ['DATABASE_URL', 'postgres://app:swordfish@db.internal:5432/shop', 'swordfish'],
  ['REDIS', 'redis://:mandrake@cache.internal:6379/0', 'mandrake'],
  ['BROKER', 'amqps://guest:r4bbit-h0le@mq.internal/vhost', 'r4bbit-h0le'],
  ['UPSTREAM', 'https://user:p%40ssw0rd@api.internal/v1?x=1', 'p%40ssw0rd'],
  ['CALLBACK', 'https://api.internal/hook?token=opensesame77&x=1', 'opensesame77'],
  ['STORAGE', 'AccountName=shop;AccountKey=bW9ja2luZ2JpcmQ=;EndpointSuffix=core', 'bW9ja2luZ2JpcmQ='],
  ['MSSQL', 'Server=db;User Id=sa;Password=tangerine;', 'tangerine'],
  ['CERT', PEM('RSA PRIVATE KEY', 'MIIEpAIBAAKCAQEAxSeededPrivateKeyBody'), 'SeededPrivateKeyBody'],
  ['DEPLOY', PEM('OPENSSH PRIVATE KEY', 'b3BlbnNzaC1rZXktdjEAAAAASeeded'), 'b3BlbnNzaC1rZXktdjEAAAAASeeded'],
  ['BLOB', JWT],
  ['HEADER', `Bearer ${JWT.slice(0, 40)}.x`, JWT.slice(0, 40)],
  ['CLOUD_ID', cut('AKIA') + 'IOSFODNN7SEEDED0'],
  ['CLOUD_VALUE', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYSEEDED40X'],
  ['GOOGLE', cut('AIza') + 'SyA-seeded_1234567890abcdefghijklmno'],
  ['PAYMENTS', cut('sk_live_') + '51SeededAbCdEfGhIjKlMn'],
  ['REPOSITORY', cut('ghp_') + 'Seeded0123456789abcdefABCDEF012345'],
  ['CHAT', cut('xoxb-') + '123456789012-seededAbCdEf'],
  ['MAILER', cut('SG.') + 'seededAbCdEfGh.IjKlMnOpQrStUvWxYz0123'],
  ['CHECKSUM', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  ['TICKET', 'q7Zr2Lk9XwB4nVt6YpM1sHd8'],
];

/** What must stand nowhere. */
export const SECRETS: readonly string[] = SEEDED.map(([, value, secret]) => secret ?? value);
