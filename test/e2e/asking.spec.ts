/** One tool's code asks the official clients of both eras: over HTTP on both platforms, and over a pipe. */
import type { INestApplication } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { McpGates } from 'nestjs-mcp-gate';
import { wordsFor } from '../support/compiled.js';
import { ASKED_CLIENTS, Person, type AskedClient, type Server } from './asking-clients.js';
import { AskingBook, AskingModule } from './asking.module.js';

const PLACES = ['Express', 'Fastify', 'a pipe'] as const;

/** A server of a place; over a pipe each client has one of its own. */
class Place {
  private app: INestApplication | undefined;

  constructor(readonly name: (typeof PLACES)[number]) {}

  async open(): Promise<Server> {
    if (this.name === 'a pipe') {
      const args = wordsFor(new URL('../stdio/processes/asking.ts', import.meta.url));
      return { command: { command: process.execPath, args, env: { NO_COLOR: '1' } } };
    }
    const testing = await Test.createTestingModule({ imports: [AskingModule] }).compile();
    const adapter = this.name === 'Fastify' ? new FastifyAdapter() : new ExpressAdapter();
    this.app = testing.createNestApplication<NestFastifyApplication>(adapter as FastifyAdapter, { logger: false });
    await this.app.listen(0, '127.0.0.1');
    return { url: new URL('/mcp', await this.app.getUrl()) };
  }

  /** What happened inside; over a pipe nobody sees it. */
  get book(): string[] | undefined {
    return this.app?.get(AskingBook).seen;
  }

  get liveRuns(): number {
    return this.app?.get(McpGates).get('asking').liveRuns ?? 0;
  }

  async close(): Promise<void> {
    await this.app?.close();
  }
}

describe.each(PLACES)('tools that ask, over %s', (name) => {
  const place = new Place(name);
  let server: Server;

  beforeAll(async () => {
    server = await place.open();
  });

  afterAll(() => place.close());

  describe.each(ASKED_CLIENTS)('$name', ({ connect, era }) => {
    const person = new Person();
    let client: AskedClient;
    let mute: AskedClient;

    beforeAll(async () => {
      [client, mute] = await Promise.all([connect(server, person), connect(server)]);
    });

    afterAll(() => Promise.all([client.close(), mute.close()]));

    beforeEach(() => {
      place.book?.splice(0);
      person.asked.splice(0);
      person.content = {};
    });

    afterEach(() => {
      expect(place.liveRuns).toBe(0);
    });

    const text = async (tool: string) => (await client.call(tool)).content[0]?.text;

    it('fills in a form that is a class, and the method gets an instance of it', async () => {
      person.content = { name: 'Ada', age: 36 };
      expect(await text('greet')).toBe('Hello Visitor Ada, 36');
      expect(person.asked).toEqual([
        expect.objectContaining({
          message: 'Who are you?',
          requestedSchema: {
            type: 'object',
            properties: {
              name: { type: 'string' },
              email: { type: 'string', format: 'email' },
              age: { type: 'integer', minimum: 0, maximum: 150, default: 30 },
              colour: { type: 'string', enum: ['red', 'green'] },
            },
            required: ['name'],
          },
        }),
      ]);
      person.content = undefined;
      expect(await text('greet')).toBe('Hello nobody (decline)');
    });

    it('elicits, samples and lists roots in one call', async () => {
      person.content = { size: 7 };
      expect(JSON.parse((await text('everything'))!)).toEqual({
        form: { action: 'accept', content: { size: 7 } },
        said: { type: 'text', text: 'Hello' },
        folders: ['file:///home/ada'],
      });
    });

    it('opens a page, asked for by a stream', async () => {
      expect(JSON.parse((await text('stream'))!)).toEqual({ action: 'accept' });
      const ofItsRevision = era === 'legacy' ? { elicitationId: expect.any(String) as unknown } : {};
      expect(person.asked).toEqual([
        expect.objectContaining({
          mode: 'url',
          message: 'Sign there.',
          url: 'https://sign.example/1',
          ...ofItsRevision,
        }),
      ]);
      expect('elicitationId' in person.asked[0]!).toBe(era === 'legacy');
    });

    it('is asked by prompts and resources too', async () => {
      person.content = { to: 'Grace' };
      expect(await client.prompt('letter')).toMatchObject([{ content: { text: 'Write to Grace.' } }]);
      expect(JSON.parse((await client.read('ask://folders'))[0]!.text!)).toEqual(person.roots());
    });

    it('runs a tool that must be confirmed only once its user has agreed', async () => {
      person.content = undefined;
      expect(await client.call('purge')).toMatchObject({ isError: true });
      if (place.book) expect(place.book).toEqual([]);
      person.content = {};
      expect(await text('purge')).toBe('gone');
      if (place.book) expect(place.book).toEqual(['purged']);
    });

    it('computes once what is remembered, and no filter sees the question', async () => {
      expect(await text('order')).toMatch(/^accept \d+$/);
      if (place.book) expect(place.book).toEqual(['computed']);
      expect(await text('fails')).toBe('caught');
    });

    it('is not kept waiting by a tool that asks and does not wait, and harms nobody with it', async () => {
      expect(await text('forgetful')).toBe('done');
      expect(await text('order')).toMatch(/^accept/);
    });

    it('gets a refusal when it cannot be asked', async () => {
      await expect(mute.call('everything')).rejects.toMatchObject({ code: -32021 });
      const refused = await mute.call('purge');
      expect(refused).toMatchObject({ isError: true });
      expect(refused.content[0]?.text).toMatch(/this client cannot ask them/);
      if (place.book) expect(place.book).toEqual([]);
    });
  });
});
