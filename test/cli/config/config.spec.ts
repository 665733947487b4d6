import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CLIENTS, type McpClientName } from '../../../src/cli/config/clients.js';
import { runCommand, type Ended } from '../run-command.js';

const URL = 'https://shop.example/mcp';
const CLIENT_NAMES = Object.keys(CLIENTS) as McpClientName[];

let cwd: string;
let home: string;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'mcp-config-'));
  home = join(cwd, 'home');
});

afterEach(() => rm(cwd, { recursive: true }));

const config = (...words: string[]): Promise<Ended> => runCommand(['config', ...words], { cwd, home });
const read = (path: string) => readFile(join(cwd, path), 'utf8');

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(cwd, path)), { recursive: true });
  await writeFile(join(cwd, path), text);
}

const fileOf = (client: McpClientName) =>
  join(CLIENTS[client].file.in === 'home' ? 'home' : '', CLIENTS[client].file.path);

describe('config writes the file of a client (N2)', () => {
  const npx = (...args: string[]) => ({ command: 'npx', args: [...args, '--no', 'nestjs-mcp-gate', 'stdio'] });

  const WRITTEN: Record<McpClientName, { http: (tokenEnv: string) => object; stdio: () => object }> = {
    claude: {
      http: (env) => ({ type: 'http', url: URL, headers: { Authorization: `Bearer \${${env}}` } }),
      stdio: () => ({ command: 'npx', args: [...npx().args, 'dist/app.module.js'] }),
    },
    cursor: {
      http: (env) => ({ url: URL, headers: { Authorization: `Bearer \${env:${env}}` } }),
      stdio: () => ({
        type: 'stdio',
        command: 'npx',
        args: [...npx('--prefix', '${workspaceFolder}').args, '${workspaceFolder}/dist/app.module.js'],
      }),
    },
    vscode: {
      http: (env) => ({ type: 'http', url: URL, headers: { Authorization: `Bearer \${env:${env}}` } }),
      stdio: () => ({
        type: 'stdio',
        command: 'npx',
        args: [...npx('--prefix', '${workspaceFolder}').args, '${workspaceFolder}/dist/app.module.js'],
      }),
    },
    windsurf: {
      http: (env) => ({ serverUrl: URL, headers: { Authorization: `Bearer \${env:${env}}` } }),
      stdio: () => ({ command: 'npx', args: [...npx('--prefix', cwd).args, `${cwd}/dist/app.module.js`] }),
    },
    gemini: {
      http: (env) => ({ httpUrl: URL, headers: { Authorization: `Bearer \${${env}}` } }),
      stdio: () => ({ command: 'npx', args: [...npx().args, 'dist/app.module.js'] }),
    },
    codex: {
      http: (env) => ({ url: URL, bearer_token_env_var: env }),
      stdio: () => ({ command: 'npx', args: [...npx().args, 'dist/app.module.js'] }),
    },
  };

  async function serversOf(client: McpClientName): Promise<Record<string, unknown>> {
    const text = await read(fileOf(client));
    const { parse } = await import('smol-toml');
    const whole = (client === 'codex' ? parse(text) : JSON.parse(text)) as Record<string, Record<string, unknown>>;
    return JSON.parse(JSON.stringify(whole[CLIENTS[client].servers])) as Record<string, unknown>;
  }

  describe.each(CLIENT_NAMES)('%s', (client) => {
    const http = ['--client', client, '--name', 'shop', '--url', URL, '--token-env', 'SHOP_TOKEN'];
    const stdio = ['--client', client, '--name', 'shop-local', '--stdio', 'dist/app.module.js'];

    it('with an address and the name of the variable that holds a token', async () => {
      const { code, stdout, stderr } = await config(...http);
      expect([code, stdout]).toEqual([0, '']);
      expect(stderr).toContain(`${CLIENTS[client].title} has the server "shop" now.`);
      expect(stderr).toContain('Set SHOP_TOKEN where');
      expect(await serversOf(client)).toEqual({ shop: WRITTEN[client].http('SHOP_TOKEN') });
    });

    it('with the module that is started for stdio', async () => {
      expect((await config(...stdio)).code).toBe(0);
      expect(await serversOf(client)).toEqual({ 'shop-local': WRITTEN[client].stdio() });
    });

    it('with the gate that is meant, when the application has several', async () => {
      const { args, ...rest } = WRITTEN[client].stdio() as { args: string[] };
      expect((await config(...stdio, '--gate', 'shop')).code).toBe(0);
      expect(await serversOf(client)).toEqual({ 'shop-local': { ...rest, args: [...args, '--gate', 'shop'] } });
    });

    it('beside what it has written before, and changes nothing when it is run twice', async () => {
      await config(...http);
      await config(...stdio);
      expect(Object.keys(await serversOf(client))).toEqual(['shop', 'shop-local']);
      const path = join(cwd, fileOf(client));
      await utimes(path, 1_000, 1_000);
      const before = await read(fileOf(client));
      for (const words of [http, stdio, [...http, '--force'], [...stdio, '--force'], [...http, '--dry-run']]) {
        const { code, stdout, stderr } = await config(...words);
        expect([code, stdout]).toEqual([0, '']);
        expect(stderr).toContain('already. Nothing was written.');
      }
      expect(await read(fileOf(client))).toBe(before);
      expect((await stat(path)).mtimeMs).toBe(1_000_000);
    });

    it('and keeps what the user has added to the server', async () => {
      await config(...http);
      const path = fileOf(client);
      const text = await read(path);
      const added =
        client === 'codex'
          ? `${text}startup_timeout_sec = 20\n`
          : text.replace(/"Authorization"/, '"X-Team": "core", $&');
      expect(added).not.toBe(text);
      await write(path, added);
      expect((await config(...http)).code).toBe(0);
      expect(await read(path)).toBe(added);
    });

    it('but not over other settings of that name, unless it is forced to', async () => {
      await config(...http);
      const path = fileOf(client);
      const before = await read(path);
      const moved = http.map((word) => (word === URL ? 'https://other.example/mcp' : word));
      const refused = await config(...moved);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toMatch(/has a server "shop" with other settings. --force changes them/);
      expect(refused.stderr).toMatch(/^- .*https:\/\/shop\.example\/mcp/m);
      expect(refused.stderr).toMatch(/^\+ .*https:\/\/other\.example\/mcp/m);
      expect(refused.stderr).toMatch(/Nothing was written\.\n$/);
      expect(await read(path)).toBe(before);

      expect((await config(...moved, '--force')).code).toBe(0);
      expect(await read(path)).toBe(before.replace(URL, 'https://other.example/mcp'));
    });

    it('and turns an address into a command when it is forced to, without a rest of the old way', async () => {
      await config(...http);
      const words = ['--client', client, '--name', 'shop', '--stdio', 'dist/app.module.js'];
      expect((await config(...words)).code).toBe(1);
      expect((await config(...words, '--force')).code).toBe(0);
      expect(await serversOf(client)).toEqual({ shop: WRITTEN[client].stdio() });
      expect((await config(...http, '--force')).code).toBe(0);
      expect(await serversOf(client)).toEqual({ shop: WRITTEN[client].http('SHOP_TOKEN') });
    });

    it('and says of a broken file where it is broken', async () => {
      const broken = client === 'codex' ? 'model = "x"\n[mcp_servers\n' : '{\n  "mcpServers": {\n    broken\n  }\n}\n';
      await write(fileOf(client), broken);
      const { code, stdout, stderr } = await config(...http);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(client === 'codex' ? /line 2, column \d+: / : /line 3, column 5: this is no word of JSON/);
      expect(stderr).toContain('Nothing was written.');
      expect(await read(fileOf(client))).toBe(broken);
    });
  });
});

