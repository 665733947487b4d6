/** A client at one end of a pipe and a gate at the other, in this process. Every line is held against the official schemas. */
import { PassThrough } from 'node:stream';
import { defineMcpGate, type McpGate, type McpGateParts } from '../../src/gate/gate.js';
import type { McpGateSettings } from '../../src/gate/settings.js';
import { declareMcpTools } from '../../src/tools/declare.js';
import type { McpTool, McpToolEntry } from '../../src/tools/tool.js';
import type { McpLineSink } from '../../src/stdio/line-sink.js';
import { serveMcpStdio, type McpStdioStreams } from '../../src/stdio/serve.js';
import { JSONRPCMessageSchema } from '@modelcontextprotocol/core';
import { HandClock } from '../support/hand-clock.js';
import { request } from '../support/protocol.js';
import { declare } from '../support/tools.js';
import { alsoRead } from '../support/written.js';
import type { McpVersion } from '../../src/protocol/revisions.js';

export type Message = Record<string, any>;

export interface PipeOptions extends Partial<Omit<McpStdioStreams, 'input'>> {
  settings?: Partial<McpGateSettings>;
  /** @default the tools of the settings */
  entries?: readonly (McpTool | McpToolEntry)[];
  /** The package's own, beside those. */
  builtIn?: readonly McpTool[];
  /** What else the host of the gate brings. */
  parts?: McpGateParts;
}

export class Pipe {
  readonly gate: McpGate;
  readonly clock = new HandClock();
  readonly log: string[] = [];
  readonly input = new PassThrough({ highWaterMark: 1024 });
  /** Whole lines, as they were written. */
  readonly lines: string[] = [];
  /** Fulfilled when the gate has served to the end. */
  readonly served: Promise<void>;
  private look: () => void = () => undefined;

  constructor({ settings = {}, entries = [], builtIn = [], write, parts, ...streams }: PipeOptions = {}) {
    const say = (level: string) => (message: string) => {
      this.log.push(`${level} ${message}`);
      alsoRead(message);
    };
    const own = declareMcpTools(
      builtIn.map((tool) => ({ tool, origin: 'own' })),
      { builtIn: true },
    );
    const index = declare(...entries);
    this.gate = defineMcpGate(
      { name: 'shop', ...settings },
      {
        clock: this.clock,
        log: { debug: say('debug'), warn: say('warn'), error: say('error') },
        source: { fixed: () => index, ...(builtIn.length > 0 && { fresh: () => own }) },
        ...parts,
      },
    );
    const take: McpLineSink = (line) => {
      this.lines.push(line);
      this.look();
      return write?.(line);
    };
    this.served = serveMcpStdio(this.gate, { input: this.input, write: take, ...streams });
  }

  /** Every message so far, a batch as it is. */
  get messages(): Message[] {
    return this.lines.map((line) => {
      const message = JSON.parse(line) as Message;
      for (const each of [message].flat()) JSONRPCMessageSchema.parse(each['id'] === null ? { ...each, id: 0 } : each);
      return message;
    });
  }

  /** Sends text as it stands. */
  type(text: string): void {
    this.input.write(text);
  }

  /** Sends messages, all in one chunk. */
  send(...messages: readonly unknown[]): void {
    this.type(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  }

  /** Asks as a client of `version`, without waiting for the answer. */
  ask(version: McpVersion, method: string, params: Message = {}, id: unknown = 1): void {
    this.send(request(version, method, params, id).message);
  }

  /** The answer to a request, once it is there. */
  answer(id: unknown): Promise<Message> {
    return this.until(() => this.messages.find((message) => message['id'] === id && !('method' in message)));
  }

  /** The first `count` messages, once there are that many. */
  async first(count: number): Promise<Message[]> {
    await this.until(() => this.lines.length >= count || undefined);
    return this.messages.slice(0, count);
  }

  until<T>(find: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      this.look = () => {
        const found = find();
        if (found !== undefined) resolve(found);
      };
      this.look();
    });
  }
}

/** Lets everything happen that waits for nothing outside. */
export async function quiet(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
