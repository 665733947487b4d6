/** D: each make of secret by itself, so that none is known only because chance seems to have written the rest of it. */
import { maskSecrets } from '../../src/devkit/secrets/mask.js';
import { isRandom, maskText } from '../../src/devkit/secrets/shapes.js';

const a = (count: number) => 'a'.repeat(count);
const A = (count: number) => 'A'.repeat(count);

describe('A secret that its maker marks', () => {
  it.each(
    Object.entries({
      'a block that was cut': ['-----BEGIN PRIVATE KEY-----\nanything'],
      'a web token': [`eyJ${a(6)}.${a(4)}`, `eyJ${a(6)}.${a(4)}.${a(4)}..x`],
      Amazon: ['AKIA', 'ASIA', 'AGPA', 'AIDA', 'AROA', 'ANPA'].map((mark) => mark + A(12)),
      Google: [`AIza${a(20)}`, `ya29.${a(4)}`, `GOCSPX-${a(4)}`],
      GitHub: ['ghp', 'gho', 'ghu', 'ghs', 'ghr', 'github_pat'].map((mark) => `${mark}_${a(16)}`),
      GitLab: [`glpat-${a(12)}`, ...['glptt', 'glrt', 'gldt'].map((mark) => `${mark}-${a(16)}`)],
      Stripe: ['sk', 'pk', 'rk', 'whsec', 'sess', 'key', 'tok'].map((mark) => `${mark}_${a(16)}`),
      Shopify: ['shpat', 'shpss', 'shppa', 'shpca'].map((mark) => `${mark}_${a(16)}`),
      Slack: [`xoxb-${a(8)}`, `xapp-${a(8)}`, 'https://hooks.slack.com/services/T/B/x'],
      Discord: ['https://discord.com/api/webhooks/1/x', 'https://ptb.discordapp.com/api/webhooks/1/x'],
      SendGrid: [`SG.${a(10)}.${a(10)}`],
      registries: [`npm_${a(20)}`, `pypi-${a(16)}`, `dckr_pat_${a(16)}`, `dckr_oat_${a(16)}`],
      clouds: [`dop_v1_${a(16)}`, `hf_${a(16)}`, `hvs.${a(16)}`, `hvb.${a(16)}`, `sbp_${a(16)}`, `dapi-${a(16)}`],
      Telegram: [`123456:${a(30)}`],
      age: [`AGE-SECRET-KEY-1${A(4)}`],
      'a hash of a password': [
        ...['2', '2b', 'argon2id', 'argon2i', 'argon2d', 'scrypt', '5', '6'].map((kind) => `$${kind}$${a(16)}`),
        `$apr1$salt$${a(8)}`,
        `$1$salt$${a(8)}`,
        `{SSHA}${a(8)}`,
        `{SHA512}${a(8)}`,
        `pbkdf2_sha256$1000$${a(8)}`,
      ],
      Atlassian: [`ATATT3${a(16)}`],
      'tools of teams': ['lin_api', 'ntn', 'figd', 'PMAK', 'tskey'].map((mark) => `${mark}_${a(16)}`),
      infrastructure: [
        `GR1348941${a(16)}`,
        `NRAK-${A(16)}`,
        `${a(14)}.atlasv1.${a(16)}`,
        `HRKU-${a(24)}`,
        `pul-${a(24)}`,
      ],
      'an account of Discord': [`M${a(23)}.${a(6)}.${a(27)}`],
      shops: [`access_token$production$${a(4)}$${a(4)}`, `shippo_live_${a(16)}`, `rubygems_${a(16)}`, `pplx-${a(24)}`],
      'a key whose marks are lost': [`MII${A(24)}==`],
    }),
  )('%s', (_, secrets) => {
    for (const secret of secrets) {
      expect([secret, maskText(`see ${secret}`)]).toEqual([secret, 'see [masked]']);
    }
  });

  it('is one in a path too, where the id of a commit is none', () => {
    const key = 'd41d8cd98f00b204e9800998ecf8427e';
    expect(maskText(`POST /api/hooks/${key}/now`)).toBe('POST /api/hooks/[masked]/now');
    expect(maskText('GET /hooks/q7Zr2Lk9XwB4nVt6YpM1sHd8')).toBe('GET /hooks/[masked]');
    const ids = `/shop/commit/${key}01234567 /snippets/be49dbf80c382c473004 /orders/getOrdersOfCustomerById2`;
    expect(maskText(ids)).toBe(ids);
  });

  it('is none in words that only begin alike', () => {
    const words = `see sk_short key_of_the_shop MIISSING npm_config_x ghp_x eyJ.x $6$x AKIAX tok_1 {SHA} 12:00`;
    expect(maskText(words)).toBe(words);
  });
});