describe('config and what stands in the file already', () => {
  const FILE = '.vscode/mcp.json';
  const words = ['--client', 'vscode', '--name', 'shop', '--url', URL];

  it.each([
    [
      'comments, trailing commas and foreign settings',
      `// for all of us
{
    "inputs": [ ],   /* none yet */
    "servers": {
        "other": { "type": "http", "url": "https://other.example" }, // theirs
        // "old": {},
    },
    "unknown": 1
}
`,
      `// for all of us
{
    "inputs": [ ],   /* none yet */
    "servers": {
        "other": { "type": "http", "url": "https://other.example" }, // theirs
        "shop": {
            "type": "http",
            "url": "${URL}"
        },
        // "old": {},
    },
    "unknown": 1
}
`,
    ],
    [
      'a comment behind the last server',
      `{\n\t"servers": {\n\t\t"a": {} // the last\n\t}\n}`,
      `{\n\t"servers": {\n\t\t"a": {}, // the last\n\t\t"shop": {\n\t\t\t"type": "http",\n\t\t\t"url": "${URL}"\n\t\t}\n\t}\n}`,
    ],
    [
      'nothing but a comment among the servers',
      `{\n  "servers": {\n    // none yet\n  }\n}\n`,
      `{\n  "servers": {\n    // none yet\n    "shop": {\n      "type": "http",\n      "url": "${URL}"\n    }\n  }\n}\n`,
    ],
    [
      'no servers',
      `{\n  "servers": {}\n}\n`,
      `{\n  "servers": {\n    "shop": {\n      "type": "http",\n      "url": "${URL}"\n    }\n  }\n}\n`,
    ],
    [
      'Windows line endings',
      `{\r\n  "inputs": []\r\n}\r\n`,
      `{\r\n  "inputs": [],\r\n  "servers": {\r\n    "shop": {\r\n      "type": "http",\r\n      "url": "${URL}"\r\n    }\r\n  }\r\n}\r\n`,
    ],
    [
      'a byte order mark',
      `\uFEFF{\n}`,
      `\uFEFF{\n  "servers": {\n    "shop": {\n      "type": "http",\n      "url": "${URL}"\n    }\n  }\n}`,
    ],
    ['one line', '{"servers":{"a":{}},"b":1}', `{"servers":{"a":{}, "shop": {"type":"http","url":"${URL}"}},"b":1}`],
    ['one line without servers', '{"servers":{}}', `{"servers":{"shop": {"type":"http","url":"${URL}"}}}`],
    [
      'one line with a comment',
      '{ "a": 1 // one\n}',
      `{ "a": 1, // one\n"servers": {"shop":{"type":"http","url":"${URL}"}}\n}`,
    ],
    [
      'white space alone',
      ' \n',
      `{\n  "servers": {\n    "shop": {\n      "type": "http",\n      "url": "${URL}"\n    }\n  }\n}\n`,
    ],
    ['{}', '{}', `{\n  "servers": {\n    "shop": {\n      "type": "http",\n      "url": "${URL}"\n    }\n  }\n}`],
  ])('puts the server into a file with %s, and changes no other byte', async (_, before, after) => {
    await write(FILE, before);
    const { code, stderr } = await config(...words);
    expect([code, stderr]).toEqual([0, expect.stringContaining('has the server "shop" now')]);
    expect(await read(FILE)).toBe(after);
    expect((await config(...words)).stderr).toContain('already');
    expect(await read(FILE)).toBe(after);
  });

  it.each([
    ['an array', '[]', /line 1, column 1: the file must hold an object/],
    ['servers that are null', '{\n "servers": null }', /line 2, column 13: "servers" must be an object/],
    ['servers that are an array', '{ "servers": [] }', /"servers" must be an object/],
    [
      'a server that is a text',
      '{ "servers": {\n"shop": "no" } }',
      /line 2, column 9: the server "shop" must be an object/,
    ],
    ['servers twice', '{ "servers": {},\n "servers": {} }', /line 2, column 2: "servers" is there twice/],
    ['the server twice', '{ "servers": { "shop": {}, "shop": {} } }', /"shop" is there twice/],
    ['a missing brace', '{ "servers": {', /line 1, column 15: a closing } is missing/],
    ['a missing comma', '{ "a": 1\n "b": 2 }', /line 2, column 2: a comma must stand here/],
    ['more than one value', '{} {}', /line 1, column 4: the file must end here/],
    ['single quotes', "{ 'a': 1 }", /line 1, column 3: this is no word of JSON/],
    ['a text without an end', '{ "a": "b\n }', /line 1, column 8: a text does not end/],
    ['a number that is none', '{ "a": .5 }', /line 1, column 8: /],
    ['a comment without an end', '{ /* }', /a comment does not end/],
  ])('refuses %s with its place, and writes nothing', async (_, text, says) => {
    await write(FILE, text);
    const { code, stdout, stderr } = await config(...words, '--force');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^\.vscode\/mcp\.json: /);
    expect(stderr).toMatch(says);
    expect(stderr).toMatch(/Nothing was written\.\n$/);
    expect(await read(FILE)).toBe(text);
  });

  it('refuses comments and trailing commas where the client reads plain JSON, and says so', async () => {
    const strict = ['--name', 'shop', '--url', URL];
    await write('.mcp.json', '{\n  // ours\n  "mcpServers": {}\n}');
    expect(await config(...strict)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /line 2, column 3: there is a comment, and this client reads JSON without comments/,
      ),
    });
    await write('.mcp.json', '{ "mcpServers": {}, }');
    expect(await config(...strict)).toMatchObject({ code: 1, stderr: expect.stringMatching(/line 1, column 21/) });
    expect(await read('.mcp.json')).toBe('{ "mcpServers": {}, }');
  });

  it.each([
    [
      'one line with spaces',
      '{ "servers": { "shop": { "type": "http", "url": "https://old.example", "x": [1, 2] }, "b": {} } }',
      `{ "servers": { "shop": { "type": "http", "url": "${URL}", "x": [1, 2] }, "b": {} } }`,
    ],
    [
      'one line without any, in a file with many',
      '{\n  "servers": {\n    "shop": {"url":"https://old.example","type":"http"},\n    "b": {"c":1}\n  }\n}\n',
      `{\n  "servers": {\n    "shop": {"url":"${URL}","type":"http"},\n    "b": {"c":1}\n  }\n}\n`,
    ],
    [
      'lines of its own, with comments and one of many values',
      '{ "servers": { "shop": {\n  "type": "http", // keep me\n  "url": "https://old.example", // and me\n  "tags": [ 1,2 ]\n} } }',
      `{ "servers": { "shop": {\n  "type": "http", // keep me\n  "url": "${URL}", // and me\n  "tags": [ 1,2 ]\n} } }`,
    ],
    [
      'another way to it, at the end',
      '{\n\t"servers": {\n\t\t"shop": {\n\t\t\t"type": "stdio",\n\t\t\t"env": { "A": "1" },\n\t\t\t"command": "x",\n\t\t\t"args": [\n\t\t\t\t"a"\n\t\t\t]\n\t\t}\n\t}\n}\n',
      `{\n\t"servers": {\n\t\t"shop": {\n\t\t\t"type": "http",\n\t\t\t"env": { "A": "1" },\n\t\t\t"url": "${URL}"\n\t\t}\n\t}\n}\n`,
    ],
    [
      'another way to it, at the beginning of one line',
      '{"servers":{"shop":{"command":"x", "args":["a"], "type":"stdio", "cwd":"."}}}',
      `{"servers":{"shop":{"type":"http", "cwd":".", "url": "${URL}"}}}`,
    ],
    [
      'another way to it, between comments',
      '{"servers":{"shop":{\n // start\n "command": "x", // with\n /* arguments */ "args": [] // none\n}}}',
      `{"servers":{"shop":{\n // start\n // with\n /* arguments */ // none\n "type": "http",\n "url": "${URL}"\n}}}`,
    ],
  ])('changes a server in %s when it is forced to, and nothing but its settings', async (_, before, after) => {
    await write(FILE, before);
    const { code, stderr } = await config(...words, '--force');
    expect([code, stderr]).toEqual([0, expect.stringContaining('has the server "shop" now')]);
    expect(await read(FILE)).toBe(after);
    expect((await config(...words, '--force')).stderr).toContain('already');
    expect(await read(FILE)).toBe(after);
  });

  it.each([
    '{"servers":{"shop":{"url":"https://shop.example/mcp",   "type":"http"}}}',
    '{ "servers": { "shop":\n{ "type": "http", "url": "https://shop.example/mcp" } } }',
  ])(
    'writes nothing, with --force neither, where the server stands already in a layout of its own: %j',
    async (text) => {
      await write(FILE, text);
      expect((await config(...words, '--force')).stderr).toContain('already. Nothing was written.');
      expect(await read(FILE)).toBe(text);
    },
  );

  it('changes one header among others, in the layout that they have', async () => {
    const text = (token: string) =>
      `{"servers":{"shop":{"type":"http","url":"${URL}","headers":{  "X-A":"1",  "Authorization":"Bearer ${token}" }}}}`;
    await write(FILE, text('hunter2'));
    expect((await config(...words, '--token-env', 'SHOP_TOKEN', '--force')).code).toBe(0);
    expect(await read(FILE)).toBe(text('${env:SHOP_TOKEN}'));
  });

  it('changes arguments in the layout that they have', async () => {
    const to = ['--client', 'claude', '--name', 'shop', '--stdio', 'b.js', '--force'];
    const args = (text: string) => `{ "mcpServers": { "shop": { "command": "npx", "args": ${text} } } }`;
    await write('.mcp.json', args('["--no", "nestjs-mcp-gate", "stdio", "a.js"]'));
    await config(...to);
    expect(await read('.mcp.json')).toBe(args('["--no", "nestjs-mcp-gate", "stdio", "b.js"]'));
    await write('.mcp.json', args('["--no","[a, b]"]'));
    await config(...to);
    expect(await read('.mcp.json')).toBe(args('["--no", "nestjs-mcp-gate", "stdio", "b.js"]'));
    await write('.mcp.json', args('["--no"]'));
    await config(...to);
    expect(await read('.mcp.json')).toBe(args('["--no","nestjs-mcp-gate","stdio","b.js"]'));
  });

  it.each([
    ['a comment inside what goes', '{"servers":{"shop":{"args":[/* mine */],"command":"x"}}}'],
    ['a setting that is there twice', '{"servers":{"shop":{"url":"a","url":"b"}}}'],
  ])('refuses to lose %s', async (_, text) => {
    await write(FILE, text);
    const { code, stderr } = await config(...words, '--force');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/without losing something else, such as a comment inside it|"url" is there twice/),
    ]);
    expect(await read(FILE)).toBe(text);
  });

  it.each([
    ['claude', '{"mcpServers":{"shop":{"command":"node","args":["--token","hunter2-is-my-token"]}}}'],
    ['claude', '{\n"mcpServers":{\n"shop":{\n"args":[\n"hunter2-is-my-token"\n],\n"command":"node"}}}'],
    ['codex', "[mcp_servers.shop]\ncommand = 'node'\nargs = ['--token', 'hunter2-is-my-token']\n"],
  ] as const)('shows no argument of the file in what it says (%s)', async (client, text) => {
    await write(fileOf(client), text);
    const { code, stderr } = await config('--client', client, '--name', 'shop', '--stdio', 'dist/app.module.js');
    expect(code).toBe(1);
    expect(stderr).toContain('(hidden)');
    expect(stderr).toMatch(/dist\/app\.module\.js/);
    expect(stderr).not.toContain('hunter2');
  });

  it('shows no secret of the file in what it says', async () => {
    const secret = 'hunter2-is-my-token';
    await write(
      FILE,
      `{"servers":{"shop":{"type":"http","url":"https://old.example","headers":{"Authorization":"Bearer ${secret}"}},` +
        `"other":{"command":"x","env":{"API_KEY":"${secret}"}}}}`,
    );
    const refused = await config(...words, '--token-env', 'SHOP_TOKEN');
    expect(refused.stderr).toContain('https://old.example');
    expect(refused.stderr).toContain('${env:SHOP_TOKEN}');
    const tried = await config(...words, '--token-env', 'SHOP_TOKEN', '--force', '--dry-run');
    expect(tried.stdout).toContain(URL);
    for (const { stdout, stderr } of [refused, tried]) expect(stdout + stderr).not.toContain(secret);
  });
});

