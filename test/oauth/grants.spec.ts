/**
 * What a token grants: scopes, the scopes they contain, roles, and until when (A1, A9, A10).
 */
import { endOf } from '../../src/oauth/claims-check.js';
import { createGrants, grantedScopes } from '../../src/oauth/grants.js';

describe('Scopes (A9)', () => {
  it.each([
    [{ scope: 'a b' }, ['a', 'b']],
    [{ scope: ['a', 'b c'] }, ['a', 'b', 'c']],
    [{ scp: 'a b' }, ['a', 'b']],
    [{ scp: ['a', 'b'] }, ['a', 'b']],
    [{ scope: 'a b', scp: ['b', 'c'] }, ['a', 'b', 'c']],
    [{ scope: '  a   b ' }, ['a', 'b']],
    [{ scope: 7, scp: { a: true } }, []],
    [{ scope: [null, 'a', 7], scp: 'b\u0000 "c" é' }, ['a']],
    [{}, []],
  ])('of %j are %j', (claims, scopes) => {
    expect(grantedScopes(claims)).toEqual(scopes);
  });

  it('contain others, transitively, and cycles end', () => {
    const grantsOf = createGrants({
      scopeHierarchy: { admin: ['write'], write: ['read'], a: ['b'], b: ['c'], c: ['a'] },
    });
    expect(grantsOf({ scope: 'admin' }).scopes).toEqual(['admin', 'write', 'read']);
    expect(grantsOf({ scope: 'write' }).scopes).toEqual(['write', 'read']);
    expect(grantsOf({ scope: 'read' }).scopes).toEqual(['read']);
    expect(new Set(grantsOf({ scope: 'b' }).scopes)).toEqual(new Set(['a', 'b', 'c']));
  });

  it('with names of Object.prototype are names like others', () => {
    const grantsOf = createGrants({ scopeHierarchy: { write: ['read'] }, roles: { write: ['clerk'] } });
    expect(grantsOf({ scope: 'constructor __proto__ toString' })).toEqual({
      scopes: ['constructor', '__proto__', 'toString'],
      roles: [],
    });
  });
});

describe('Roles (A10)', () => {
  it('are those that the scopes stand for, contained ones included, and never a claim of the token', () => {
    const grantsOf = createGrants({
      roles: { 'shop:admin': ['admin', 'clerk'], 'shop:write': ['clerk'] },
      scopeHierarchy: { 'shop:admin': ['shop:write'] },
    });
    expect(grantsOf({ scope: 'shop:admin', roles: ['root'] }).roles).toEqual(['admin', 'clerk']);
    expect(grantsOf({ scope: 'shop:write' }).roles).toEqual(['clerk']);
    expect(grantsOf({ scope: 'other' }).roles).toEqual([]);
  });
});

describe('The end of a credential (A6)', () => {
  it('is exp, or the end of the tolerance for a token that is taken past it', () => {
    expect(endOf({ exp: 1_000 }, { now: 990, tolerance: 30 })).toBe(1_000_000);
    expect(endOf({ exp: 1_000 }, { now: 1_010, tolerance: 30 })).toBe(1_030_000);
    expect(endOf({}, { now: 990, tolerance: 30 })).toBeUndefined();
  });
});
