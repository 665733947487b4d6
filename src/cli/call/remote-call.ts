/**
 * A call at an address, as a client makes it.
 */
import { MCP_ERROR } from '../../protocol/errors.js';
import { valueAt } from '../../protocol/headers.js';
import { isObject } from '../../protocol/messages.js';
import { readHeaderParameters } from '../../tools/header-parameters.js';
import type { JsonSchema } from '../../tools/tool.js';
import { answeredByOthers, failed } from '../doctor/reach.check.js';
import type { Finding } from '../doctor/finding.js';
import { inWords, TooManyRequests } from '../doctor/visit.js';
import type { RpcAnswer } from '../http/ask-rpc.js';
import { McpConnection } from '../http/connection.js';
import { HttpFailure } from '../http/exchange.js';
import { headerValue } from '../http/rpc.js';
import { quoted } from '../paint.js';
import type { CallOutcome, CallProgress, CallRequest } from './outcome.js';

/** Where the gate is, and what it is shown. */
export interface RemoteGate {
  readonly url: string;
  readonly token?: string;
}

const PROGRESS_TOKEN = 'call';
const HANDSHAKE_MS = 30_000;
/** A list that does not end is none. */
const MOST_PAGES = 100;

/**
 * Calls a tool of the gate at an address. Rejects with the signal's reason when the call is cancelled.
 *
 * @throws Error that says the way out when no gate has answered.
 */
export async function callAtUrl({ url, token }: RemoteGate, request: CallRequest): Promise<CallOutcome> {
  const { signal } = request;
  const connection = new McpConnection(url, token);
  try {
    const inTheWay = await connection.open(signal);
    if (inTheWay !== undefined) throw refusal(inTheWay, token);
    const answer = await callTool(connection, request);
    return outcomeOf(answer, token);
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error;
    throw foundInWords(failed(error, { timeoutMs: HANDSHAKE_MS }));
  } finally {
    await connection.close();
  }
}

async function callTool(connection: McpConnection, request: CallRequest): Promise<RpcAnswer> {
  const { tool, args, onProgress, signal } = request;
  const params = { name: tool, arguments: args, _meta: { progressToken: PROGRESS_TOKEN } };
  const call = (headers: Readonly<Record<string, string>>) =>
    connection.ask('tools/call', {
      params,
      headers,
      signal,
      onNotice: (notice) => {
        const progress = notice.method === 'notifications/progress' ? readProgress(notice.params) : undefined;
        if (progress !== undefined) onProgress(progress);
      },
    });
  const answer = await call({});
  if (answer.reply?.error?.code !== MCP_ERROR.headerMismatch) return answer;
  // Refused before anything was done: arguments of this tool may have to be mirrored in headers, which its schema says.
  const headers = mirrored(await inputSchemaOf(connection, tool, signal), args);
  return Object.keys(headers).length === 0 ? answer : call(headers);
}

async function inputSchemaOf(connection: McpConnection, name: string, signal: AbortSignal): Promise<JsonSchema> {
  let cursor: unknown;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const { reply } = await connection.ask('tools/list', { params, signal, timeoutMs: HANDSHAKE_MS });
    const { tools, nextCursor } = reply?.result ?? {};
    const tool = (Array.isArray(tools) ? tools : []).find((each) => isObject(each) && each['name'] === name) as unknown;
    const schema = isObject(tool) ? tool['inputSchema'] : undefined;
    if (isObject(schema)) return schema;
    if (nextCursor === undefined) break;
    cursor = nextCursor;
  }
  return {};
}

/** The headers that mirror arguments (2026-07-28, Streamable HTTP, custom headers from tool parameters). */
function mirrored(schema: JsonSchema, args: Readonly<Record<string, unknown>>): Record<string, string> {
  const read = readHeaderParameters(schema);
  if ('fault' in read) return {};
  const values = read.parameters.map(({ header, path }) => [`Mcp-Param-${header}`, valueAt(args, path)] as const);
  const sent = values.filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value));
  return Object.fromEntries(sent.map(([name, value]) => [name, headerValue(String(value))]));
}

function readProgress(params: Readonly<Record<string, unknown>> = {}): CallProgress | undefined {
  const { progressToken, progress, total, message } = params;
  if (progressToken !== PROGRESS_TOKEN || typeof progress !== 'number') return undefined;
  return {
    progress,
    ...(typeof total === 'number' && { total }),
    ...(typeof message === 'string' && { message }),
  };
}

function outcomeOf(answer: RpcAnswer, token: string | undefined): CallOutcome {
  const { reply, status, ending } = answer;
  if (status === 401) throw refusal(answer, token);
  if (reply?.error !== undefined) return { error: reply.error };
  if (reply?.result === undefined) {
    if (ending === 'cut')
      throw new Error('The connection broke before there was a result. The tool may have done its work.');
    throw refusal(answer, token);
  }
  const { resultType = 'complete' } = reply.result;
  if (resultType === 'complete') return { result: reply.result };
  throw new Error(`The tool asks for more (${quoted(String(resultType))}), which this command cannot give.`);
}

function refusal(answer: RpcAnswer, token: string | undefined): Error {
  if (answer.ending === 'too-long') {
    return new Error(
      'The answer is longer than the 64 MB that are read of one. Let the tool give less, or a link to it.',
    );
  }
  if (answer.status === 401) {
    const wayOut =
      token === undefined
        ? 'Name the environment variable that holds a token for it with --token-env.'
        : 'The token is not taken, or does not reach: nestjs-mcp-gate doctor --url … --token-env … says more.';
    return new Error(`${inWords(answer)}\n${wayOut}`);
  }
  const finding = answer.status === 429 ? failed(new TooManyRequests(), { timeoutMs: 0 }) : answeredByOthers(answer);
  return finding === undefined ? new Error(`No result came back: ${inWords(answer)}`) : foundInWords(finding);
}

function foundInWords({ seen, means = '', change = '' }: Finding): Error {
  return new Error(`${seen}\n${means} ${change}`.trimEnd());
}