describe('config and TOML', () => {
  const words = ['--client', 'codex', '--name', 'shop', '--url', URL];
  const FILE = '.codex/config.toml';

  it('puts the server behind everything else, which stays to the byte', async () => {
    const before =
      '# mine\r\nmodel = "x" # the best\r\n\r\n[mcp_servers.other]\r\ncommand = "y"\r\nsince = 2026-01-01\r\n';
    await write(FILE, before);
    expect((await config(...words)).code).toBe(0);
    expect(await read(FILE)).toBe(`${before}\r\n[mcp_servers.shop]\r\nurl = "${URL}"\r\n`);
  });

  it('changes the lines of one server alone when it is forced to', async () => {
    const before = `[mcp_servers.shop] # ours\nurl = "https://old.example" # and "why" # so\nenabled = true # keep\n\n[mcp_servers.b]\nurl = "u"`;
    await write(FILE, before);
    expect((await config(...words, '--force')).code).toBe(0);
    expect(await read(FILE)).toBe(before.replace('https://old.example', URL));
  });

  it('turns a command into an address by lines, and loses no comment and no hash in a text', async () => {
    await write(FILE, `[mcp_servers.shop]\r\nargs = ["#1"] # one\r\ncommand = "x"\r\nenabled = true\r\n`);
    expect((await config(...words, '--force')).code).toBe(0);
    expect(await read(FILE)).toBe(`[mcp_servers.shop]\r\nurl = "${URL}"\r\n# one\r\nenabled = true\r\n`);
  });

  it.each([
    [
      'servers in one line',
      'mcp_servers = { other = { command = "x" } }\n',
      /Write it by hand:\n\n\[mcp_servers\.shop\]/,
    ],
    ['a server in one line', '[mcp_servers]\nshop = { url = "https://old.example" }\n', /Write it by hand/],
    ['a setting over many lines', '[mcp_servers.shop]\ncommand = "x"\nargs = [\n"a",\n]\n', /Write it by hand/],
    ['servers that are a number', 'mcp_servers = 1\n', /"mcp_servers" must be a table/],
    ['a server that is a number', '[mcp_servers]\nshop = 1\n', /the server "shop" must be a table/],
  ])('refuses %s, and writes nothing', async (_, text, says) => {
    await write(FILE, text);
    const { code, stderr } = await config(...words, '--force');
    expect([code, stderr]).toEqual([1, expect.stringMatching(says)]);
    expect(await read(FILE)).toBe(text);
  });
});

