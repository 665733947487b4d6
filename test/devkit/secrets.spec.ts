/** D: no secret of a seeded list of forty stands in any answer of any tool, whatever it is asked. */
import { createHash } from 'node:crypto';
import { Controller, Get, Injectable, Module, SetMetadata } from '@nestjs/common';
import * as fc from 'fast-check';
import { maskSecrets } from '../../src/devkit/secrets/mask.js';
import { isSecretName } from '../../src/devkit/secrets/names.js';
import { isRandom, maskText } from '../../src/devkit/secrets/shapes.js';
import { Annotations, McpModule, McpTool } from '../../src/index.js';
import { serveDevkit, type Asked } from './ask.js';
import { SECRETS, SEEDED } from './seeded-secrets.js';

const values = Object.fromEntries(SEEDED);

/** What `@nestjs/config` provides, under its tokens. */
@Injectable()
class ConfigService {
  get(name: string) {
    return values[name] ?? process.env[name];
  }
}

@Module({
  providers: [
    ConfigService,
    {
      provide: 'CONFIGURATION_TOKEN',
      useValue: { seeded: values, list: Object.entries(values), deep: { er: { still: values } } },
    },
  ],
  exports: [ConfigService],
})
class ConfigModule {}

@Injectable()
class Talkative {
  @McpTool({ name: 'talkative', description: `Connects to ${values['DATABASE_URL']} with ${values['PAYMENTS']}.` })
  @Annotations({ readOnlyHint: true, openWorldHint: false })
  @SetMetadata('EVENT_LISTENER_METADATA', [{ event: 'paid', options: values }])
  talk() {
    throw new Error(values['DB_PASSWORD']);
  }

  @McpTool({ name: 'nest_refused', description: values['BLOB']! })
  refused() {}
}

@Module({})
class EventEmitterModule {}

@Controller(`hooks/${values['TICKET']}`)
class Hooks {
  @Get('now')
  now() {}
}

describe('a flag under the name of a secret', () => {
  it('is told, also as a text of the environment', () => {
    const flags = { AUTH_ENABLED_SECRET: 'false', useToken: 'TRUE', password: true, secret: '' };
    expect(maskSecrets(flags)).toEqual(flags);
    expect(maskSecrets({ password: 'falsehood' })).toEqual({ password: '[masked]' });
  });
});

describe('the forty seeded secrets', () => {
  let asked: Asked;
  const before = { ...process.env };
  beforeAll(async () => {
    Object.assign(process.env, values);
    asked = await serveDevkit({
      imports: [ConfigModule, EventEmitterModule, McpModule.forRoot({ name: 'shop' })],
      controllers: [Hooks],
      providers: [Talkative],
    });
  });
  afterAll(async () => {
    for (const name of Object.keys(values)) delete process.env[name];
    Object.assign(process.env, before);
    await asked.app.close();
  });

  it('are forty', () => {
    expect(new Set(SECRETS).size).toBe(40);
  });

  it('stand in no answer of any tool, with or without a filter, in brief or in detail', async () => {
    const { body } = await asked.app.rpc('tools/list', {}, { path: '/mcp/devkit' });
    const questions = (body.result.tools as any[]).flatMap(({ name, inputSchema }) => questionsFor(name, inputSchema));
    const answers = await Promise.all(
      questions.map(async ({ name, args }) => {
        const { body: told } = await asked.app.rpc('tools/call', { name, arguments: args }, { path: '/mcp/devkit' });
        return { name, args, text: JSON.stringify(told) };
      }),
    );
    expect(answers.length).toBeGreaterThan(60);
    expect(answers.some(({ text }) => text.includes('seeded.DB_PASSWORD'))).toBe(true); // the name is told
    const telling = answers.flatMap(({ name, args, text }) =>
      SECRETS.filter((secret) => text.includes(JSON.stringify(secret).slice(1, -1)) && !isAskedFor(secret, args)).map(
        (secret) => [name, args, secret],
      ),
    );
    expect(telling).toEqual([]);
  }, 180_000); // hundreds of answers of every tool

  it('cannot be guessed by filtering for their letters', async () => {
    for (const secret of SECRETS) {
      const { total } = await asked.inspect('config', { filter: secret });
      expect([secret, total]).toEqual([secret, 0]);
    }
  });

  it('are masked where they stand, whatever stands around them', () => {
    for (const [name, value, secret = value] of SEEDED) {
      const shapes = [{ [name]: value }, { [name]: [value] }, { [name]: { inner: value } }, new Map([[name, value]])];
      for (const shape of shapes)
        expect(JSON.stringify(maskSecrets(shape))).not.toContain(JSON.stringify(secret).slice(1, -1));
      expect(maskText(`${name}="${value}"`)).not.toContain(secret);
      expect(JSON.stringify(maskSecrets({ name, value }))).not.toContain(JSON.stringify(secret).slice(1, -1));
      expect(JSON.stringify(maskSecrets([name, value]))).not.toContain(JSON.stringify(secret).slice(1, -1));
    }
  });
});

