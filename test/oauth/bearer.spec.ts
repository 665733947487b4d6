/**
 * The Authorization header (RFC 6750, section 2.1).
 */
import { readBearer } from '../../src/oauth/bearer.js';

describe('A bearer token (A9)', () => {
  it.each(['Bearer abc', 'bearer abc', 'BEARER   abc', ' Bearer abc '])('is read from %j', (header) => {
    expect(readBearer(header)).toEqual({ kind: 'token', token: 'abc' });
    expect(readBearer([header])).toEqual({ kind: 'token', token: 'abc' });
  });

  it('may hold every character of b64token', () => {
    const token = 'AZaz09-._~+/==';
    expect(readBearer(`Bearer ${token}`)).toEqual({ kind: 'token', token });
  });

  it.each([undefined, '', '   ', 'Basic dXNlcjpwYXNz', 'DPoP abc', 'Bearerabc', 'abc', 'Token Bearer abc'])(
    'is not there in %j, which is a stranger and no fault',
    (header) => {
      expect(readBearer(header)).toEqual({ kind: 'none' });
    },
  );

  it.each([
    'Bearer',
    'Bearer a b',
    'Bearer a, Bearer b',
    'Bearer "abc"',
    'Bearer\tabc',
    'Bearer a=b',
    'Bearer é',
    'Bearer,abc',
  ])('is malformed in %j', (header) => {
    expect(readBearer(header)).toEqual({ kind: 'rejected', reason: 'token-malformed' });
  });

  it('is not guessed from several headers', () => {
    expect(readBearer(['Bearer a', 'Bearer a'])).toEqual({ kind: 'rejected', reason: 'header-repeated' });
    expect(readBearer(['Basic a', 'Bearer a'])).toEqual({ kind: 'rejected', reason: 'header-repeated' });
    expect(readBearer([])).toEqual({ kind: 'none' });
  });

  it('is bounded at 16 KiB', () => {
    expect(readBearer(`Bearer ${'a'.repeat(16_384)}`).kind).toBe('token');
    expect(readBearer(`Bearer ${'a'.repeat(16_385)}`)).toEqual({ kind: 'rejected', reason: 'token-too-large' });
  });
});