describe('config and the disk', () => {
  const words = ['--name', 'shop', '--url', URL];

  it('prints the change and writes nothing with --dry-run', async () => {
    const { code, stdout } = await config(...words, '--dry-run');
    expect([code, stdout.split('\n')[1]]).toEqual([0, '+   "mcpServers": {']);
    expect(await readdir(cwd)).toEqual([]);
    await write('.mcp.json', '{\n  "mcpServers": {\n    "a": {}\n  }\n}\n');
    expect((await config(...words, '--dry-run')).stdout).toBe(
      `-     "a": {}\n+     "a": {},\n+     "shop": {\n+       "type": "http",\n+       "url": "${URL}"\n+     }\n`,
    );
  });

  it('colours the change on a terminal, unless NO_COLOR is set', async () => {
    const terminal = { out: true, err: true, columns: 80 };
    const run = (env: Record<string, string>) =>
      runCommand(['config', ...words, '--dry-run'], { cwd, home, terminal, env });
    expect((await run({})).stdout).toContain('\u001b[32m+');
    expect((await run({ NO_COLOR: '1' })).stdout).not.toContain('\u001b');
    expect((await run({ TERM: 'dumb' })).stdout).not.toContain('\u001b');
    expect((await config(...words, '--dry-run')).stdout).not.toContain('\u001b');
  });

  it('keeps the permissions, follows symbolic links, and leaves no temporary file', async () => {
    await write('shared/real.json', '{}');
    await chmod(join(cwd, 'shared/real.json'), 0o664);
    await symlink('shared/real.json', join(cwd, '.mcp.json'));
    expect((await config(...words)).code).toBe(0);
    expect((await lstat(join(cwd, '.mcp.json'))).isSymbolicLink()).toBe(true);
    expect(JSON.parse(await read('shared/real.json'))).toHaveProperty('mcpServers.shop');
    expect((await stat(join(cwd, 'shared/real.json'))).mode & 0o777).toBe(0o664);
    expect(await readdir(join(cwd, 'shared'))).toEqual(['real.json']);
  });

  it('writes what a link will point to', async () => {
    await symlink('later.json', join(cwd, '.mcp.json'));
    expect((await config(...words)).code).toBe(0);
    expect(JSON.parse(await read('later.json'))).toHaveProperty('mcpServers.shop');
  });

  it.each([
    ['is a folder', () => mkdir(join(cwd, '.mcp.json')), /it cannot be read \(EISDIR\)/],
    ['is not UTF-8', () => writeFile(join(cwd, '.mcp.json'), Buffer.from([0x7b, 0xff, 0x7d])), /it is not UTF-8 text/],
    ['is a link to itself', () => symlink('.mcp.json', join(cwd, '.mcp.json')), /it cannot be read \(ELOOP\)/],
  ])('says so when the file %s', async (_, prepare, says) => {
    await prepare();
    expect(await config(...words)).toMatchObject({ code: 1, stderr: expect.stringMatching(says) });
  });

  it('says so when the folder cannot be made', async () => {
    await write('.cursor', 'a file');
    const { code, stderr } = await config(...words, '--client', 'cursor');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/it cannot be (?:read|written) \(E(?:NOTDIR|EXIST)\)/)]);
  });

  it('writes another file when told to, with paths that hold anywhere', async () => {
    expect((await config('--name', 'shop', '--stdio', 'dist/a.js', '--file', 'elsewhere/mcp.json')).code).toBe(0);
    expect(JSON.parse(await read('elsewhere/mcp.json'))).toEqual({
      mcpServers: {
        shop: { command: 'npx', args: ['--prefix', cwd, '--no', 'nestjs-mcp-gate', 'stdio', `${cwd}/dist/a.js`] },
      },
    });
  });
});

