/**
 * The one place where a result takes the shape of the client's revision (P8). Methods answer in the newest shape; what
 * an older revision does not know is taken out or said in words here.
 */
import type { McpMessageContext, McpServerFacts } from './context.js';
import { MCP_ERROR, McpProtocolError } from './errors.js';
import type { McpEra } from './revisions.js';
import { InputRequiredResult } from './inputs/input-required.js';
import { META_KEY, type McpCall } from './read.js';
import { isObject } from './messages.js';
import { rememberText } from './wire-text.js';

type Result = Readonly<Record<string, unknown>>;

/** What a method answers with. */
type Answered = Result | InputRequiredResult;

/** Results that clients may remember (2026-07-28, caching). */
const CACHEABLE = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);

/** The lists of what was declared, by the method that gives them. */
const LISTS: ReadonlyMap<string, string> = new Map([
  ['tools/list', 'tools'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
  ['prompts/list', 'prompts'],
]);

/** The result as the client's revision has it. */
export function eraResult(call: McpCall, result: Answered, context: McpMessageContext): Result {
  if (result instanceof InputRequiredResult) return result.toWire(serverMeta(context.server));
  const shaped = call.era === 'modern' ? modernResult(call, result, context.server) : legacyResult(call, result);
  const list = LISTS.get(call.method);
  if (list !== undefined) rememberText(shaped[list] as object);
  return shaped;
}

/** The error as the client's era has it; `undefined` for a request whose era was never known. */
export function eraError(error: McpProtocolError, era: McpEra | undefined): McpProtocolError {
  if (era !== 'legacy') return error;
  // A legacy client reads an error only from an exchange that went well.
  if (error.code === MCP_ERROR.missingCapability)
    return new McpProtocolError(200, error.code, error.message, error.data);
  if (error.isResourceNotFound !== true) return error;
  return new McpProtocolError(error.status, MCP_ERROR.resourceNotFound, error.message, error.data);
}

/** What a server says of itself, by `initialize` and in every modern result. */
export function serverInfo(server: McpServerFacts): Record<string, string> {
  return { name: server.name, version: server.version, ...(server.title === undefined ? {} : { title: server.title }) };
}

function modernResult(call: McpCall, result: Result, server: McpServerFacts): Result {
  const own = result['_meta'];
  const _meta = isObject(own) ? { ...own, ...serverMeta(server) } : serverMeta(server);
  if (!CACHEABLE.has(call.method)) return withMembers(result, { resultType: 'complete', _meta });
  const { ttlMs, scope } = server.cache;
  return withMembers(result, { resultType: 'complete', ttlMs, cacheScope: scope, _meta });
}

/** A copy with more in it. V8 spreads an object into a literal with further members four times as slowly as it assigns. */
function withMembers(result: Result, members: Result): Result {
  // Assigned, such a member would become the prototype.
  return Object.hasOwn(result, '__proto__') ? { ...result, ...members } : Object.assign({}, result, members);
}

const metas = new WeakMap<McpServerFacts, Result>();

/** What every modern result says of its server: made once, a server does not change. */
function serverMeta(server: McpServerFacts): Result {
  let meta = metas.get(server);
  if (meta === undefined) metas.set(server, (meta = Object.freeze({ [META_KEY.serverInfo]: serverInfo(server) })));
  return meta;
}

function legacyResult(call: McpCall, result: Result): Result {
  switch (call.method) {
    case 'tools/list':
      return { ...result, tools: legacyList(result['tools'] as readonly Result[], call.version) };
    case 'resources/list':
      return { ...result, resources: legacyList(result['resources'] as readonly Result[], call.version) };
    case 'resources/templates/list':
      return {
        ...result,
        resourceTemplates: legacyList(result['resourceTemplates'] as readonly Result[], call.version),
      };
    case 'prompts/list':
      return { ...result, prompts: legacyList(result['prompts'] as readonly Result[], call.version) };
    case 'prompts/get':
      return legacyMessages(result, call.version);
    case 'tools/call':
      return legacyCallResult(result, call.version);
    case 'initialize':
      return legacyIntroduction(result, call.version);
    default:
      return result;
  }
}

function legacyIntroduction(result: Result, version: string): Result {
  if (version >= '2025-06-18') return result;
  const { title: _, ...known } = result['serverInfo'] as Result;
  return { ...result, serverInfo: known };
}

const legacyLists = new WeakMap<readonly Result[], Map<string, readonly Result[]>>();

/** A list as a revision has it: the same array for the same list. */
function legacyList(entries: readonly Result[], version: string): readonly Result[] {
  let lists = legacyLists.get(entries);
  if (lists === undefined) legacyLists.set(entries, (lists = new Map()));
  let list = lists.get(version);
  if (list === undefined)
    lists.set(version, (list = Object.freeze(entries.map((entry) => legacyEntry(entry, version)))));
  return list;
}

function legacyEntry(entry: Result, version: string): Result {
  const { icons, outputSchema, title, _meta, ...known } = entry;
  const args = known['arguments'] as readonly Result[] | undefined;
  return {
    ...known,
    ...(version < '2025-06-18' && args !== undefined && { arguments: args.map(withoutTitle) }),
    ...(version >= '2025-06-18' && title !== undefined && { title }),
    ...(version >= '2025-06-18' && _meta !== undefined && { _meta }),
    ...(version >= '2025-06-18' && isObjectSchema(outputSchema) && { outputSchema }),
    ...(version >= '2025-11-25' && icons !== undefined && { icons }),
  };
}

/** Before 2026-07-28 structured content is an object, before 2025-06-18 there is none, nor links to resources. */
function legacyCallResult(result: Result, version: string): Result {
  const { structuredContent, resultType: _, ...known } = result;
  return {
    ...known,
    ...(version < '2025-06-18' && { content: (known['content'] as Result[]).map(linkInWords) }),
    ...(version >= '2025-06-18' && isObject(structuredContent) && { structuredContent }),
  };
}

function legacyMessages(result: Result, version: string): Result {
  if (version >= '2025-06-18') return result;
  const messages = result['messages'] as readonly { readonly content: Result }[];
  return { ...result, messages: messages.map((message) => ({ ...message, content: linkInWords(message.content) })) };
}

function withoutTitle(argument: Result): Result {
  const { title: _, ...known } = argument;
  return known;
}

function linkInWords(block: Result): Result {
  if (block['type'] !== 'resource_link') return block;
  return { type: 'text', text: `${String(block['name'])}: ${String(block['uri'])}` };
}

function isObjectSchema(schema: unknown): boolean {
  return isObject(schema) && schema['type'] === 'object';
}
