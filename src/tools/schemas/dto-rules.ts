/**
 * What each decorator of class-validator says in JSON Schema. A decorator that is not listed, or a condition that JSON
 * Schema cannot express, is left to run time: a schema must never refuse what the validator accepts.
 */
import type { JsonSchema } from '../tool.js';
import {
  decimalsOf,
  each,
  enumValues,
  escapePattern,
  isCount,
  isEnglish,
  isScalar,
  kindOfValue,
  matches,
  scalarsOf,
  when,
} from './dto-constraints.js';

/** What a value can be on its way in. A `date` travels as a string. */
export type Kind = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'date' | 'null';

/** One decorator's say. */
export interface Rule {
  /** The kinds of value that it accepts; absent when it accepts any. */
  readonly kinds?: readonly Kind[];
  /** What it says besides, for clients. */
  readonly keywords?: JsonSchema;
  /** What must hold before the validator is asked. */
  readonly enforced?: JsonSchema;
  /** The class that it asks for. */
  readonly instance?: Function;
}

type Constraints = readonly unknown[];
type RuleMaker = (constraints: Constraints) => Rule;

const STRING: RuleMaker = () => ({ kinds: ['string'] });
const string =
  (keywords: (...constraints: Constraints) => JsonSchema): RuleMaker =>
  (constraints) => ({ kinds: ['string'], keywords: keywords(...constraints) });
const pattern = (source: string): RuleMaker => string(() => ({ pattern: source }));
const format = (name: string): RuleMaker => string(() => ({ format: name }));
const number =
  (keywords: (...constraints: Constraints) => JsonSchema): RuleMaker =>
  (constraints) => ({ kinds: ['number'], keywords: keywords(...constraints) });
const array =
  (keywords: (...constraints: Constraints) => JsonSchema): RuleMaker =>
  (constraints) => ({ kinds: ['array'], keywords: keywords(...constraints) });

/** A value that is one of these; what is no scalar can never come in JSON. */
function oneOfValues(values: unknown): Rule {
  const scalars = scalarsOf(values);
  return scalars.length === 0 ? {} : { kinds: [...new Set(scalars.map(kindOfValue))], keywords: { enum: scalars } };
}

function noneOfValues(values: unknown): Rule {
  const scalars = scalarsOf(values);
  return scalars.length === 0 ? {} : { keywords: { not: { enum: scalars } } };
}

const HASH_LENGTHS: Readonly<Record<string, number>> = {
  md5: 32,
  md4: 32,
  sha1: 40,
  sha256: 64,
  sha384: 96,
  sha512: 128,
  ripemd128: 32,
  ripemd160: 40,
  tiger128: 32,
  tiger160: 40,
  tiger192: 48,
  crc32: 8,
  crc32b: 8,
};

