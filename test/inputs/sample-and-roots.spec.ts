/** Questions for a client's model and for its folders, and which answers fit (2026-07-28, sampling, roots). */
import { listRoots } from '../../src/inputs/list-roots.js';
import { sample, type McpSampling } from '../../src/inputs/sample.js';

const text = { type: 'text', text: 'x' } as const;
const sampling: McpSampling = { messages: [{ role: 'user', content: text }], maxTokens: 5 };

describe('a question for a model', () => {
  it('goes out as it is written, and needs more of the client when it brings tools', async () => {
    const full: McpSampling = { ...sampling, systemPrompt: 's', temperature: 0, modelPreferences: { costPriority: 1 } };
    expect(sample(full).needs).toBe('sampling');
    expect((await sample(full).prepare()).params).toEqual(full);
    expect(sample({ ...sampling, tools: [] }).needs).toBe('sampling.tools');
    expect(sample({ ...sampling, toolChoice: {} }).needs).toBe('sampling.tools');
  });

  it.each([
    [{ messages: [] }, /messages of sample/],
    [{ messages: 'x' }, /messages of sample/],
    [{ messages: [{ role: 'system', content: text }] }, /messages of sample/],
    [{ messages: [{ role: 'user', content: [] }] }, /messages of sample/],
    [{ messages: [{ role: 'user', content: { type: 'text' } }] }, /messages of sample/],
    [{ maxTokens: 0 }, /maxTokens of sample/],
    [{ maxTokens: 1.5 }, /maxTokens of sample/],
    [{ maxTokens: undefined }, /maxTokens of sample/],
  ])('is refused with %j', (wrong, message) => {
    expect(() => sample({ ...sampling, ...wrong } as McpSampling).prepare()).toThrow(message);
  });

  const said = { role: 'assistant', content: text, model: 'm' };
  it.each<[object, boolean]>([
    [said, true],
    [{ ...said, stopReason: 'endTurn', _meta: {} }, true],
    [{ ...said, content: [text, { type: 'image', data: 'AQ==', mimeType: 'image/png' }] }, true],
    [{ ...said, content: { type: 'tool_use', id: '1', name: 't', input: {} } }, true],
    [{ ...said, content: { type: 'tool_use', id: '1', name: 't', input: null } }, false],
    [{ ...said, content: { type: 'audio', data: 'AQ==' } }, false],
    [{ ...said, content: { type: 'video' } }, false],
    [{ ...said, content: 'text' }, false],
    [{ ...said, model: undefined }, false],
    [{ ...said, role: 'user ' }, false],
    [{ ...said, stopReason: 7 }, false],
  ])('%j is an answer: %s', async (answer, fits) => {
    expect(await (await sample(sampling).prepare()).read(answer)).toEqual(fits ? { value: answer } : undefined);
  });

  it.each([undefined, null, 7, [], 'x'])('%j is no answer', async (answer) => {
    expect(await (await sample(sampling).prepare()).read(answer)).toBeUndefined();
    expect(await (await listRoots().prepare()).read(answer)).toBeUndefined();
  });
});

describe('a question for folders', () => {
  it.each<[unknown, boolean]>([
    [[], true],
    [[{ uri: 'file:///a', name: 'A' }, { uri: 'file:///b' }], true],
    [[{ uri: 'https://a.example' }], false],
    [[{ uri: 'file' }], false],
    [[{ uri: 'file:///a', name: 7 }], false],
    [[null], false],
    ['file:///a', false],
  ])('%j are roots: %s', async (roots, fit) => {
    const question = await listRoots().prepare();
    expect([question.method, question.params]).toEqual(['roots/list', undefined]);
    expect(await question.read({ roots })).toEqual(fit ? { value: { roots } } : undefined);
  });
});