describe('What chance wrote', () => {
  it.each([
    ['a number of 32 or more digits and letters to f', 'd41d8cd98f00b204e9800998ecf8427e', true],
    ['one digit over and over', '0'.repeat(40), false],
    ['an id of the usual make', '6fa459ea-ee8a-3ca4-894e-db77e160355e', true],
    ['a path', 'src/modules/orders/v2/orders.controller', false],
    ['words with a number', 'createOrderFromCartAndPayment2', false],
    ['letters alone', 'abcdefghijklmnopqrstuvwxyzABCDEF', false],
    ['letters alone that change as chance would have them', 'aBcDeFgHiJkLmNoPqRsTuVwX', false],
    ['digits and signs alone', '3141_5926-5358=9793~2384_6264', false],
    ['an id of the usual make in which little changes', 'aaaaaaaa-aaaa-1aaa-aaaa-aaaaaaaaaaaa', true],
    ['digits alone', '31415926535897932384626433832795028841971693993751'.slice(0, 31), false],
    ['one pair over and over', 'aB1-'.repeat(8), false],
  ])('%s: %s', (_, word, expected) => {
    expect(isRandom(word)).toBe(expected);
  });
});

describe('A value of whatever kind', () => {
  it.each<[string, unknown, unknown]>([
    ['an error', new RangeError('password=tangerine'), 'RangeError: password=[masked]'],
    ['a text in an object', Object('password=tangerine'), 'password=[masked]'],
    ['an address', new URL('redis://app:tangerine@cache/0'), 'redis://[masked]@cache/0'],
    ['an expression', /password=tangerine/, '/password=[masked]'],
    ['a symbol', Symbol('password=tangerine1'), 'Symbol(password=[masked]'],
    [
      'a function',
      Object.defineProperty(() => 1, 'name', { value: 'password=tangerine' }),
      '[function password=[masked]',
    ],
    ['a date that is none', new Date(Number.NaN), 'Invalid Date'],
    ['a map', new Map([['password', 'tangerine']]), { password: '[masked]' }],
    ['the name of a field', { 'redis://app:tangerine@cache': 1 }, { 'redis://[masked]@cache': 1 }],
    ['a name and a value', { name: 'DB_PASSWORD', value: 'tangerine' }, { name: 'DB_PASSWORD', value: '[masked]' }],
    ['a key and a value', { key: 'DB_PASSWORD', value: 'tangerine' }, { key: 'DB_PASSWORD', value: '[masked]' }],
    ['a variable', { variable: 'DB_PASSWORD', value: 'tangerine' }, { variable: 'DB_PASSWORD', value: '[masked]' }],
    ['a pair', [['DB_PASSWORD', 'tangerine']], [['DB_PASSWORD', '[masked]']]],
    ['a list of two that is no pair', ['the password, in words', 'x'], ['the password, in words', 'x']],
  ])('%s loses its secret', (_, value, told) => {
    expect(maskSecrets(value)).toEqual(told);
  });

  it('under the name of a secret: its parts are secrets, and what is no secret of anybody stays', () => {
    class Key {
      readonly bytes = 'tangerine';
    }
    const secrets = {
      given: true,
      missing: null,
      empty: '',
      pin: 4711,
      list: ['tangerine', ['tangerine']],
      made: new Key(),
      'redis://app:tangerine@cache': { inner: 'tangerine' },
      get: function get() {},
    };
    expect(maskSecrets({ secrets })).toEqual({
      secrets: {
        given: true,
        missing: null,
        empty: '',
        pin: '[masked]',
        list: ['[masked]', ['[masked]']],
        made: '[masked]',
        'redis://[masked]@cache': { inner: '[masked]' },
        get: '[function get]',
      },
    });
  });

  it('that goes down without an end has one: sixteen below each other are told', () => {
    const deep = Array.from({ length: 40 }).reduce<object>((inner) => ({ inner }), { end: 'tangerine' });
    const down = (value: unknown): number =>
      typeof value === 'object' && value !== null ? 1 + down(Object.values(value)[0]) : 0;
    expect(down(maskSecrets(deep))).toBe(16);
    expect(JSON.stringify(maskSecrets(deep))).toContain('[deeper]');
    expect(down(maskSecrets({ secrets: deep }))).toBe(17);
  });

  it('that is wide has an end too, also under the name of a secret', () => {
    const wide = Array.from({ length: 20_000 }, () => ({ word: 'word' }));
    expect(JSON.stringify(maskSecrets(wide))).toContain('[left out]');
    const parts = JSON.stringify(maskSecrets({ secrets: wide })).split('{"word"').length;
    expect(parts).toBeLessThan(8_000);
  });

  it('of more characters than thirty answers is not looked through to its end, and says how many it has', () => {
    const long = 'a pear and a plum. '.repeat(100_000);
    const masked = maskSecrets({ long, password: 'walrus', more: long }) as Record<string, string>;
    expect(masked['long']!.length).toBeLessThan(510_000);
    expect(masked['long']).toMatch(/… \(1900000 characters\)$/);
    expect(masked).toMatchObject({ password: '[masked]', more: '[left out]' });
  });

  it.each<[string, (text: string) => unknown]>([
    ['an error', (text) => new Error(text)],
    ['a symbol', (text) => Symbol(text)],
    ['an expression', (text) => new RegExp(text)],
    ['a function', (text) => Object.defineProperty(() => 1, 'name', { value: text })],
    ['the name of a field', (text) => ({ [text]: 1 })],
  ])('of as many characters in %s is not looked through to its end either', (_, make) => {
    const masked = JSON.stringify(
      maskSecrets(Array.from({ length: 10 }, () => make('a pear and a plum. '.repeat(5_000)))),
    );
    expect(masked.length).toBeLessThan(510_000);
    expect(masked).toContain('[left out]');
  });

  it('under a name for which there is no room any more is taken for a secret', () => {
    const long = 'a pear and a plum. '.repeat(30_000);
    expect(Object.values(maskSecrets({ [long]: 'tangerine' }) as object)).toEqual(['[masked]']);
  });

  it('with more fields than there is room for says how many it has besides', () => {
    const fields = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`field${at}`, at]));
    for (const masked of [maskSecrets(fields), (maskSecrets({ secrets: fields }) as { secrets: unknown }).secrets]) {
      const { '[left out]': left, ...told } = masked as Record<string, unknown>;
      expect(left).toBe(`${20_000 - Object.keys(told).length} more`);
      expect(Object.keys(told).length).toBeGreaterThan(7_000);
      expect(Object.keys(told).length).toBeLessThanOrEqual(8_000);
    }
  });

  it('is masked once where what stands behind a name looks like another name and its value', () => {
    expect(maskText('password=secret=tangerine at the end')).toBe('password=[masked] at the end');
  });

  it('is left where a line of a file or a part of a path is called as a secret is', () => {
    for (const text of ['token.ts:12', 'GET /token:12']) expect(maskText(text)).toBe(text);
  });

  it('is one under a name that is numbered, or whose capitals stand together', () => {
    const named = { pin2: 'tangerine', cookie1: 'tangerine', SMTPPin: 'tangerine' };
    expect(Object.values(maskSecrets(named) as object)).toEqual(['[masked]', '[masked]', '[masked]']);
  });

  it('is masked from six characters on: no name with a value is shorter', () => {
    expect(maskText('pw=ab1')).toBe('pw=[masked]');
  });
});
