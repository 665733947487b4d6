/**
 * 10,000 random tokens and Authorization headers: never an exception, never a caller, never a token in the log.
 */
import * as fc from 'fast-check';
import { createMcpAuthenticator } from '../../src/oauth/authenticate.js';
import { LocalIssuer, RESOURCE } from './local-issuer.js';

const SEED = 20_260_728;
let issuer: LocalIssuer;
const log: string[] = [];

beforeAll(async () => {
  issuer = await LocalIssuer.start();
});
afterAll(() => issuer.stop());

const b64 = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** Everything between plain noise and a token that is wrong in one place. */
async function headers(): Promise<fc.Arbitrary<string | string[] | undefined>> {
  const good = await issuer.sign();
  const noise = fc.string({ unit: 'binary', maxLength: 60 });
  const b64token = fc.string({ unit: fc.constantFrom(...'AZaz09-._~+/='.split('')), maxLength: 60 });
  const json = fc.jsonValue({ maxDepth: 1 });
  /** Right three times out of four, so that the noise reaches the later checks. */
  const mostly = (...right: (string | number)[]) => fc.oneof({ arbitrary: fc.constantFrom(...right), weight: 3 }, json);
  const header = fc.record(
    { alg: mostly('ES256', 'RS256', 'none', 'HS256'), typ: mostly('at+jwt', 'JWT'), kid: mostly('first', 'second') },
    { requiredKeys: [] },
  );
  const claims = fc.record({ iss: mostly(issuer.url), aud: mostly(RESOURCE), exp: mostly(9_999_999_999), sub: json });
  const built = fc
    .tuple(fc.oneof(header, json), fc.oneof(claims, json, noise), b64token)
    .map(([head, body, signature]) => `${b64(head)}.${b64(body)}.${signature}`);
  const mutated = fc
    .tuple(fc.nat(good.length - 1), fc.constantFrom(...'AZaz09-_.'.split('')))
    .map(([at, character]) => good.slice(0, at) + character + good.slice(at + 1))
    .filter((token) => token !== good && !sameSignature(token, good));
  const token = fc.oneof(noise, b64token, built, mutated);
  const scheme = fc.constantFrom('Bearer ', 'bearer  ', 'Bearer', 'Bearer\t', 'Basic ', 'DPoP ', '');
  const one = fc.oneof(
    fc.tuple(scheme, token).map((parts) => parts.join('')),
    { arbitrary: built.map((t) => `Bearer ${t}`), weight: 4 },
  );
  return fc.oneof({ arbitrary: one, weight: 20 }, fc.array(one, { maxLength: 3 }), fc.constant(undefined));
}

/** The last character of a Base64 text has spare bits: another one may stand for the same signature. */
function sameSignature(left: string, right: string): boolean {
  const bytes = (token: string) => token.split('.').map((part) => Buffer.from(part, 'base64url').toString('hex'));
  return bytes(left).join() === bytes(right).join();
}

it('Random Authorization headers never get in, never throw and never reach the log (A9, issue 3)', async () => {
  const authenticator = createMcpAuthenticator(
    {
      issuers: [issuer.url],
      publicUrl: RESOURCE,
      verifier: {
        verify: (token) => {
          if (token.length % 2 === 0) throw new Error(`cannot read ${token}`);
          return undefined;
        },
      },
      isRevoked: () => false,
    },
    { log: { warn: (message) => void log.push(message) }, environment: {} },
  );
  const reasons = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(await headers(), async (header) => {
      log.length = 0;
      const answer = await authenticator.authenticate(header, RESOURCE);
      const outcome = answer.kind === 'rejected' ? answer.reason : answer.kind;
      reasons.set(outcome, (reasons.get(outcome) ?? 0) + 1);
      if (outcome === 'caller' || outcome === 'verification-failed') throw new Error(outcome);
      const secrets = [header ?? []]
        .flat()
        .flatMap((value) => value.split(/[\s.,]+/))
        .filter((part) => part.length > 6);
      if (log.some((line) => secrets.some((secret) => line.includes(secret)))) throw new Error(log.join());
    }),
    { seed: SEED, numRuns: 10_000 },
  );
  expect(issuer.count('/keys')).toBeLessThan(5);
  for (const reached of [
    'none',
    'token-malformed',
    'algorithm-refused',
    'type-refused',
    'key-unknown',
    'verifier-refused',
    'signature-invalid',
  ]) {
    expect(reasons.get(reached)).toBeGreaterThan(20); // the noise reaches every floor
  }
}, 60_000);
