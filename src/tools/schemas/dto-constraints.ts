/**
 * What stands in a decorator's constraints, read for JSON Schema.
 */
import type { JsonSchema } from '../tool.js';
import { isPattern } from './dialects.js';

/** The values of an array, a string enum or a numeric enum (whose names stand in the object too). */
export function enumValues(entity: unknown): unknown[] {
  if (typeof entity !== 'object' || entity === null) return [];
  if (Array.isArray(entity)) return entity;
  const entries = Object.entries(entity as Record<string, unknown>);
  return entries
    .filter(([key, value]) => !isReverse(entity as Record<string, unknown>, key, value))
    .map(([, value]) => value);
}

function isReverse(entity: Record<string, unknown>, key: string, name: unknown): boolean {
  return typeof name === 'string' && String(Number(key)) === key && entity[name] === Number(key);
}

/** `keywords` if the constraint can be expressed; nothing otherwise. */
export function when(isExpressible: boolean, keywords: JsonSchema): JsonSchema {
  return isExpressible ? keywords : {};
}

/** All of the keywords that `say` gives, one schema for each value. */
export function each(values: readonly unknown[], say: (value: unknown) => JsonSchema): JsonSchema {
  if (values.length === 1) return say(values[0]);
  return when(values.length > 0, { allOf: values.map(say) });
}

export function isScalar(value: unknown): boolean {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

export function scalarsOf(values: unknown): unknown[] {
  return Array.isArray(values) ? values.filter(isScalar) : [];
}

export function kindOfValue(value: unknown): 'string' | 'number' | 'boolean' | 'null' {
  return value === null ? 'null' : (typeof value as 'string' | 'number' | 'boolean');
}

/** A length or size as JSON Schema takes it. */
export function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

export function isEnglish(locale: unknown): boolean {
  return locale === undefined || locale === 'en-US';
}

export function escapePattern(text: unknown): string {
  return String(text).replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** A pattern without the flags that JSON Schema has no word for. */
export function matches(pattern: unknown, modifiers: unknown): JsonSchema {
  const source = pattern instanceof RegExp ? pattern.source : String(pattern);
  const flags = pattern instanceof RegExp ? pattern.flags : typeof modifiers === 'string' ? modifiers : '';
  return when(/^[dgu]*$/.test(flags) && isPattern(source), { pattern: source });
}

/** `@IsNumber({ maxDecimalPlaces })` throws on 1e-7, which it reads as a text without a decimal point. */
export function decimalsOf(options: unknown): JsonSchema {
  const isLimited = (options as { maxDecimalPlaces?: number } | undefined)?.maxDecimalPlaces !== undefined;
  return when(isLimited, { anyOf: [{ const: 0 }, { minimum: 1e-6 }, { maximum: -1e-6 }] });
}
