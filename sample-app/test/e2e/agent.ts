/**
 * An agent at the shop's door: the official client, and what the tests ask of it.
 */
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

type CallOptions = Parameters<Client['callTool']>[1];

export interface Agent {
  readonly client: Client;
  call(tool: string, args?: Record<string, unknown>, options?: CallOptions): Promise<CallToolResult>;
  /** The text of an answer that must be a success. */
  text(tool: string, args?: Record<string, unknown>, options?: CallOptions): Promise<string>;
  /** The data of an answer that must be a success. */
  data<Data>(tool: string, args?: Record<string, unknown>): Promise<Data>;
  /** The text of an answer that must be a business failure. */
  failure(tool: string, args?: Record<string, unknown>): Promise<string>;
}

export async function connectAgent(address: string, pin?: string): Promise<Agent> {
  const client = new Client(
    { name: 'agent', version: '1.0.0' },
    pin === undefined ? {} : { versionNegotiation: { mode: { pin } } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(address)));

  const call: Agent['call'] = (name, args = {}, options) => client.callTool({ name, arguments: args }, options);
  const textOf = async (failed: boolean, ...question: Parameters<Agent['call']>): Promise<string> => {
    const answer = await call(...question);
    const [content] = answer.content;
    const text = content?.type === 'text' ? content.text : '';
    if ((answer.isError ?? false) === failed) return text;
    throw new Error(`${question[0]} was expected to ${failed ? 'fail' : 'succeed'}, but answered: ${text}`);
  };
  return {
    client,
    call,
    text: (...question) => textOf(false, ...question),
    data: async (...question) => JSON.parse(await textOf(false, ...question)),
    failure: (...question) => textOf(true, ...question),
  };
}
