/** The test client answers what tools ask, in either era. */
import { Test } from '@nestjs/testing';
import type { INestApplication } from '@nestjs/common';
import { mcpTestClient, type McpTestQuestion } from 'nestjs-mcp-gate/testing';
import { AskingBook, AskingModule } from '../e2e/asking.module.js';

describe.each(['modern', 'legacy'] as const)('a test client of the %s era', (era) => {
  let app: INestApplication;

  beforeAll(async () => {
    const testing = await Test.createTestingModule({ imports: [AskingModule] }).compile();
    app = testing.createNestApplication({ logger: false });
    await app.init();
  });

  afterAll(() => app.close());

  const asked: McpTestQuestion[] = [];
  beforeEach(() => asked.splice(0));
  const client = (answer: unknown) =>
    mcpTestClient(app, {
      era,
      answers: (question) => {
        asked.push(question);
        if (question.method === 'roots/list') return { roots: [] };
        if (question.method === 'elicitation/create') return answer;
        return { role: 'assistant', content: { type: 'text', text: 'Hi' }, model: 'm' };
      },
    });

  it('answers as user, model and client', async () => {
    const { text } = await client({ action: 'accept', content: { size: 3 } }).call('everything');
    expect(JSON.parse(text)).toMatchObject({ form: { content: { size: 3 } }, said: { text: 'Hi' }, folders: [] });
    expect(asked.map(({ method }) => method).toSorted()).toEqual([
      'elicitation/create',
      'roots/list',
      'sampling/createMessage',
    ]);
    expect(await client({ action: 'decline' }).getPrompt('letter')).toMatchObject({
      messages: [{ content: { text: 'Write to nobody.' } }],
    });
    expect(await client({}).readResource('ask://folders')).toMatchObject([{ text: '{"roots":[]}' }]);
  });

  it('shows what the user is asked', async () => {
    await client({ action: 'accept' }).call('purge');
    expect(asked).toEqual([
      {
        method: 'elicitation/create',
        params: { message: 'Delete everything?', requestedSchema: { type: 'object', properties: {} } },
      },
    ]);
    expect(app.get(AskingBook).seen).toContain('purged');
  });

  it('cannot be asked without answers, or beyond what it declares', async () => {
    await expect(mcpTestClient(app, { era }).call('everything')).rejects.toMatchObject({ code: -32021 });
    const limited = mcpTestClient(app, { era, answers: () => ({ action: 'accept' }), capabilities: { sampling: {} } });
    expect((await limited.call('purge')).result.isError).toBe(true);
  });

  it('fails with what its own answers throw', async () => {
    const broken = mcpTestClient(app, {
      era,
      answers: () => {
        throw new Error('the test is wrong');
      },
    });
    await expect(broken.call('purge')).rejects.toThrow('the test is wrong');
  });

  it('does not ask for ever', async () => {
    const stubborn = client({ action: 'what?' }).call('purge');
    if (era === 'modern') await expect(stubborn).rejects.toThrow('The gate still asks after 20 rounds');
    else expect((await stubborn).text).toContain('do not fit');
  });
});
