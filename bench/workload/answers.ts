/**
 * What a right answer looks like. The floors send these very objects, so that a ratio compares equal work on the wire;
 * the others are checked against them before anything is counted.
 */
import { describe, READS, sumSchema, toolNames } from './catalogue.js';
import { type Era, SUM } from './messages.js';

const SERVER_INFO = { 'io.modelcontextprotocol/serverInfo': { name: 'bench', version: '1.0.0' } };

/** The answer to a call of `add`. */
export function callAnswer(era: Era) {
  return answer(era, { content: [{ type: 'text', text: SUM.text }] });
}

/** The answer to a list of so many tools. */
export function listAnswer(era: Era, count: number) {
  const tools = toolNames(count).map((name) => ({
    name,
    description: describe(name),
    inputSchema: sumSchema(),
    annotations: READS,
  }));
  return answer(era, { tools, ...(era === 'modern' && { ttlMs: 0, cacheScope: 'private' }) });
}

function answer(era: Era, result: object) {
  const shaped = era === 'modern' ? { resultType: 'complete', ...result, _meta: SERVER_INFO } : result;
  return { jsonrpc: '2.0', id: 1, result: shaped };
}
