/** D: a secret that people have written for people, in Markdown, stands in no passage. */
import { DocumentSearch } from '../../src/devkit/docs/document-search.js';
import { ProjectFolder } from '../../src/devkit/project/project-folder.js';
import { maskMarkdown } from '../../src/devkit/secrets/markdown.js';
import { projectOnDisk } from './project.js';
import { SEEDED } from './seeded-secrets.js';

const HIDING = [
  '- **DB_PASSWORD**: `tangerine`',
  '- **DB_PASSWORD:** `tangerine`',
  '- __Password__: tangerine',
  '- *password*: tangerine',
  '**`DB_PASSWORD`**: tangerine',
  '* Password: tangerine',
  '> Password: tangerine',
  '1. Password: tangerine',
  '- [ ] Password: tangerine',
  '- **Password** - `tangerine`',
  '- **Password** — tangerine',
  '- Password (of the admin): `tangerine`',
  '`password: tangerine`',
  'password -> tangerine',
  'username: admin, password: tangerine',
  'user/password: admin/tangerine',
  'The password is `tangerine`.',
  'Sign in with the password "tangerine".',
  'Sign in with password `tangerine and clementine`.',
  '| `DB_PASSWORD` | `tangerine` |',
  '| DB_PASSWORD | tangerine |',
  '| 1 | **Password** | tangerine |',
  'Email | Password\n--- | ---\nadmin@example.com | tangerine',
  '| Email | Password |\n| :--- | ---: |\n| admin@example.com | `tangerine` |',
  '| Email | Password |\n| - | - |\n| admin@example.com | tangerine |',
  '| Email | Password |\n| --- | --- |\n| -- | -- |\n| admin@example.com | tangerine |',
  'Sign in with the PIN `7-tangerine`.',
  'export DB_PASSWORD="$(echo tangerine)"',
  '<b>Password</b>: tangerine',
  '<td>Password</td><td>tangerine</td>',
  '<code>DB_PASSWORD</code>: <code>tangerine</code>',
  'curl -u admin:tangerine https://shop.example',
  "curl -s --user 'admin:tangerine' https://shop.example",
  'mysql -u root -ptangerine shop',
  'sshpass -p tangerine ssh shop.example',
  'docker login shop.example -u ada -p tangerine',
  'redis-cli -a tangerine ping',
  'machine shop.example login ada password tangerine',
  'ENV DB_PASSWORD tangerine',
  '{ "name": "DB_PASSWORD", "value": "tangerine" }',
  '- name: DB_PASSWORD\n  value: tangerine',
  '<input name="password" value="tangerine">',
  '{ "password": { "value": "tangerine" } }',
  '"passwords": ["mandarin", "tangerine"]',
  "passwords = [\n  'mandarin',\n  'tangerine',\n]",
  'password: |\n  mandarin\n  tangerine',
  '{\\"password\\": \\"tangerine\\"}',
  'password = "mandarin\\" tangerine"',
  'PASSWORD=mandarin\\ tangerine',
  "PASSWORD=mandarin'tangerine'",
  'https://shop.example/?password[]=tangerine',
  'curl -H "x-api-key: tangerine" https://shop.example',
  'password：tangerine',
  'mot de passe\u00a0: tangerine',
  'The password is “tangerine”.',
  'Sign in with the pass `tangerine`.',
];

