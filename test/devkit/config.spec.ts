/** D: what the application is configured with, as `@nestjs/config` has it. */
import { ApplicationConfiguration } from '../../src/devkit/inspect/config.js';

class ConfigService {
  get(name: string) {
    return `value of ${name}`;
  }
}

function configuration(host: unknown, service: unknown = new ConfigService()): ApplicationConfiguration {
  const providers = new Map<unknown, object>([
    [ConfigService, { instance: service }],
    ['CONFIGURATION_TOKEN', { instance: host }],
  ]);
  return new ApplicationConfiguration(new Map([['shop', { providers }]]) as never);
}
const names = ({ entries }: ReturnType<ApplicationConfiguration['read']>) => entries.map(({ name }) => name);

it('tells each value under its whole name, one that is undefined as null, and runs no getter', () => {
  let ran = false;
  const host = {
    db: { host: 'db.example', none: undefined, nothing: null },
    made: new Date(0),
    get costly() {
      ran = true;
      return 1;
    },
  };
  const { entries, note } = configuration(host).read({});
  expect(entries).toEqual([
    { name: 'db.host', value: 'db.example', from: 'config' },
    { name: 'db.none', value: null, from: 'config' },
    { name: 'db.nothing', value: null, from: 'config' },
    { name: 'made', value: new Date(0), from: 'config' },
    { name: 'costly', value: '[a getter, which is not run]', from: 'config' },
  ]);
  expect([ran, note]).toEqual([false, undefined]);
});

it('asks the service for the variables of the environment, those that were checked first, each once, and none of npm', () => {
  const host = { _PROCESS_ENV_VALIDATED: { PORT: 1, GONE: 2 } };
  const env = { npm_config_x: '1', ZONE: 'z', PORT: '1', HOST: 'h' };
  expect(configuration(host).read(env).entries).toEqual(
    ['PORT', 'HOST', 'ZONE'].map((name) => ({ name, value: `value of ${name}`, from: 'environment' })),
  );
});

it('tells names alone where the service or what it reads is not that of the package', () => {
  for (const other of [configuration(undefined), configuration(null), configuration('text'), configuration({}, {})]) {
    const read = other.read({ B: '1', A: '2' });
    expect(read.entries).toEqual(['A', 'B'].map((name) => ({ name, from: 'environment' })));
    expect(read.note).toContain('@nestjs/config is not in this application');
  }
});

it('is a value that cannot be looked into where a proxy refuses', () => {
  const closed = new Proxy(
    {},
    {
      getPrototypeOf: () => {
        throw new Error('closed');
      },
    },
  );
  expect(names(configuration({ closed, open: 1 }).read({}))).toEqual(['closed', 'open']);
});

it('tells five thousand values, and that these are not all', () => {
  const many = Object.fromEntries(Array.from({ length: 5_001 }, (_, at) => [`name${at}`, at]));
  const { entries, note } = configuration(many).read({});
  expect([entries.length, note]).toEqual([5_000, 'Of the configuration the first 5000 values are told.']);
});
