/** The fixtures of the official suite, as both official clients see them in every mode, on both platforms. */
import { EverythingModule, PNG } from './everything.module.js';
import { CLIENTS, type OfficialClient } from './official-clients.js';
import { PLATFORMS, serve, type Served } from '../nest/serve.js';

describe.each(PLATFORMS)('a gate that offers everything, on %s', (platform) => {
  let gate: Served;
  beforeAll(async () => {
    gate = await serve({ imports: [EverythingModule] }, { platform });
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

    it('says of a resource that is not there which one it was', async () => {
      const code = name === 'v1 client' ? -32002 : -32602; // the v2 client translates what is of an older revision
      await expect(client.read('test://nothing')).rejects.toMatchObject({ code, data: { uri: 'test://nothing' } });
    });
  });
});
