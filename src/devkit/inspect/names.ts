/**
 * What things of Nest are called in an answer.
 */
import type { ModulesContainer } from '@nestjs/core';
import type { Module } from '@nestjs/core/injector/module.js';

/** What Nest adds to `APP_GUARD` and its like, of which there may be several. */
const CHANCE = / \(UUID: [\da-f-]+\)$/;

/** The name of what is injected: of a class, a text or a symbol. */
export function tokenName(token: unknown): string {
  if (typeof token === 'function') return className(token);
  if (typeof token === 'symbol') return token.description ?? 'Symbol()';
  return String(token).replace(CHANCE, '');
}

/** The name of a class. Nest's `mixin()` gives its classes names of chance: they have the one that they are written with. */
export function className(type: Function): string {
  if (type.name !== '' && !/^[\da-f]{21}$/.test(type.name)) return type.name;
  return /^class\s+(\w+)/.exec(Function.prototype.toString.call(type))?.[1] ?? 'an anonymous class';
}

/** Names of modules; of several with one name (dynamic modules) the later ones have a number. */
export function moduleNames(modules: ModulesContainer): ReadonlyMap<Module, string> {
  const seen = new Map<string, number>();
  const names = new Map<Module, string>();
  for (const module of modules.values()) {
    const count = (seen.get(module.name) ?? 0) + 1;
    seen.set(module.name, count);
    names.set(module, count === 1 ? module.name : `${module.name}#${count}`);
  }
  return names;
}

const MACHINERY = new Set([
  'DiscoveryModule',
  'McpGatesModule',
  'McpModule',
  'McpDevkitModule',
  'McpTicketSessionModule',
]);

/** Whether a module is Nest's or this package's machinery. */
export function isMachinery({ name }: Module): boolean {
  return MACHINERY.has(name);
}
