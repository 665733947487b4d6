// @ts-check
/**
 * Packages that not every application needs, each loaded when it is first asked for. CommonJS, because its `require` waits
 * until it is called and gives a value at once, and because bundlers and Jest follow it, as they do not follow one that
 * `createRequire()` made.
 */
const late = {
  ajv2020: () => require('ajv/dist/2020.js'),
  ajv07: () => require('ajv'),
  /** The keywords of 2020-12, for an ajv of draft-07. */
  unevaluated: () => require('ajv/dist/vocabularies/unevaluated/index.js'),
  ajvFormats: () => require('ajv-formats'),
  /** @returns {{ parse(template: string): { expand(variables: Readonly<Record<string, unknown>>): string } }} */
  urlTemplate: () => require('url-template'),
};

module.exports = late;
