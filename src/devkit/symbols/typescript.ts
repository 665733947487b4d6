/**
 * The compiler, if the project has one whose parts can be asked. An application that is only run has none.
 */
import type ts from 'typescript';

/** What is used of the package `typescript`. */
export type TypeScript = typeof ts;

/** The package, or what to install so that there is one. */
export type LoadedTypeScript = { readonly typescript: TypeScript } | { readonly missing: string };

/** TypeScript 7 cannot be asked for the names of a project; its makers publish the compiler that can under the second name. */
const PACKAGES = ['typescript', '@typescript/typescript6'];

/** Loads it. @param load how a package is imported */
export async function loadTypeScript(
  load: (name: string) => Promise<object> = (name) => import(name) as Promise<object>,
): Promise<LoadedTypeScript> {
  let found = false;
  for (const name of PACKAGES) {
    const loaded = await load(name).catch(() => undefined);
    if (loaded === undefined) continue;
    found = true;
    const typescript = ('default' in loaded ? loaded.default : loaded) as Partial<TypeScript>;
    if (typeof typescript.createProgram === 'function') return { typescript: typescript as TypeScript };
  }
  return {
    missing: found
      ? 'The TypeScript of this project cannot be asked for its names: npm install --save-dev @typescript/typescript6'
      : 'nest_symbols reads the project with TypeScript, which is not installed: npm install --save-dev typescript@6',
  };
}
