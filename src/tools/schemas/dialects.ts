/**
 * The two dialects of JSON Schema that are served, and how ajv is set up for them. Each schema is compiled by an ajv of
 * its own (0.1 ms): an ajv that compiles many keeps every one of them, whatever `removeSchema()` is told, and confuses
 * two schemas with the same `$id`.
 */
import type { Ajv, AnySchema, Options } from 'ajv';
import late from '../../late.cjs';
import type { JsonSchema } from '../tool.js';
import { own } from './walk.js';

export type Dialect = '2020-12' | 'draft-07';

const DIALECTS: readonly (readonly [RegExp, Dialect])[] = [
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, '2020-12'],
  [/^https?:\/\/json-schema\.org\/draft-07\/schema#?$/, 'draft-07'],
];

/** The dialect that a schema's `$schema` names, 2020-12 when it names none; `undefined` when it is not served. */
export function dialectOf(schema: JsonSchema): Dialect | undefined {
  const named = own(schema, '$schema');
  if (named === undefined) return '2020-12';
  return DIALECTS.find(([uri]) => typeof named === 'string' && uri.test(named))?.[1];
}

/** Patterns are meant for the `u` flag (JSON Schema) but often written for none (`\_`): the second is tried then. */
function pattern(source: string): RegExp {
  try {
    return new RegExp(source, 'u');
  } catch {
    return new RegExp(source);
  }
}
pattern.code = 'new RegExp';

const OPTIONS: Options = {
  strict: false, // unknown keywords and formats are for somebody else
  strictNumbers: true, // JSON can say 1e400, which arrives as Infinity
  ownProperties: true, // `toString` is an argument only when it was sent
  verbose: true, // faults are put into words from the schema and the value
  messages: false,
  multipleOfPrecision: 6, // 19.99 is a multiple of 0.01
  logger: false,
  code: { regExp: pattern },
};

function newAjv(dialect: Dialect, options: Options): Ajv {
  const ajv = dialect === '2020-12' ? new (late.ajv2020().Ajv2020)(options) : newAjv07(options);
  late.ajvFormats().default(ajv);
  return ajv.addFormat('url', isWebUrl); // the pattern of ajv-formats takes minutes for some texts of 50 kB
}

function newAjv07(options: Options): Ajv {
  const ajv = new (late.ajv07().Ajv)({ ...options, unevaluated: true });
  return ajv.addVocabulary(late.unevaluated().default);
}

function isWebUrl(text: string): boolean {
  return /^(?:https?|ftp):\/\/\S+$/i.test(text) && URL.canParse(text);
}

/** Whether a pattern compiles; the meta-schemas do not tell. */
export function isPattern(source: string): boolean {
  try {
    return pattern(source) instanceof RegExp;
  } catch {
    return false;
  }
}

/** Whether a value fits; what does not stands in `errors` until the next call. */
export type Check = ReturnType<Ajv['compile']>;

/** Compiles a schema that is known to be sound. With `allErrors` it goes on after the first. */
export function compile(schema: JsonSchema, dialect: Dialect, allErrors: boolean): Check {
  const ajv = newAjv(dialect, { ...OPTIONS, allErrors, meta: false, validateSchema: false });
  ajv.removeKeyword('id'); // draft-04's; ajv would throw on a keyword that means nothing here
  ajv.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems', // ajv compares each item with each: minutes for 4 MiB of small objects
    type: 'array',
    schemaType: 'boolean',
    validate: (wanted: boolean, items: readonly unknown[]) => !wanted || areUnique(items),
  });
  return ajv.compile(schema as AnySchema);
}

function areUnique(items: readonly unknown[]): boolean {
  const seen = new Set<string>();
  return items.every((item) => seen.size < seen.add(canonical(item)).size);
}

/** The same text for equal values, whatever the order of their keys. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join()}}`;
}

const META_SCHEMAS = {
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
  'draft-07': 'http://json-schema.org/draft-07/schema',
};
const metaChecks = new Map<Dialect, Check>();

/** Checks schemas against their dialect's meta-schema; compiled at the first one (30 ms) and kept. */
export function metaCheck(dialect: Dialect): Check {
  let check = metaChecks.get(dialect);
  if (check === undefined) {
    const { code, strict, logger } = OPTIONS;
    check = newAjv(dialect, { code, strict, logger }).getSchema(META_SCHEMAS[dialect]) as Check;
    metaChecks.set(dialect, check);
  }
  return check;
}
