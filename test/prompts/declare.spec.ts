/** T2, T4 for prompts: a bad declaration is discarded with its reason, and takes nothing from the others. */
import { declareMcpPrompts } from '../../src/prompts/declare.js';
import type { McpPrompt } from '../../src/prompts/prompt.js';
import { McpDeclarationError, type McpToolFault } from '../../src/tools/declarations.js';

const sound: McpPrompt = { name: 'review', handler: () => 'x' };

describe('a declaration of a prompt', () => {
  it.each<[string, object | null, RegExp]>([
    ['nothing', null, /a prompt is an object/],
    ['a name out of shape', { ...sound, name: 'a b' }, /its name must be 1 to 64/],
    ['the reserved prefix', { ...sound, name: 'nest_x' }, /prefix "nest_"/],
    ['no handler', { name: 'x' }, /has no handler/],
    ['scopes that are none', { ...sound, scopes: 'x' }, /array of strings/],
    ['actsForUser', { ...sound, actsForUser: true }, /only tools act/],
    ['a schema that is none', { ...sound, inputSchema: { type: 'string' } }, /^inputSchema: /],
    ['a list for an argument', { ...sound, inputSchema: { type: 'object', properties: { skus: { type: 'array', items: { type: 'string' } } } } }, /"skus" is of the type array/], // prettier-ignore
    ['a getter that throws', Object.defineProperty({ ...sound }, 'name', { get: () => { throw new Error('no'); } }), /cannot be read.*no/], // prettier-ignore
  ])('with %s is discarded, and the others are taken', (_, prompt, reason) => {
    const faults: McpToolFault[] = [];
    const entries = [prompt, sound].map((each, at) => ({ prompt: each as McpPrompt, origin: `P.${at}` }));
    const index = declareMcpPrompts(entries, { report: (fault) => faults.push(fault) });
    expect(faults).toMatchObject([{ origin: 'P.0', reason: expect.stringMatching(reason) as string }]);
    expect(index.entries.map(({ name }) => name)).toEqual(['review']);
    expect(() => declareMcpPrompts(entries)).toThrow(McpDeclarationError);
  });

  it('with a name that another has is discarded: the first keeps it', () => {
    const entries = [{ prompt: sound, origin: 'A.a' }, { prompt: sound, origin: 'B.b' }]; // prettier-ignore
    expect(() => declareMcpPrompts(entries)).toThrow('B.b (prompt "review"): the name is taken by A.a');
  });
});
