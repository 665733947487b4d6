// @ts-check
/**
 * ajv, with the first schema that is compiled: most applications start without it. JavaScript, because a CommonJS
 * `require` may wait until it is called, and is still followed by bundlers and by Jest, as one of `createRequire()` is not.
 */

/**
 * An ajv with formats. For draft-07 it knows the `unevaluated…` keywords of 2020-12 besides.
 *
 * @param {'2020-12' | 'draft-07'} dialect
 * @param {import('ajv').Options} options
 * @returns {import('ajv').Ajv}
 */
function newAjv(dialect, options) {
  const formats = require('ajv-formats');
  return formats.default(dialect === '2020-12' ? newAjv2020(options) : newAjv07(options));
}

/** @param {import('ajv').Options} options */
function newAjv2020(options) {
  const { Ajv2020 } = require('ajv/dist/2020.js');
  return new Ajv2020(options);
}

/** @param {import('ajv').Options} options */
function newAjv07(options) {
  const { Ajv } = require('ajv');
  const unevaluated = require('ajv/dist/vocabularies/unevaluated/index.js');
  const ajv = new Ajv({ ...options, unevaluated: true });
  ajv.addVocabulary(unevaluated.default);
  return ajv;
}

module.exports = newAjv;
