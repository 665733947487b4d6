/**
 * The application's modules and how they hang together.
 */
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { Module } from '@nestjs/core/injector/module.js';
import { moduleNames, tokenName } from './names.js';
import { writtenImports } from './nest-parts/module-imports.js';

/** One module. */
export interface ModuleFacts {
  readonly name: string;
  /** What it imports, global modules only where it names them. */
  readonly imports: readonly string[];
  readonly importedBy: readonly string[];
  readonly exports: readonly string[];
  readonly controllers: readonly string[];
  readonly providers: readonly string[];
  readonly global: boolean;
  /** Steps from the root module. */
  readonly distance: number;
  readonly type: Function;
  readonly module: Module;
}

/** What Nest gives to every module. */
export const CORE: ReadonlySet<string> = new Set(['ModuleRef', 'ApplicationConfig']);

@Injectable()
export class ApplicationModules implements OnApplicationBootstrap {
  /** What `forRoot()` of some modules promises. */
  private readonly promised = new Map<unknown, unknown>();

  constructor(private readonly modules: ModulesContainer) {}

  async onApplicationBootstrap(): Promise<void> {
    const written = [...this.modules.values()].flatMap(({ metatype }) => writtenImports(metatype));
    const promises = written.filter((one) => one instanceof Promise);
    for (const promise of promises) this.promised.set(promise, await promise);
  }

  /** All but Nest's innermost, the root first. */
  all(): ModuleFacts[] {
    const names = moduleNames(this.modules);
    const own = [...this.modules.values()].filter(({ name }) => name !== 'InternalCoreModule');
    const edges = new Map(own.map((module) => [module, this.importsOf(module)]));
    return own.map((module): ModuleFacts => {
      const isOwn = (token: unknown) => token === module.metatype || CORE.has(tokenName(token));
      return {
        name: names.get(module)!,
        imports: edges.get(module)!.map((imported) => names.get(imported)!),
        importedBy: own.filter((other) => edges.get(other)!.includes(module)).map((other) => names.get(other)!),
        exports: [...module.exports].map(tokenName),
        controllers: [...module.controllers.keys()].map(tokenName),
        providers: [...module.providers.keys()].filter((token) => !isOwn(token)).map(tokenName),
        global: module.isGlobal,
        distance: module.distance,
        type: module.metatype,
        module,
      };
    });
  }

  /** Nest makes every module import every global one: of these only what the module itself names. */
  importsOf(module: Module): Module[] {
    const written = writtenImports(module.metatype).map((one) => named(this.promised.get(one) ?? one));
    const imports = [...module.imports];
    // A class names the module without settings where there is one beside: not what forRoot() of the same class made.
    const isNamed = ({ metatype }: Module) =>
      written.some((one) => one.module === metatype) ||
      (written.includes(metatype as Named) && !imports.some((other) => other.metatype === metatype && !other.isGlobal));
    return imports.filter((imported) => !imported.isGlobal || isNamed(imported));
  }
}

/** A class, or what `forRoot()` has made of one. */
type Named = { readonly module?: unknown };

/** What an import names, behind `forwardRef()` too. */
function named(written: unknown): Named {
  const one = written as Named & { readonly forwardRef?: () => Named };
  return one.forwardRef === undefined ? one : one.forwardRef();
}
