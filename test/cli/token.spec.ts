import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMcpAuthenticator } from '../../src/oauth/authenticate.js';
import { runCommand } from './run-command.js';

const GATE = 'http://127.0.0.1:3000/mcp';

describe('nestjs-mcp-gate token (A11)', () => {
  let folder: string;
  let keys: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-token-'));
    keys = (await runCommand(['token', '--generate-keys'])).stdout.trim();
  });

  afterAll(() => rm(folder, { recursive: true }));

  const wish = ['token', '--resource', GATE, '--account', 'ada', '--scope', 'shop:read', 'shop:write', '--ttl', '15m'];

  it('prints a token alone, which the gate of that address takes and no other', async () => {
    const { code, stdout } = await runCommand(wish, { env: { MCP_JWKS: keys } });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    const authenticator = createMcpAuthenticator({ ownKeys: JSON.parse(keys) as { keys: [] } });
    const found = await authenticator.authenticate(`Bearer ${stdout.trim()}`, GATE);
    expect(found).toMatchObject({ kind: 'caller', caller: { subject: 'ada', scopes: ['shop:read', 'shop:write'] } });
    const elsewhere = await authenticator.authenticate(`Bearer ${stdout.trim()}`, 'http://127.0.0.1:3000/other');
    expect(elsewhere.kind).toBe('rejected');
  });

  it('takes the key set from a file', async () => {
    const file = join(folder, 'keys.json');
    await writeFile(file, keys);
    expect((await runCommand([...wish, '--keys', file])).code).toBe(0);
  });

  it.each([
    ['no key', wish, {}, /MCP_JWKS[^]*--generate-keys/],
    ['a key set that is no JSON', wish, { MCP_JWKS: 'secret-but-not-json' }, /MCP_JWKS is not JSON/],
    ['a file that is not there', [...wish, '--keys', 'no/such/file'], {}, /no\/such\/file cannot be read/],
    ['no account', ['token', '--resource', GATE], {}, /--account is missing/],
    ['no resource', ['token', '--account', 'ada'], {}, /--resource is missing/],
    ['a duration without a unit', ['token', '--ttl', '15'], {}, /15m/],
  ])(
    'says the way out for %s, prints no token and exits with 1',
    async (_, args, env, says) => {
      const { code, stdout, stderr } = await runCommand(args, { env });
      expect(code).toBe(1);
      expect(stdout).toBe('');
      expect(stderr).toMatch(says);
      expect(stderr).not.toContain('secret-but-not-json');
    },
    30_000,
  );
});
