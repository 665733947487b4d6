/**
 * What things of Nest are called in an answer.
 */
import type { ModulesContainer } from '@nestjs/core';
import type { Module } from '@nestjs/core/injector/module.js';

/** The name of what is injected: of a class, a text or a symbol. */
export function tokenName(token: unknown): string {
  if (typeof token === 'function') return token.name || 'an anonymous class';
  if (typeof token === 'symbol') return token.description ?? 'Symbol()';
  return String(token);
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

const NEST_OWN = new Set(['InternalCoreModule', 'DiscoveryModule']);

/** Whether a module is Nest's or this package's machinery. */
export function isMachinery({ name }: Module): boolean {
  return NEST_OWN.has(name) || MACHINERY.has(name);
}

const MACHINERY = new Set(['McpGatesModule', 'McpModule', 'McpDevkitModule', 'McpTicketSessionModule']);