describe('config asks for what it needs', () => {
  it('takes the name from package.json', async () => {
    await write('package.json', '{ "name": "@acme/web.shop" }');
    await config('--url', URL);
    expect(JSON.parse(await read('.mcp.json'))).toHaveProperty('mcpServers.web-shop');
  });

  it('remarks that a module of TypeScript is none that a client can start', async () => {
    await write('src/app.module.ts', '');
    const source = await config('--name', 'a', '--stdio', 'src/app.module.ts');
    expect([source.code, source.stderr]).toEqual([0, expect.stringContaining('src/app.module.ts is TypeScript')]);
    expect((await config('--name', 'b', '--stdio', 'dist/app.module.js')).stderr).not.toContain('TypeScript');
  });

  it('remarks that the module is not built yet, and that a token would travel unencrypted', async () => {
    expect((await config('--name', 'a', '--stdio', 'dist/app.module.js')).stderr).toContain(
      'There is no dist/app.module.js yet',
    );
    await write('dist/app.module.js', '');
    expect((await config('--name', 'b', '--stdio', 'dist/app.module.js')).stderr).not.toContain('There is no');
    const plain = await config('--name', 'c', '--url', 'http://shop.example/mcp', '--token-env', 'T');
    expect(plain.stderr).toContain('unencrypted');
    const local = await config('--name', 'd', '--url', 'http://127.0.0.1:3000/mcp', '--token-env', 'T');
    expect(local.stderr).not.toContain('unencrypted');
  });

  it.each([
    ['neither an address nor a module', ['--name', 'a'], /--url with its address, or --stdio/],
    ['both', ['--name', 'a', '--url', URL, '--stdio', 'x'], /^--url and --stdio are two ways to a gate: leave one out/],
    ['no name', ['--url', URL], /--name is missing/],
    ['a name with spaces', ['--url', URL, '--name', 'my shop'], /"my shop" cannot be the name/],
    ['a name that is a trap', ['--url', URL, '--name', '__proto__'], /cannot be the name/],
    ['an address that is none', ['--name', 'a', '--url', 'shop.example'], /https:\/\/shop\.example\/mcp/],
    [
      'a password in the address',
      ['--name', 'a', '--url', 'https://u:secret-value@x.example'],
      /Leave user and password/,
    ],
    [
      'a token for a name',
      ['--name', 'a', '--url', URL, '--token-env', 'secret-value.x.y'],
      /the NAME of an environment/,
    ],
    ['a token over stdio', ['--name', 'a', '--stdio', 'x', '--token-env', 'T'], /goes with --url/],
    ['a gate by an address', ['--name', 'a', '--url', URL, '--gate', 'shop'], /--gate goes with --stdio/],
    ['an unknown client', ['--name', 'a', '--url', URL, '--client', 'emacs'], /claude, cursor, vscode/],
  ])('refuses %s', async (_, words, says) => {
    const { code, stdout, stderr } = await config(...words);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(says);
    expect(stderr).not.toContain('secret-value');
    expect(await readdir(cwd)).toEqual([]);
  });

  it('has a help that names the files', async () => {
    const { code, stdout } = await config('--help');
    expect(code).toBe(0);
    expect(stdout).toMatch(/windsurf\s+Windsurf: ~\/\.codeium/);
  });
});
