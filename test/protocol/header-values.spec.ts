/** P11: what a header says is what the body says, or it is refused: whatever the value, whatever was changed on the way. */
import * as fc from 'fast-check';
import { McpProtocolError } from '../../src/protocol/errors.js';
import { checkParameterHeaders, decodeHeaderValue } from '../../src/protocol/headers.js';

/** Texts of Unicode: what has no UTF-8 (half a surrogate pair) cannot be encoded by anybody. */
const text = fc.string({ unit: 'binary', maxLength: 24 });
const encode = (value: string) => `=?base64?${Buffer.from(value).toString('base64')}?=`;

const PARAMETERS = [{ header: 'Value', path: ['deep', 'value'] }];

/** Whether a header is taken for the argument. */
function passes(sent: string, value: unknown): boolean {
  try {
    checkParameterHeaders({ era: 'modern' }, { 'mcp-param-value': sent }, PARAMETERS, { deep: { value } });
    return true;
  } catch (error) {
    if (!(error instanceof McpProtocolError) || error.status !== 400 || error.code !== -32020) throw error;
    return false;
  }
}

/** Each change of one bit, as a header would arrive: one character for a byte. */
function* flips(sent: string): Generator<string> {
  const bytes = Buffer.from(sent, 'latin1');
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    yield changed.toString('latin1');
  }
}

/** Each loss of one character, and each one that came in from elsewhere. */
function* edits(sent: string, stray: string): Generator<string> {
  for (let at = 0; at <= sent.length; at += 1) {
    if (at < sent.length) yield sent.slice(0, at) + sent.slice(at + 1);
    yield sent.slice(0, at) + stray + sent.slice(at);
  }
}

describe('a text in Base64', () => {
  it('is read back, whatever it holds', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(decodeHeaderValue('X', encode(value))).toBe(value);
        expect(passes(encode(value), value)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('of which a single bit was changed is refused, or is another text', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect([...flips(encode(value))].filter((sent) => passes(sent, value))).toEqual([]);
      }),
    );
  });

  it('that lost a character, or has one too many, is refused, or is another text', () => {
    const stray = fc.constantFrom('=', '?', 'A', '/', '+', ' ', '\n', '-', '_', '\0', 'é');
    fc.assert(
      fc.property(text, stray, (value, character) => {
        expect([...edits(encode(value), character)].filter((sent) => passes(sent, value))).toEqual([]);
      }),
    );
  });
});

describe('any header', () => {
  it('is taken for no text but its own', () => {
    fc.assert(
      fc.property(text, text, fc.boolean(), (value, other, encoded) => {
        fc.pre(value !== other);
        expect(passes(encoded ? encode(other) : other, value)).toBe(false);
      }),
    );
  });

  it('never makes the check fail in another way', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.anything(), (sent, value) => {
        passes(sent, value);
        passes(`=?base64?${sent}?=`, value);
      }),
      { numRuns: 500 },
    );
  });
});

describe('an integer', () => {
  const around = (middle: bigint) => fc.bigInt({ min: middle - 40n, max: middle + 40n });
  const integer = fc.oneof(
    fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
    ...[0n, 2n ** 31n, 2n ** 53n, -(2n ** 53n), 2n ** 63n].map(around),
  );
  const near = integer.chain((value) => fc.tuple(fc.constant(value), fc.oneof(integer, around(value))));
  const isSafe = (value: bigint) => Number.isSafeInteger(Number(value));

  it('is never taken for another, however many digits they have', () => {
    fc.assert(
      fc.property(near, fc.boolean(), ([value, other], encoded) => {
        fc.pre(value !== other);
        const sent = encoded ? encode(String(other)) : String(other);
        expect(passes(sent, JSON.parse(String(value)))).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is taken for itself, also with a fraction of nothing, as long as it is exact', () => {
    fc.assert(
      fc.property(integer, fc.constantFrom('', '.0', '.000'), (value, zeros) => {
        expect(passes(`${value}${zeros}`, JSON.parse(String(value)))).toBe(isSafe(value));
      }),
      { numRuns: 500 },
    );
  });
});
