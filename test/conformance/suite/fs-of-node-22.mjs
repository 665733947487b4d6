/**
 * Preloaded (`--import`) so that the suite's command starts on Node 20, whose `fs` has no `globSync`: the suite imports the
 * name for its assessment of SDK repositories, which nothing here uses. Everything else of `fs` is Node's own.
 */
import * as fs from 'node:fs';
import { register } from 'node:module';

const STAND_IN = `
  export * from 'node:fs';
  export { default } from 'node:fs';
  export function globSync() {
    throw new Error('globSync needs Node 22.');
  }
`;

const HOOKS = `
  export function resolve(specifier, context, next) {
    const isSuites = context.parentURL?.includes('/@modelcontextprotocol/conformance/dist/') === true;
    if (specifier !== 'fs' || !isSuites) return next(specifier, context);
    return { url: ${JSON.stringify(dataUrl(STAND_IN))}, shortCircuit: true };
  }
`;

if (!('globSync' in fs)) register(dataUrl(HOOKS));

function dataUrl(source) {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}
