/**
 * `stock.tools.ts` and its test: one tool, to begin with.
 */
import type { Names } from '../names.js';
import { testWords, type TestRunner } from '../test-runner.js';

export function toolFile(names: Names): string {
  return `import { Injectable } from '@nestjs/common';
import { IsString, MinLength } from 'class-validator';
import { Annotations, McpTool } from 'nestjs-mcp-gate';

export class ${names.class}Query {
  @IsString()
  @MinLength(1)
  text!: string;
}

@Injectable()
export class ${names.class}Tools {
  /** An example. An agent chooses by the description and the hints alone. */
  @McpTool({
    name: '${names.tool}',
    description: 'Says what it was asked. Use it when nothing else will do.',
  })
  @Annotations({ readOnlyHint: true, openWorldHint: false })
  read({ text }: ${names.class}Query) {
    return { asked: text };
  }
}
`;
}

export function toolTest(names: Names, js: string, runner: TestRunner): string {
  return `import { Test, type TestingModule } from '@nestjs/testing';
import { McpModule } from 'nestjs-mcp-gate';
import { expectAnnotated, mcpTestClient } from 'nestjs-mcp-gate/testing';
${testWords(runner)}import { ${names.class}Tools } from './${names.file}.tools${js}';

describe('the tool ${names.tool}', () => {
  let app: TestingModule;

  beforeAll(async () => {
    app = await Test.createTestingModule({
      imports: [McpModule.forRoot({ name: 'test', tools: [${names.class}Tools] })],
      providers: [${names.class}Tools],
    }).compile();
    await app.init();
  });

  afterAll(() => app.close());

  it('tells a client what it does', () => expectAnnotated(app));

  it('answers', async () => {
    const { text } = await mcpTestClient(app).call('${names.tool}', { text: 'something' });
    expect(JSON.parse(text)).toEqual({ asked: 'something' });
  });

  it('says what is wrong with its arguments', async () => {
    const { result, text } = await mcpTestClient(app).call('${names.tool}', { text: '' });
    expect(result.isError).toBe(true);
    expect(text).toContain('text');
  });
});
`;
}
