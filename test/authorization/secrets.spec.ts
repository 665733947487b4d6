/**
 * Everything that holds a token fails with the token in its mouth; the log is told that it failed, and no word of it
 * (A9, issue 3).
 */
import { Controller, Get, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Annotations, McpTool, RequireScopes } from 'nestjs-mcp-gate';
import { PLATFORMS, type Served } from '../nest/serve.js';
import { json, LocalIssuer } from '../oauth/local-issuer.js';
import { judgeTheLog, logFromNow, open } from './log-watch.js';
import { protectedGate, READS } from './shop.js';
import { bearing, keep, tokenFor } from './tokens.js';

const SECRET = keep('the-secret-of-the-gate-at-its-issuer');
const OPAQUE = keep('opaque-token-that-only-the-issuer-reads');

/** How issuers answer who is asked about a token, and answer with it. */
const ECHOES: readonly (readonly [status: number, answer: string])[] = [
  [500, 'no such token: TOKEN'],
  [302, 'TOKEN'],
  [200, '{"active": TOKEN'],
  [200, '"TOKEN"'],
];

/** Repeats the whole header. */
const loud: CanActivate = {
  canActivate(context: ExecutionContext) {
    const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, string> }>();
    throw new Error(`I do not like ${headers['authorization']}`);
  },
};

class LoudTools {
  @McpTool({ name: 'loud', description: 'Guarded by somebody who repeats everything.' })
  @Annotations(READS)
  @UseGuards(loud)
  loud() {}

  @McpTool({ name: 'plain', description: 'Reserved.' })
  @Annotations(READS)
  @RequireScopes('plain:read')
  plain() {
    return 'plain';
  }
}

@Controller('health')
class HealthController {
  @Get()
  health() {
    return 'well';
  }
}

describe.each(PLATFORMS)('What fails with a token in its mouth on %s', (platform) => {
  let gate: Served;
  let issuer: LocalIssuer;
  let echoes: LocalIssuer[] = [];
  let failing: 'isRevoked' | 'isAccountActive' | 'verifier' | undefined;

  beforeAll(async () => {
    issuer = await LocalIssuer.start();
    let token = '';
    const fail = (who: typeof failing) => {
      if (failing === who) throw Object.assign(new Error(`${who} cannot take ${token}`), { token });
    };
    echoes = await Promise.all(ECHOES.map(() => LocalIssuer.start()));
    const introspection = { clientId: 'gate', clientSecret: SECRET };
    const authorization = {
      issuers: [issuer, ...echoes].map(({ url }) => ({ issuer: url, introspection })),
      verifier: {
        verify: (given: string) => {
          token = given;
          fail('verifier');
          return undefined;
        },
      },
      isRevoked: () => (fail('isRevoked'), false),
      isAccountActive: () => (fail('isAccountActive'), true),
    };
    const imports = [protectedGate({ authorization })];
    gate = await open({ imports, providers: [LoudTools], controllers: [HealthController] }, { platform });
    issuer.opaque.set(OPAQUE, { active: true, sub: 'ada', aud: `${gate.url}/mcp`, scope: 'plain:read' });
  });
  afterAll(async () => {
    await gate.close();
    for (const each of [issuer, ...echoes]) await each.stop();
  });
  beforeEach(() => {
    failing = undefined;
    issuer.answers.clear();
  });

  test('an opaque token is taken by introspection, which is told the secret and the log is not (A9)', async () => {
    expect(await gate.text('plain', {}, bearing(OPAQUE))).toBe('plain');
    const sent = issuer.authorizations.at(-1) ?? '';
    expect(sent).toMatch(/^Basic /);
    expect(Buffer.from(keep(sent.slice('Basic '.length)), 'base64').toString()).toBe(`gate:${SECRET}`);
  });

  test.each(['verifier', 'isRevoked', 'isAccountActive'] as const)(
    '%s: the caller is refused, the log hears its name',
    async (who) => {
      failing = who;
      const logged = logFromNow(gate);
      const token = who === 'verifier' ? keep(`opaque-token-for-the-${who}`) : await tokenFor(`${gate.url}/mcp`);
      expect((await gate.rpc('tools/list', {}, bearing(token))).status).toBe(401);
      expect(logged('warn')[0]).toContain(who);
      expect(logged('warn')[0]).toContain('threw Error');
    },
  );

  test('issuers that answer with what they were asked, or with nothing that makes sense', async () => {
    const token = keep('opaque-token-that-is-echoed');
    for (const [at, [status, answer]] of ECHOES.entries()) {
      echoes[at]!.answers.set('/introspect', (_, res) => {
        res.writeHead(status, { 'content-type': 'application/json', location: `/?token=${token}` });
        res.end(answer.replace('TOKEN', token));
      });
    }
    const logged = logFromNow(gate);
    expect((await gate.rpc('tools/list', {}, bearing(token))).status).toBe(503);
    expect(echoes.map((echo) => echo.count('/introspect'))).toEqual(ECHOES.map(() => 1));
    const troubled = ECHOES.filter(([, answer]) => answer !== '"TOKEN"').length;
    expect(logged('warn').filter((line) => line.includes('cannot be asked about a token'))).toHaveLength(troubled);
  });

  test('keys that cannot be fetched', async () => {
    issuer.answers.set('/keys', (req, res) => json(res, { error: req.headers }));
    const token = keep(await issuer.sign({ aud: `${gate.url}/mcp` }));
    expect((await gate.rpc('tools/list', {}, bearing(token))).status).toBe(503);
    expect(gate.log.of('warn').join('\n')).toContain('cannot be asked for its keys');
  });

  test('a guard of a tool: the tool is withheld, and the log hears the name of the exception at most', async () => {
    const logged = logFromNow(gate);
    const answer = await gate.call('loud', {}, bearing(await tokenFor(`${gate.url}/mcp`)));
    expect(answer.error.message).toBe('Unknown tool: loud');
    expect(logged('debug').join()).toContain('tool loud is withheld');
  });

  test('a token in a URL, of the gate or of any other route, is not logged by the gate', async () => {
    const token = await tokenFor(`${gate.url}/mcp`);
    for (const path of [`/mcp?access_token=${token}`, `/.well-known/oauth-protected-resource/mcp?token=${token}`]) {
      expect([401, 404]).toContain((await gate.send({ path, body: '{}' })).status);
    }
    expect((await gate.send({ path: `/health?access_token=${token}`, method: 'GET' })).text).toBe('well');
  });
});

judgeTheLog();
