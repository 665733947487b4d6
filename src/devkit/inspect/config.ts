/**
 * What the application is configured with. `@nestjs/config` is asked when it is there; else only the NAMES of environment
 * variables are told. Whoever tells it masks it.
 */
import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

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

interface ConfigReader {
  get(name: string): unknown;
}

@Injectable()
export class ApplicationConfiguration {
  constructor(private readonly modules: ModulesContainer) {}

  read(env: Readonly<Record<string, string | undefined>> = process.env): ConfigFacts {
    const service = this.provided('ConfigService') as ConfigReader | undefined;
    const variables = Object.keys(env)
      .filter((name) => !name.startsWith('npm_'))
      .toSorted();
    if (typeof service?.get !== 'function') {
      return {
        entries: variables.map((name) => ({ name, from: 'environment' })),
        note: '@nestjs/config is not in this application: these are the names of its environment variables, without values.',
      };
    }
    const host = (this.provided(HOST) ?? {}) as Record<string, unknown>;
    const validated = host[VALIDATED] as Record<string, unknown> | undefined;
    const names = [...new Set([...Object.keys(validated ?? {}).filter((name) => name in env), ...variables])];
    return {
      entries: [
        ...flatten(Object.entries(host).filter(([name]) => name !== VALIDATED)),
        ...names.map((name): ConfigFact => ({ name, value: service.get(name), from: 'environment' })),
      ],
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

const MAX_DEPTH = 6;

/** Plain objects are told value by value, so that a filter finds each. */
function flatten(entries: readonly (readonly [string, unknown])[], above = '', depth = 0): ConfigFact[] {
  return entries.flatMap(([key, value]): ConfigFact[] => {
    const name = above === '' ? key : `${above}.${key}`;
    const isPlain = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
    if (isPlain && depth < MAX_DEPTH && Object.keys(value).length > 0) {
      return flatten(Object.entries(value), name, depth + 1);
    }
    return [{ name, value: value === undefined ? null : value, from: 'config' }];
  });
}