const RULES: Readonly<Record<string, RuleMaker>> = {
  // any value
  equals: ([value]) => (isScalar(value) ? { kinds: [kindOfValue(value)], keywords: { const: value } } : {}),
  isIn: ([values]) => oneOfValues(values),
  isEnum: ([entity]) => {
    const rule = oneOfValues(enumValues(entity)); // the validator takes a numeric enum's names too
    return { ...rule, enforced: rule.keywords ?? {} };
  },
  notEquals: ([value]) => noneOfValues([value]),
  isNotIn: ([values]) => noneOfValues(values),
  isNotEmpty: () => ({ keywords: { minLength: 1 } }),
  isEmpty: () => ({ kinds: ['string', 'null'], keywords: { maxLength: 0 } }),
  // numbers
  isNumber: ([options]) => ({ kinds: ['number'], enforced: decimalsOf(options) }),
  isInt: () => ({ kinds: ['integer'] }),
  isPositive: number(() => ({ exclusiveMinimum: 0 })),
  isNegative: number(() => ({ exclusiveMaximum: 0 })),
  min: number((min) => when(Number.isFinite(min), { minimum: min })),
  max: number((max) => when(Number.isFinite(max), { maximum: max })),
  isDivisibleBy: number((step) => when(Number.isInteger(step) && Number(step) > 0, { multipleOf: step })),
  isLatitude: () => ({ kinds: ['number', 'string'], keywords: { minimum: -90, maximum: 90 } }),
  isLongitude: () => ({ kinds: ['number', 'string'], keywords: { minimum: -180, maximum: 180 } }),
  // other types
  isString: STRING,
  isBoolean: () => ({ kinds: ['boolean'] }),
  isDate: () => ({ kinds: ['date'] }),
  minDate: () => ({ kinds: ['date'] }),
  maxDate: () => ({ kinds: ['date'] }),
  isObject: () => ({ kinds: ['object'] }),
  isNotEmptyObject: () => ({ kinds: ['object'], keywords: { minProperties: 1 } }),
  isInstance: ([type]) => (typeof type === 'function' ? { instance: type } : {}),
  // arrays
  isArray: array(() => ({})),
  arrayNotEmpty: array(() => ({ minItems: 1 })),
  arrayMinSize: array((min) => when(isCount(min), { minItems: min })),
  arrayMaxSize: array((max) => when(isCount(max), { maxItems: max })),
  arrayUnique: array(() => ({ uniqueItems: true })),
  arrayContains: array((values) => each(scalarsOf(values), (value) => ({ contains: { const: value } }))),
  arrayNotContains: array((values) => each(scalarsOf(values), (value) => ({ not: { contains: { const: value } } }))),
  // lengths and patterns
  isLength: string((min, max) => ({
    ...when(isCount(min), { minLength: min }),
    ...when(isCount(max), { maxLength: max }),
  })),
  minLength: string((min) => when(isCount(min), { minLength: min })),
  maxLength: string((max) => when(isCount(max), { maxLength: max })),
  isByteLength: string((_min, max) => when(isCount(max), { maxLength: max })),
  matches: string(matches),
  contains: string((part) => ({ pattern: escapePattern(part) })),
  notContains: string((part) => ({ not: { pattern: escapePattern(part) } })),
  isAlpha: string((locale) => when(isEnglish(locale), { pattern: '^[A-Za-z]+$' })),
  isAlphanumeric: string((locale) => when(isEnglish(locale), { pattern: '^[0-9A-Za-z]+$' })),
  isAscii: pattern('^[\\x00-\\x7F]+$'),
  isHexadecimal: pattern('^(0[xXhH])?[0-9A-Fa-f]+$'),
  isHexColor: pattern('^#?([0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$'),
  isMongoId: string(() => ({ pattern: '^(0[xXhH])?[0-9A-Fa-f]+$', minLength: 24, maxLength: 24 })),
  isHash: string((algorithm) => {
    const length = HASH_LENGTHS[String(algorithm)];
    return when(length !== undefined, { pattern: `^[0-9A-Fa-f]{${length}}$` });
  }),
  isMilitaryTime: pattern('^([01]\\d|2[0-3]):?([0-5]\\d)$'),
  isISO31661Alpha2: pattern('^[A-Za-z]{2}$'),
  isISO31661Alpha3: pattern('^[A-Za-z]{3}$'),
  isISO31661Numeric: pattern('^\\d{3}$'),
  isISO4217CurrencyCode: pattern('^[A-Za-z]{3}$'),
  isISO6391: pattern('^[a-z]{2}$'),
  isBooleanString: string(() => ({ enum: ['true', 'false', '1', '0'] })),
  // formats
  isEmail: format('email'),
  isUrl: format('uri'),
  isUuid: format('uuid'),
  isFqdn: format('hostname'),
  isIp: string((version) => when(['4', '6'].includes(String(version)), { format: `ipv${String(version)}` })),
  isDateString: format('date-time'),
  isIso8601: format('date-time'),
  isRFC3339: format('date-time'),
  isBase64: string(() => ({ contentEncoding: 'base64' })),
  isJson: string(() => ({ contentMediaType: 'application/json' })),
};

/** Strings of a form that no keyword expresses. */
const STRINGS =
  'IsFirebasePushId isBIC isBase32 isBase58 isBtcAddress isCreditCard isCurrency isDataURI isDecimal isEAN ' +
  'isEthereumAddress isFullWidth isHSL isHalfWidth isIBAN isISRC isISSN isIdentityCard isIsbn isIsin isJwt isLatLong ' +
  'isLocale isLowercase isMacAddress isMagnetURI isMimeType isMobilePhone isMultibyte isNumberString isOctal ' +
  'isPassportNumber isPhoneNumber isPort isPostalCode isRgbColor isSemVer isStrongPassword isSurrogatePair isTaxId ' +
  'isTimeZone isUppercase isVariableWidth';
const ALL_RULES = new Map<string, RuleMaker>([
  ...STRINGS.split(' ').map((name): [string, RuleMaker] => [name, STRING]),
  ...Object.entries(RULES),
]);

/** What the decorator with this name and these constraints says; `undefined` when only run time knows. */
export function ruleOf(name: string | undefined, constraints: Constraints | undefined): Rule | undefined {
  return name === undefined ? undefined : ALL_RULES.get(name)?.(constraints ?? []);
}
