import { once } from 'node:events';
import type { INestApplication } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { CLIENTS, type OfficialClient, type Progress } from './official-clients.js';
import { Stage, StageAppModule } from './tools.module.js';

const PLATFORMS = [
  { platform: 'Express', adapter: () => new ExpressAdapter() },
  { platform: 'Fastify', adapter: () => new FastifyAdapter() },
];

describe.each(PLATFORMS)('a gate on $platform, called by the official clients', ({ adapter }) => {
  let app: INestApplication;
  let stage: Stage;
  let url: URL;

  beforeAll(async () => {
    const testing = await Test.createTestingModule({ imports: [StageAppModule] }).compile();
    app = testing.createNestApplication<NestFastifyApplication>(adapter() as FastifyAdapter, { logger: false });
    await app.listen(0, '127.0.0.1');
    url = new URL('/mcp', await app.getUrl());
    stage = app.get(Stage);
  });

  afterAll(() => app.close());

  describe.each(CLIENTS)('$name', ({ connect, era }) => {
    let client: OfficialClient;

    beforeEach(async () => {
      client = await connect(url);
    });

    afterEach(async () => {
      stage.removeAllListeners();
      client.checked();
      await client.close();
    });

    it('lists the tools that the caller has, in the order of their declaration, and counts the reserved one (A2, A3)', async () => {
      const tools = await client.list();
      expect(tools.map(({ name }) => name)).toEqual([
        'echo',
        'nothing',
        'measure',
        'missing',
        'broken',
        'steps',
        'endless',
        'silent',
      ]);
      expect(client.instructions()).toBe('A stage for tests.\n\n1 more tool is available with authorization.');
      expect(client.checked()).toBeGreaterThan(1);
    });

    it('publishes what the class-validator DTO says (T13)', async () => {
      const echo = (await client.list()).find(({ name }) => name === 'echo');
      expect(echo?.inputSchema).toMatchObject({
        type: 'object',
        properties: {
          text: { type: 'string' },
          times: { type: 'integer', minimum: 1, maximum: 5 },
          colours: { type: 'array', items: { enum: ['red', 'green'] } },
        },
        required: ['text'],
        additionalProperties: false,
      });
    });

    it('gives text for a string, nothing for nothing, and structured content with an output schema (T10)', async () => {
      expect(await client.call('echo', { text: 'ab', times: 2 })).toMatchObject({
        content: [{ type: 'text', text: 'abab' }],
      });
      expect(await client.call('nothing')).toMatchObject({ content: [] });
      expect(await client.call('measure', { text: 'four' })).toMatchObject({
        content: [{ type: 'text', text: '{"size":4}' }],
        structuredContent: { size: 4 },
      });
    });

    it('answers JSON when nothing is said before the result (G6)', async () => {
      await client.call('echo', { text: 'a' });
      expect(client.mediaTypes.at(-1)).toMatch(/^application\/json/);
    });

    it('names every faulty argument, and the unknown one, in a result that the agent can read (T6, T7)', async () => {
      const faulty = await client.call('echo', { text: 5, times: 9 });
      expect(faulty.isError).toBe(true);
      expect(faulty.content[0]?.text).toMatch(/text: [^]*times: /);
      const unknown = await client.call('echo', { text: 'a', loud: true });
      expect(unknown.isError).toBe(true);
      expect(unknown.content[0]?.text).toMatch(/"loud"[^]*text, times, colours/);
    });

    it('tells an unknown tool and a withheld one in the same words (T12)', async () => {
      await expect(client.call('no_such_tool')).rejects.toMatchObject({
        code: -32602,
        message: /Unknown tool: no_such_tool$/,
      });
      await expect(client.call('reserved')).rejects.toMatchObject({ code: -32602, message: /Unknown tool: reserved$/ });
    });

    it('gives a 4xx exception of Nest as a result, and nothing of any other exception (T8, P15)', async () => {
      expect(await client.call('missing')).toMatchObject({
        isError: true,
        content: [{ type: 'text', text: 'There is no such thing; try another.' }],
      });
      const failure = await client.call('broken').catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: -32603 });
      expect(String(failure)).toMatch(/Tool broken failed/);
      expect(String(failure)).not.toMatch(/hunter2|secret\.ts/);
    });

    it('passes progress on while the tool works, then the last value as the result (R3, P10)', async () => {
      const seen: Progress[] = [];
      const result = await client.call('steps', undefined, {
        onprogress: (progress) => {
          seen.push(progress);
          stage.emit('release');
        },
      });
      expect(result).toMatchObject({ content: [{ type: 'text', text: 'all steps done' }] });
      expect(seen).toEqual(
        [1, 2, 3].map((step) => expect.objectContaining({ progress: step, total: 3, message: `step ${step}` })),
      );
      expect(client.mediaTypes.at(-1)).toMatch(/^text\/event-stream/);
    });

    it('cancels: the signal aborts and the Observable is unsubscribed (R1, R3)', async () => {
      const controller = new AbortController();
      const started = once(stage, 'started');
      const over = Promise.all([once(stage, 'aborted'), once(stage, 'unsubscribed')]);
      const call = client.call('endless', undefined, { signal: controller.signal, onprogress: () => undefined });
      call.catch(() => undefined);
      await started;
      controller.abort(new Error('changed my mind'));
      await expect(call).rejects.toThrow(/changed my mind/);
      await over;
    });

    it('cancels a call whose answer was still to be JSON (R1)', async () => {
      const controller = new AbortController();
      const started = once(stage, 'started');
      const aborted = once(stage, 'aborted');
      const call = client.call('silent', undefined, { signal: controller.signal });
      call.catch(() => undefined);
      await started;
      controller.abort(new Error('never mind'));
      await expect(call).rejects.toThrow(/never mind/);
      await aborted;
    });

    it('opens the stream silently when a call without a token takes longer than the grace delay (G6)', async () => {
      const started = once(stage, 'started');
      const call = client.call('silent');
      await started;
      const types = client.mediaTypes.length;
      // The head of the response arrives although the tool has said nothing.
      while (client.mediaTypes.length === types) await new Promise((resolve) => setImmediate(resolve));
      expect(client.mediaTypes.at(-1)).toMatch(/^text\/event-stream/);
      stage.emit('release');
      expect(await call).toMatchObject({ content: [{ type: 'text', text: 'released' }] });
    });

    it(`speaks the ${era} era with it (P8)`, async () => {
      await client.call('nothing');
      expect(client.checked()).toBeGreaterThan(0);
    });
  });
});
