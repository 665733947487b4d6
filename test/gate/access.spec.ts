/** G3, G4: which requests may come in, by where they come from, through what, and from which web page. */
import { checkMcpAccess, isLoopback, type McpAccessRules } from '../../src/gate/access.js';

const LOCAL: McpAccessRules = { allowRemote: false, allowedOrigins: [] };
const REMOTE: McpAccessRules = { allowRemote: true, allowedOrigins: [] };

const check = (
  rules: Partial<McpAccessRules>,
  headers: Record<string, string | string[] | undefined> = {},
  remoteAddress: string | undefined = '127.0.0.1',
) => checkMcpAccess({ remoteAddress, headers: { host: 'localhost:3000', ...headers } }, { ...LOCAL, ...rules });

describe('the Origin of a request (G3)', () => {
  const allowedOrigins = ['https://app.test', 'http://localhost:5173'];
  it.each<[string, string | string[] | undefined, boolean]>([
    ['absent, as of an MCP client', undefined, true],
    ['listed', 'https://app.test', true],
    ['listed with its port', 'http://localhost:5173', true],
    ['of another scheme', 'http://app.test', false],
    ['of another port', 'https://app.test:8443', false],
    ['with the default port said', 'https://app.test:443', false],
    ['without the port that is listed', 'http://localhost', false],
    ['of a subdomain', 'https://evil.app.test', false],
    ['that begins like a listed one', 'https://app.test.evil.example', false],
    ['in capitals', 'https://APP.test', false],
    ['with a slash', 'https://app.test/', false],
    ['null', 'null', false],
    ['empty', '', false],
    ['sent twice', ['https://app.test', 'https://app.test'], false],
    ['two in one', 'https://app.test, https://app.test', false],
  ])('that is %s', (_, origin, passes) => {
    for (const rules of [LOCAL, REMOTE]) {
      const reason = check({ ...rules, allowedOrigins }, { origin });
      if (passes) expect(reason).toBeUndefined();
      else expect(reason).toBe('The Origin of this request is not allowed. If it is yours, list it in allowedOrigins.');
    }
  });

  it('is refused when nothing is listed', () => {
    expect(check({}, { origin: 'http://localhost:3000' })).toMatch(/Origin/);
  });
});

describe('the Host of a request (G3)', () => {
  it.each<[string | undefined, boolean]>([
    ['localhost', true],
    ['localhost:3000', true],
    ['LOCALHOST:3000', true],
    ['127.0.0.1', true],
    ['127.0.0.1:80', true],
    ['[::1]', true],
    ['[::1]:3000', true],
    ['localhost:', true],
    ['evil.example', false],
    ['evil.example:3000', false],
    ['localhost.evil.example', false],
    ['localhost.', false],
    ['127.0.0.1.evil.example', false],
    ['user@localhost', false],
    ['evil.example#localhost', false],
    ['localhost:3000:1', false],
    ['::1', false],
    ['[::1', false],
    ['[::1]evil.example', false],
    ['[::2]', false],
    ['192.168.0.7', false],
    ['0.0.0.0', false],
    ['', false],
    [undefined, false],
  ])('of a local gate must be a loopback name: %p', (host, passes) => {
    const reason = check({}, { host });
    if (passes) expect(reason).toBeUndefined();
    else expect(reason).toBe('The Host of this request is not allowed. If it is yours, list it in allowedHosts.');
  });

  it('of a remote gate is free, unless hosts are listed', () => {
    expect(check(REMOTE, { host: 'anything.example' })).toBeUndefined();
    const listed = { ...REMOTE, allowedHosts: ['shop.test', '[2001:db8::7]'] };
    expect(check(listed, { host: 'Shop.Test:8443' })).toBeUndefined();
    expect(check(listed, { host: '[2001:DB8::7]:443' })).toBeUndefined();
    expect(check(listed, { host: 'localhost' })).toMatch(/Host/);
    expect(check(listed, { host: undefined })).toMatch(/Host/);
  });

  it('of a local gate may be listed in place of the loopback names', () => {
    expect(check({ allowedHosts: ['shop.local'] }, { host: 'shop.local:3000' })).toBeUndefined();
    expect(check({ allowedHosts: ['shop.local'] }, { host: 'localhost' })).toMatch(/Host/);
  });
});

describe('the peer of a local gate (G4)', () => {
  it.each<[string | undefined, boolean]>([
    ['127.0.0.1', true],
    ['127.0.0.53', true],
    ['127.255.255.254', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['::FFFF:127.0.0.1', true],
    ['10.0.0.7', false],
    ['192.168.1.1', false],
    ['128.0.0.1', false],
    ['::ffff:10.0.0.7', false],
    ['::2', false],
    ['fe80::1', false],
    ['2001:db8::1', false],
    ['127.0.0.1.evil.example', false],
    ['127.1', false],
    ['localhost', false],
    ['', false],
  ])('must be this machine: %p', (address, passes) => {
    expect(isLoopback(address)).toBe(passes);
    const reason = check({}, {}, address);
    if (passes) expect(reason).toBeUndefined();
    else expect(reason).toBe('This gate serves its own machine only. To serve others set allowRemote.');
  });

  it('must be known', () => {
    expect(checkMcpAccess({ remoteAddress: undefined, headers: { host: 'localhost' } }, LOCAL)).toMatch(/own machine/);
  });

  it('is anybody at a remote gate', () => {
    expect(check(REMOTE, {}, '203.0.113.7')).toBeUndefined();
  });
});

describe('a relayed request (G4)', () => {
  const relays = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

  it.each(relays.flatMap((name) => ['127.0.0.1', ''].map((value) => [name, value] as const)))(
    'that carries %s: %p is refused by a local gate, whatever it claims',
    (name, value) => {
      expect(check({}, { [name]: value })).toMatch(/a relayed request cannot prove that it comes from there/);
    },
  );

  it('is served by a remote gate', () => {
    for (const name of relays) expect(check(REMOTE, { [name]: '203.0.113.7' }, '10.0.0.1')).toBeUndefined();
  });

  it('does not make a stranger local', () => {
    expect(check({}, { 'x-forwarded-for': '127.0.0.1' }, '203.0.113.7')).toMatch(/own machine only/);
  });
});
