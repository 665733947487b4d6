/**
 * `shop.gate.spec.ts`: refuses tools that leave a client guessing, and calls the examples without a port.
 */
import type { Names } from '../names.js';
import { testWords, type TestRunner } from '../test-runner.js';
import type { Exposure, GateWords } from './exposure.js';

export function gateTest({ names, expose, js }: GateWords, runner: TestRunner): string {
  const acts = expose === 'oauth';
  const accounts = `import { ${names.class}Accounts } from './${names.file}.accounts${js}';\n`;
  const overridden = `
      .overrideProvider(${names.class}Accounts)
      .useValue({ find: () => ({ id: 'ann', roles: ['customer'], active: true }) })`;
  return `import { Test, type TestingModule } from '@nestjs/testing';
import { expectAnnotated, mcpTestClient } from 'nestjs-mcp-gate/testing';
${testWords(runner)}${acts ? accounts : ''}import { ${names.class}GateModule } from './${names.file}.gate${js}';

${environment(names, expose)}${caller(names.file, expose)}describe('the gate ${names.file}', () => {
  let app: TestingModule;

  beforeAll(async () => {
    app = await Test.createTestingModule({ imports: [${names.class}GateModule] })${acts ? overridden : ''}
      .compile();
    await app.init();
  });

  afterAll(() => app.close());

  it('has tools that tell a client what they do', () => expectAnnotated(app));

  it('finds', async () => {
    const { text } = await mcpTestClient(app${acts ? ', user' : ''}).call('${names.tool}_find', { text: 'pl' });
    expect(JSON.parse(text)).toEqual(['apple', 'plum']);
  });

  it('tells of progress while it rebuilds', async () => {
    const heard: number[] = [];
    const { text } = await mcpTestClient(app${expose === 'local' ? '' : ', user'}).call(
      '${names.tool}_rebuild',
      {},
      { onProgress: ({ progress }) => heard.push(progress) },
    );
    expect([text, heard.at(-1)]).toEqual(['The index is rebuilt.', 5]);
  });

  it('stops to rebuild when the client cancels', async () => {
    const cancel = new AbortController();
    const call = mcpTestClient(app${expose === 'local' ? '' : ', user'}).call(
      '${names.tool}_rebuild',
      {},
      { signal: cancel.signal, onProgress: () => cancel.abort(new Error('cancelled')) },
    );
    await expect(call).rejects.toThrow('cancelled');
  });
${reserved(names.tool, expose)}});
`;
}

/** What the gate does not start without. Nobody is asked: the test has no token. */
function environment({ variable, file }: Names, expose: Exposure): string {
  if (expose === 'local') return '';
  return `process.env.${variable}_ISSUER = 'https://login.example';
process.env.${variable}_PUBLIC_URL = 'http://127.0.0.1:3000/mcp/${file}';\n\n`;
}

function caller(scope: string, expose: Exposure): string {
  if (expose === 'local') return '';
  const scopes = [...(expose === 'oauth' ? [`'${scope}:read'`] : []), `'${scope}:write'`].join(', ');
  return `const user = { caller: { subject: 'ann', scopes: [${scopes}] } };\n\n`;
}

/** What each way to expose a gate keeps from whom. */
function reserved(tool: string, expose: Exposure): string {
  return {
    local: '',
    oauth: `
  it('serves nobody without a token', async () => {
    await expect(mcpTestClient(app).list()).rejects.toThrow('access token');
  });

  it('acts for the account behind the token', async () => {
    const { text } = await mcpTestClient(app, user).call('${tool}_me');
    expect(JSON.parse(text)).toEqual({ id: 'ann', roles: ['customer'] });
  });
`,
    mixed: `
  it('keeps what needs a token from whom has none', async () => {
    const tools = await mcpTestClient(app).list();
    expect(tools.map(({ name }) => name)).toEqual(['${tool}_find']);
    await expect(mcpTestClient(app).call('${tool}_rebuild')).rejects.toThrow('Unknown tool: ${tool}_rebuild');
  });
`,
  }[expose];
}
