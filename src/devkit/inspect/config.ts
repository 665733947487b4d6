/**
 * What the application is configured with. `@nestjs/config` is asked when it is there; else only the NAMES of environment
 * variables are told. Whoever tells it masks it.
 */
import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { entriesOf } from '../secrets/mask.js';

/** One value, or the name of one. */
export interface ConfigFact {
  /** `database.host`, `PORT`. */
  readonly name: string;
  readonly value?: unknown;
  readonly from: 'config' | 'environment';
}

/** What there is. */
export interface ConfigFacts {
  readonly entries: readonly ConfigFact[];
  /** What an asker should know of it. */
  readonly note?: string;
}

/** The tokens of `@nestjs/config`, 3 to 12: the object that its service reads, and what stands in it for the environment. */
const HOST = 'CONFIGURATION_TOKEN';
const VALIDATED = '_PROCESS_ENV_VALIDATED';

const MAX_DEPTH = 6;
/** In a configuration of which everything leads everywhere there is no end of names. */
const MAX_ENTRIES = 5_000;

interface ConfigReader {
  get(name: string): unknown;
}

@Injectable()
export class ApplicationConfiguration {
  constructor(private readonly modules: ModulesContainer) {}

  read(env: Readonly<Record<string, string | undefined>> = process.env): ConfigFacts {
    const service = this.provided('ConfigService') as ConfigReader | undefined;
    const host = this.provided(HOST) as object | undefined;
    const variables = Object.keys(env)
      .filter((name) => !name.startsWith('npm_'))
      .toSorted();
    // An application may have a class of this name of its own, whose get() does whatever it does.
    if (typeof service?.get !== 'function' || typeof host !== 'object' || host === null) {
      return {
        entries: variables.map((name) => ({ name, from: 'environment' })),
        note: '@nestjs/config is not in this application: these are the names of its environment variables, without values.',
      };
    }
    const held = entriesOf(host);
    const validated = held.find(([name]) => name === VALIDATED)?.[1] as object | undefined;
    const names = [...new Set([...Object.keys(validated ?? {}).filter((name) => name in env), ...variables])];
    const entries: ConfigFact[] = [];
    for (const entry of flatten(held.filter(([name]) => name !== VALIDATED))) {
      if (entries.push(entry) >= MAX_ENTRIES) break;
    }
    return {
      entries: [
        ...entries,
        ...names.map((name): ConfigFact => ({ name, value: ask(service, name), from: 'environment' })),
      ],
      ...(entries.length >= MAX_ENTRIES && { note: `Of the configuration the first ${MAX_ENTRIES} values are told.` }),
    };
  }

  private provided(token: string): unknown {
    for (const { providers } of this.modules.values()) {
      for (const [key, wrapper] of providers) {
        if (key === token || (typeof key === 'function' && key.name === token)) return wrapper.instance;
      }
    }
    return undefined;
  }
}

function ask(service: ConfigReader, name: string): unknown {
  try {
    return service.get(name);
  } catch {
    return '[cannot be read]'; // a service of the application's own may refuse a name
  }
}

/** Plain objects are told value by value, so that a filter finds each. */
function* flatten(entries: readonly (readonly [string, unknown])[], above = '', depth = 0): Generator<ConfigFact> {
  for (const [key, value] of entries) {
    const name = above === '' ? key : `${above}.${key}`;
    const inner = partsOf(value);
    if (inner.length > 0 && depth >= MAX_DEPTH) yield { name, value: '[deeper]', from: 'config' };
    else if (inner.length > 0) yield* flatten(inner, name, depth + 1);
    else yield { name, value: value === undefined ? null : value, from: 'config' };
  }
}

function partsOf(value: unknown): [string, unknown][] {
  try {
    const isPlain = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
    return isPlain ? entriesOf(value) : [];
  } catch {
    return []; // a proxy, which the mask tells in words
  }
}