describe('maskMarkdown()', () => {
  it.each(HIDING)('masks what stands behind the name of a secret in %j', (text) => {
    expect(maskMarkdown(text)).not.toMatch(/tangerine|clementine/);
  });

  it.each([
    'The password is checked by bcrypt.',
    'A token is refused, and the secret is read from `process.env`.',
    '- **Token**: what the client sends',
    '- `AUTH_JWT_SECRET`: signs tokens',
    'The secret `AUTH_JWT_SECRET` signs tokens, and the scope of a token `orders:read` lets read.',
    'There are no passwords. `shop_my_orders` shows orders.',
    'Password: minimum 8 characters',
    '| Setting | Password |\n| --- | --- |\n| length | yes |',
    '| password | string | yes |',
    '| `token` | `string` | The token of the client. |',
    '| codex | `.codex/config.toml` | `bearer` | `bearer_token_env_var` | kept |',
    '[Password]: https://shop.example/password',
    'authorization: {',
    'var signingKey = key.publicKey || key.rsaPublicKey;',
    'curl -u ada https://shop.example',
    'it is no token: name `introspection` of its issuer',
    'Pass `limit` for fewer, and pin `typescript` to one version.',
    '| `issuers` | for what cannot be discovered (`jwks`, `algorithms`, `tokens`, `clients`) |',
    'npx shop token --resource https://shop.example/mcp --account ada',
    'npx shop call --token-env SHOP_TOKEN --url https://shop.example/mcp',
    'export MCP_JWKS="$(npx shop token --generate-keys)"',
    '* a fix ([27cb9b6](https://git.example/Shop/ShopJS/commit/27cb9b6f0d3c4a1e58b79f6a2d0c3e4f5a6b7c8d))',
    'Addresses are compared as a token decoding.',
    '- **Token:** the one that the client sends',
    'claude mcp add shop --header "Authorization: Bearer [masked]"',
  ])('leaves %j as it is', (text) => {
    expect(maskMarkdown(text)).toBe(text);
  });

  it('keeps the lines, so that a passage is told where it stands', () => {
    const key = ['-----BEGIN PRIVATE KEY-----', 'walrusmoustache', 'gingerbread', '-----END PRIVATE KEY-----'];
    const masked = maskMarkdown(['# Keys', ...key, 'The end.'].join('\n')).split('\n');
    expect(masked).toHaveLength(6);
    expect(masked.at(-1)).toBe('The end.');
    expect(masked.join('')).not.toMatch(/walrus|gingerbread/);
  });

  it('ends for long texts that nearly match', () => {
    for (const part of [
      'password: ',
      'password `',
      'password (',
      '| password ',
      '|--',
      '|--|',
      'curl -u ',
      '-----BEGIN A-----\n',
      '密码:',
      'eyJ-',
      '- `',
    ]) {
      expect(typeof maskMarkdown(part.repeat(500_000 / part.length))).toBe('string');
    }
  }, 30_000);

  it.each([
    ['an indented bar', (fill: number) => `${' '.repeat(fill)}|`],
    ['a rule with something behind it', (fill: number) => `--|${' '.repeat(fill)}x`],
    ['a cell of marks', (fill: number) => `|-|\n|a${'*'.repeat(fill)}a|`],
    ['a cell of quotes', (fill: number) => `| password |\n|-|\n| ${'"a'.repeat(fill / 2)} |`],
    ['commands with blanks', (fill: number) => 'docker login '.repeat(15) + ' '.repeat(fill)],
  ])('takes for %s of 600,000 characters no longer than for as much of anything', (_, made) => {
    const began = performance.now();
    maskMarkdown(made(600_000));
    expect(performance.now() - began).toBeLessThan(5_000); // one that tries every way takes minutes
  });
});

describe('nest_docs', () => {
  it('tells none of forty secrets, written as a list, a table, in sentences and in code', async () => {
    const written = (line: (name: string, value: string) => string) =>
      SEEDED.map(([name, value]) => line(name, value.replaceAll('\n', '\\n'))).join('\n');
    const parts = {
      list: written((name, value) => `- **${name}**: \`${value}\``),
      table: `| Variable | Value |\n| --- | --- |\n${written((name, value) => `| \`${name}\` | \`${value}\` |`)}`,
      sentences: written((name, value) => `${name} is \`${value}\`.\n`),
      code: `\`\`\`sh\n${written((name, value) => `export ${name}='${value}'`)}\n\`\`\``,
      keys: `\`\`\`\n-----BEGIN RSA PRIVATE KEY-----\n${'QmFzZTY0IHdpdGggbm8gcmFuZG9tIGxldHRlcnM\n'.repeat(60)}-----END RSA PRIVATE KEY-----\n\`\`\``,
    };
    const project = projectOnDisk(
      Object.fromEntries(
        Object.entries(parts).map(([name, text]) => [`docs/${name}.md`, `# Zeppelin ${name}\n\n${text}`]),
      ),
    );
    const documents = new DocumentSearch(new ProjectFolder(project.root));
    for (const query of [...Object.keys(parts).map((part) => `zeppelin ${part}`), ...SEEDED.map(([name]) => name)]) {
      const told = JSON.stringify(await documents.ask({ query, filter: 'docs/' }));
      const leaked = SEEDED.filter(([, value, secret = value]) => told.includes(JSON.stringify(secret).slice(1, -1)));
      expect([query, leaked.map(([name]) => name)]).toEqual([query, []]);
      expect(told).not.toContain('QmFzZTY0');
    }
    project.remove();
  });
});