/** Every question that a schema makes possible: each value of an enum, with a filter for something seeded, in detail or not. */
function questionsFor(name: string, schema: any): { name: string; args: Record<string, unknown> }[] {
  const properties: Record<string, any> = schema.properties ?? {};
  const choices = Object.entries(properties).find(([, property]) => property.enum);
  const words = ['', 'password', 'secret', 'seeded', 'url', 'TICKET'];
  const texts = ['filter', 'query'].filter((key) => key in properties);
  const bases = choices ? choices[1].enum.map((value: unknown) => ({ [choices[0]]: value })) : [{}];
  return bases.flatMap((base: object) =>
    (texts.length > 0 ? words : ['']).flatMap((word) =>
      ('detail' in properties ? [true, false] : [undefined]).map((detail) => ({
        name,
        args: {
          ...base,
          ...(word !== '' && Object.fromEntries(texts.map((key) => [key, word]))),
          ...(detail !== undefined && { detail }),
        },
      })),
    ),
  );
}

/** An answer may repeat the question. */
function isAskedFor(secret: string, args: object): boolean {
  return JSON.stringify(args).includes(secret);
}

describe('maskSecrets()', () => {
  it('leaves what is no secret', () => {
    const sound = {
      tokenTtl: 3600,
      jwtExpiresIn: '15m',
      passwordMinLength: 8,
      secure: true,
      host: 'db.internal',
      url: 'https://shop.example/api/v1/orders?page=2',
      path: '/usr/src/app/dist/modules/orders/orders.controller.js',
      handler: 'OrdersController.findAllByCustomerAndStatusSortedByDate',
      word: 'INTERNATIONALIZATION_FALLBACK_LANGUAGE_OF_SHOP',
      version: '2026-07-28',
      nothing: null,
      key: 'primary',
      exports: ['JwtModule', 'AuthService'],
      dependencies: ['TokenRepository', 'UserService'],
      JWT_EXPIRATION_TIME: '86400',
      authHost: 'login.internal',
    };
    expect(maskSecrets(sound)).toEqual(sound);
  });

  it('runs no getter, neither of a value nor of the configuration', async () => {
    let ran = 0;
    const getting = {
      get first() {
        ran += 1;
        throw new Error('x');
      },
      get(name: string) {
        return name === 'PATH' ? 'a path' : undefined;
      },
    };
    expect(maskSecrets({ within: [getting] })).toEqual({
      within: [{ first: '[a getter, which is not run]', get: '[function get]' }],
    });
    const asked = await serveDevkit({
      providers: [
        { provide: 'ConfigService', useValue: getting },
        { provide: 'CONFIGURATION_TOKEN', useValue: { shop: { name: 'Corner', door: getting } } },
      ],
    });
    const { items } = await asked.inspect('config', { filter: 'shop' });
    expect(items).toContainEqual({ name: 'shop.name', value: 'Corner', from: 'config' });
    expect(items).toContainEqual({ name: 'shop.door.first', value: '[a getter, which is not run]', from: 'config' });
    expect(ran).toBe(0);
    await asked.app.close();
  });

  it('asks a service of configuration of its own nothing, and tells what one that refuses a name has besides', async () => {
    const refusing = {
      get(): unknown {
        throw new Error('no such setting');
      },
    };
    const own = await serveDevkit({ providers: [{ provide: 'ConfigService', useValue: refusing }] });
    expect((await own.inspect('config', { filter: 'PATH' })).note).toMatch(/names of its environment variables/);
    await own.app.close();
    const broken = await serveDevkit({
      providers: [
        { provide: 'ConfigService', useValue: refusing },
        { provide: 'CONFIGURATION_TOKEN', useValue: { shop: { name: 'Corner' } } },
      ],
    });
    expect((await broken.inspect('config', { filter: 'shop.name' })).total).toBe(1);
    await broken.app.close();
  });

  it('has an end where everything leads everywhere, under the name of a secret too', async () => {
    const crowd = Array.from({ length: 12 }, (): Record<string, unknown> => ({}));
    for (const one of crowd) for (const [at, other] of crowd.entries()) one[`to${at}`] = other;
    const began = performance.now();
    maskSecrets(crowd[0]);
    maskSecrets({ secrets: crowd[0] });
    expect(performance.now() - began).toBeLessThan(5_000);
    const asked = await serveDevkit({
      providers: [
        { provide: 'ConfigService', useValue: { get: () => undefined } },
        { provide: 'CONFIGURATION_TOKEN', useValue: { crowd: crowd[0] } },
      ],
    });
    expect(JSON.stringify(await asked.inspect('config'))).toMatch(/first 5000 values/);
    await asked.app.close();
  }, 60_000);

  it('tells what refuses to be read: proxies, classes that have made their name something else', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const throwing = new Proxy({}, { ownKeys: () => [1] as never });
    class Odd {
      static name = Symbol('odd') as never;
    }
    expect(maskSecrets({ proxy, throwing, Odd, fine: 1 })).toEqual({
      proxy: '[cannot be read]',
      throwing: '[cannot be read]',
      Odd: '[function anonymous]',
      fine: 1,
    });
  });

  it('asks toJSON() as JSON does, and looks for secrets in what it gives', () => {
    const row = { internal: { cache: 1 }, toJSON: () => ({ total: '12.50', password: 'hunter2' }) };
    expect(maskSecrets([row])).toEqual([{ total: '12.50', password: '[masked]' }]);
  });

  it('takes circles, getters that throw, and everything that JSON does not know', () => {
    const circle: Record<string, unknown> = {
      a: 1,
      big: 1n,
      when: new Date(0),
      set: new Set([1]),
      bytes: Buffer.alloc(3),
    };
    circle['self'] = circle;
    Object.defineProperty(circle, 'broken', {
      enumerable: true,
      get() {
        throw new Error('x');
      },
    });
    expect(maskSecrets(circle)).toEqual({
      a: 1,
      big: '1',
      when: '1970-01-01T00:00:00.000Z',
      set: [1],
      bytes: '[3 bytes]',
      self: '[circular]',
      broken: '[a getter, which is not run]',
    });
  });

  it('never throws, gives what JSON carries, and masking twice is masking once', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true }), (value) => {
        const once = maskSecrets(value);
        expect(() => JSON.stringify(once)).not.toThrow();
        expect(maskSecrets(once)).toEqual(once);
      }),
    );
  });

  it.each(['base64', 'base64url', 'hex'] as const)('masks nearly all that chance wrote in %s', (encoding) => {
    const written = Array.from({ length: 300 }, (_, seed) => {
      const bytes = createHash('sha512').update(String(seed)).digest(); // the same at each run
      return bytes.subarray(0, 24 + (seed % 25)).toString(encoding);
    });
    const told = written.filter((text) => JSON.stringify(maskSecrets({ value: text })).includes(text));
    expect(told.length).toBeLessThan(15);
  });

  it.each([
    "process.env.DB_PASSWORD ?? 'tangerine'",
    "env['DB_PASSWORD'] || 'tangerine'",
    "config.get<string>('DB_PASSWORD', 'tangerine')",
    "JwtModule.register({ secret: process.env.S || 'tangerine' })",
    "private password: string = 'tangerine';",
    'readonly apiKey?: string = "tangerine";',
    "passwords = ['tangerine']",
    "const secret = Buffer.from('tangerine');",
    "user.setPassword('tangerine')",
    "define('password' => 'tangerine')",
    '<password>tangerine</password>',
    'mysql --password=tangerine shop',
    'mysql --password tangerine shop',
    'services:\n  POSTGRES_PASSWORD: tangerine\n',
    '- password: tangerine # of the test',
    'password = tangerine',
    'Server=db;Password={tange;rine};',
    'SharedAccessSignature sv=2020&sig=tangerine&se=1',
    'password:tangerine1',
    'Authorization: Bearer tangerine',
    'https://tangerine@github.com/shop.git',
    'jdbc:oracle:thin:scott/tangerine@db:1521',
    'MIIEvQIBADANBgtangerine9w0BAQEFAASCBKcwggSj',
  ])('masks what stands behind the name of a secret in %j', (text) => {
    expect(maskText(text)).not.toMatch(/tangerine|rine/);
  });

  it.each([
    'login(password: string, token: Token): void',
    'password: string;',
    'SECRET_ACCESS_KEY: string;',
    '[An avatar (S3)](#an-example-of-uploading-an-avatar-to-a-user-profile-s3)',
    "@UseGuards(AuthGuard('jwt'))",
    "grant: 'password' | 'refresh_token'",
    "isToken ? 'a' : 'b'",
    "@RequireScopes('token:read', 'orders:read')",
    'The token: it is good for one use.',
    'src/token.ts:12',
    'docs/secret/password.md:3',
    'GET /reset/:token',
    'ssh://git@github.com/shop.git',
    'const token = await readToken(request);',
  ])('leaves %j as it is', (text) => {
    expect(maskText(text)).toBe(text);
  });

  it('ends for long texts that nearly match: a pattern that tries every way would take the test beyond its time', () => {
    for (const part of ['A=', 'a:', 'x', '-----BEGIN ', 'eyJ.', 'a://a:', 'password: ', '"a":"']) {
      expect(typeof maskText(part.repeat(600_000 / part.length))).toBe('string');
    }
  }, 30_000);

  it('knows secret names in every spelling', () => {
    const secret = [
      'dbPassword',
      'DB_PASSWORD',
      'db.password',
      'x-api-key',
      'APIKey',
      'awsSecretAccessKey',
      'passwd2',
      'refreshtoken',
      'DBPASS',
      'bindpw',
      'recoveryCodes',
      'wifi_psk',
    ];
    const open = [
      'passwordPolicy',
      'tokenUrl',
      'keyboard',
      'monkey',
      'compass',
      'secretary',
      'author',
      'primaryKey',
      'bypass',
      'postalCode',
      'statusCode',
      'tokenizer',
    ];
    expect(secret.filter((name) => !isSecretName(name))).toEqual([]);
    expect(open.filter(isSecretName)).toEqual([]);
    const elsewhere = [
      'contraseña',
      'CONTRASENA',
      'Passwort',
      'motDePasse',
      'senha',
      'hasło',
      'пароль',
      'БД_ПАРОЛЬ',
      '密码',
    ];
    expect(elsewhere.filter((name) => !isSecretName(name))).toEqual([]);
    expect(isRandom('createOrderFromCartAndPaymentMethod2')).toBe(false);
  });
});
