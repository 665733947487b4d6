/** What a client carries for a gate, sealed. */
import { jest } from '@jest/globals';
import * as fc from 'fast-check';
import { createMcpSeal } from '../../src/gate/seal.js';
import { McpSettingsError } from '../../src/gate/settings-check.js';
import { resolveGateSettings } from '../../src/gate/settings.js';

const SECRET = 'a secret of the gate that is long enough';
const OLDER = 'an older secret of the gate, long enough';

describe('the seal of a gate', () => {
  const seal = createMcpSeal('shop', [SECRET]);

  it('opens what it has sealed, for the purpose that it was sealed for', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.constantFrom('state', 'cursor'), async (content, purpose) => {
        const sealed = await seal.seal(purpose, content);
        expect(await seal.open(purpose, sealed)).toEqual(JSON.parse(JSON.stringify(content)));
      }),
      { numRuns: 100 },
    );
    expect(await seal.open('cursor', await seal.seal('state', { at: 1 }))).toBeUndefined();
  });

  it('opens nothing of which a single bit was changed', async () => {
    const sealed = await seal.seal('state', { user: 'ada', step: 1 });
    const bytes = Buffer.from(sealed);
    const opened: string[] = [];
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      const text = changed.toString('latin1');
      if ((await seal.open('state', text)) !== undefined) opened.push(text);
    }
    expect(opened).toEqual([]);
  });

  it('opens nothing that anybody could write', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
        expect(await seal.open('state', text)).toBeUndefined();
      }),
    );
    const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    const zipped = Buffer.from(JSON.stringify({ alg: 'dir', enc: 'A256GCM', zip: 'DEF' })).toString('base64url');
    const [, , iv, text, tag] = (await seal.seal('state', {})).split('.');
    for (const header of [none, zipped]) {
      expect(await seal.open('state', [header, '', iv, text, tag].join('.'))).toBeUndefined();
    }
  });

  it('looks at no more parts of a text than what it seals has', async () => {
    const decode = jest.spyOn(Buffer, 'from');
    try {
      for (const text of ['.'.repeat(10_000), 'A.'.repeat(10_000)])
        expect(await seal.open('state', text)).toBeUndefined();
      expect(decode.mock.calls.length).toBeLessThan(20);
    } finally {
      decode.mockRestore();
    }
  });

  it('opens what another process with its secret has sealed, and nothing of another gate', async () => {
    const sealed = await seal.seal('state', 1);
    expect(await createMcpSeal('shop', [SECRET]).open('state', sealed)).toBe(1);
    expect(await createMcpSeal('office', [SECRET]).open('state', sealed)).toBeUndefined();
    expect(await createMcpSeal('shop', [OLDER]).open('state', sealed)).toBeUndefined();
  });

  it('opens what an older secret has sealed, and seals with the first', async () => {
    const old = createMcpSeal('shop', [OLDER]);
    const both = createMcpSeal('shop', [SECRET, OLDER]);
    expect(await both.open('state', await old.seal('state', 1))).toBe(1);
    expect(await old.open('state', await both.seal('state', 1))).toBeUndefined();
  });

  it('has a secret of its own when it is given none', async () => {
    const own = createMcpSeal('shop');
    expect(await own.open('state', await own.seal('state', 1))).toBe(1);
    expect(await createMcpSeal('shop').open('state', await own.seal('state', 1))).toBeUndefined();
  });
});

describe('the secrets of a gate', () => {
  it.each([['a text'], [[]], [['too short']], [[SECRET, 7]]])('are refused when they are %j (G1)', (secrets) => {
    const define = () => resolveGateSettings({ name: 'shop', secrets: secrets as string[] });
    expect(define).toThrow(McpSettingsError);
    expect(define).toThrow('"secrets" must be an array of at least one text, each of 32 characters or more');
    expect(define).not.toThrow('too short');
  });
});
