/** The fixtures of the official suite, as both official clients see them in every mode, on both platforms. */
import { EverythingModule } from '../conformance/app/everything.module.js';
import { PNG } from '../conformance/app/png.js';
import { CLIENTS, type OfficialClient } from './official-clients.js';
import { PLATFORMS, serve, type Served } from '../nest/serve.js';

describe.each(PLATFORMS)('a gate that offers everything, on %s', (platform) => {
  let gate: Served;
  beforeAll(async () => {
    gate = await serve({ imports: [EverythingModule.forRoot()] }, { platform });
  });
  afterAll(() => gate.close());

  describe.each(CLIENTS)('to the $name', ({ name, connect }) => {
    let client: OfficialClient;
    beforeAll(async () => {
      client = await connect(new URL('/mcp', gate.url));
    });
    afterAll(async () => {
      expect(client.checked()).toBeGreaterThan(1);
      await client.close();
    });

    it('lists resources and templates', async () => {
      expect((await client.resources()).map(({ uri }) => uri)).toEqual([
        'test://static-text',
        'test://static-binary',
        'test://watched-resource',
      ]);
      expect(await client.templates()).toMatchObject([{ uriTemplate: 'test://template/{id}/data' }]);
    });

    it('gives text, bytes and what a template says', async () => {
      const [uri, mimeType] = ['test://static-text', 'text/plain'];
      expect(await client.read(uri)).toEqual([{ uri, mimeType, text: expect.stringMatching(/static text/) as string }]);
      expect(await client.read('test://static-binary')).toEqual([
        { uri: 'test://static-binary', mimeType: 'image/png', blob: PNG.toString('base64') },
      ]);
      const [contents] = await client.read('test://template/a%20b/data');
      const { text, ...facts } = contents!;
      expect(facts).toEqual({ uri: 'test://template/a%20b/data', mimeType: 'application/json' });
      expect(JSON.parse(text!)).toMatchObject({ id: 'a b' });
    });

    it('lists prompts and fills them in', async () => {
      expect(await client.prompts()).toMatchObject([
        { name: 'test_simple_prompt' },
        { name: 'test_prompt_with_arguments', arguments: [{ name: 'arg1', required: true }, { name: 'arg2' }] },
        { name: 'test_prompt_with_embedded_resource' },
        { name: 'test_prompt_with_image' },
        { name: 'test_input_required_result_prompt' },
      ]);
      const simple = { role: 'user', content: { type: 'text', text: 'This is a simple prompt for testing.' } };
      expect(await client.prompt('test_simple_prompt')).toEqual([simple]);
      expect(await client.prompt('test_prompt_with_arguments', { arg1: 'a', arg2: 'b' })).toMatchObject([
        { content: { text: "Prompt with arguments: arg1='a', arg2='b'" } },
      ]);
      const resourceUri = 'test://example-resource';
      expect(await client.prompt('test_prompt_with_embedded_resource', { resourceUri })).toMatchObject([
        { content: { type: 'resource', resource: { uri: resourceUri, mimeType: 'text/plain' } } },
        { content: { type: 'text' } },
      ]);
      expect(await client.prompt('test_prompt_with_image')).toMatchObject([
        { content: { type: 'image', mimeType: 'image/png' } },
        { content: { type: 'text' } },
      ]);
      await expect(client.prompt('test_prompt_with_arguments', { arg1: 'a' })).rejects.toMatchObject({ code: -32602 });
    });

    it('completes an argument', async () => {
      const ref = { type: 'ref/prompt', name: 'test_prompt_with_arguments' } as const;
      expect(await client.complete(ref, { name: 'arg1', value: 'par' })).toEqual({
        values: ['paris', 'park', 'party'],
        total: 3,
        hasMore: false,
      });
      expect(await client.complete(ref, { name: 'arg2', value: '' })).toMatchObject({ values: [] });
    });

    it('says of a resource that is not there which one it was', async () => {
      const code = name === 'v1 client' ? -32002 : -32602; // the v2 client translates what is of an older revision
      await expect(client.read('test://nothing')).rejects.toMatchObject({ code, data: { uri: 'test://nothing' } });
    });
  });
});
