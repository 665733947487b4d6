import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';

const PACKAGE = new URL('../../../src/index.ts', import.meta.url).href;

const SWC = {
  swcrc: false,
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    keepClassNames: true,
    target: 'es2023',
  },
  module: { type: 'es6' },
};

/** An import says `.js`, as it will be once it is built. */
export function resolve(specifier, context, next) {
  if (specifier === 'nestjs-mcp-gate') return next(PACKAGE, context);
  const isOurs = specifier.startsWith('.') && context.parentURL?.endsWith('.ts');
  return next(isOurs ? specifier.replace(/\.js$/, '.ts') : specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const { code } = await transformFile(fileURLToPath(url), SWC);
  return { format: 'module', source: code, shortCircuit: true };
}
