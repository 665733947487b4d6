/**
 * Which revisions are served, in the ways that clients of both eras find out, and is the answer always the same?
 */
import { MCP_ERROR } from '../../protocol/errors.js';
import { MCP_PROTOCOL_VERSION, eraOf } from '../../protocol/revisions.js';
import { HttpFailure } from '../http/exchange.js';
import { initializeParams, LEGACY_VERSION } from '../http/rpc.js';
import { quoted } from '../paint.js';
import { faulty, noted, sound, unchecked, type Finding } from './finding.js';
import { inWords, say, type Answer, type ListedTool, type VisitPlan } from './visit.js';

/** What the checks that follow may rely on. */
export interface Versions {
  readonly findings: readonly Finding[];
  /** The newest revision in which tools could be listed. */
  readonly version?: string;
  readonly speaksModern: boolean;
  readonly tools: readonly ListedTool[];
}

const TRIES = 4;

/** Asks for a list of tools in each era. */
export async function checkVersions(plan: VisitPlan, isAdmitted: boolean): Promise<Versions> {
  if (!isAdmitted) {
    const hint = 'Name the environment variable with a token: --token-env NAME.';
    return {
      findings: [unchecked('versions', 'nobody is answered without a token', hint)],
      speaksModern: true,
      tools: [],
    };
  }
  const modern = await modernEra(plan);
  const legacy = await legacyEra(plan);
  const findings = [...modern.findings, ...legacy.findings];
  const speaksModern = modern.spoken !== undefined;
  const version = [modern, legacy].find(({ isSound }) => isSound)?.spoken;
  if (version === undefined) {
    const fault = faulty('no-version', `${modern.seen}; ${legacy.seen}`);
    return { findings: [...findings, fault], speaksModern, tools: [] };
  }
  const lists: (readonly ListedTool[])[] = [];
  for (let tried = 0; tried < TRIES; tried += 1) lists.push(await listTools(plan, version));
  const names = new Set(lists.map((tools) => tools.map(({ name }) => name).join(', ')));
  const differing = [...names].map((each) => `[${quoted(each)}]`).join(' and ');
  return {
    version,
    speaksModern,
    tools: lists[0]!,
    findings: [
      ...findings,
      whatIsServed(modern.spoken, legacy.spoken),
      ...(names.size > 1 ? [faulty('instances-differ', differing)] : []),
    ],
  };
}

function whatIsServed(modern: string | undefined, legacy: string | undefined): Finding {
  if (modern !== undefined && legacy !== undefined) return sound('versions', `${modern}, ${legacy}`);
  const whom = modern === undefined ? 'older revisions' : 'the newest revision';
  return noted('versions', (modern ?? legacy)!, `Only clients of ${whom} are answered.`);
}

interface Era {
  /** The revision of this era that is served. */
  readonly spoken?: string;
  /** Whether tools can be listed in it. */
  readonly isSound: boolean;
  readonly findings: readonly Finding[];
  /** In words, when nothing is served. */
  readonly seen: string;
}

/** A modern client asks `server/discover`, and takes a proper refusal for an older server. */
async function modernEra(plan: VisitPlan): Promise<Era> {
  const findings: Finding[] = [];
  try {
    const answer = await say(plan, MCP_PROTOCOL_VERSION, { method: 'server/discover' }, { withToken: true });
    if (answer.reply === undefined || answer.status >= 500) findings.push(faulty('discover-broken', inWords(answer)));
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error;
    findings.push(faulty('discover-broken', `${error.code}: ${error.message}`));
  }
  const list = await say(plan, MCP_PROTOCOL_VERSION, { method: 'tools/list' }, { withToken: true });
  // One that misses a header speaks the revision; what took the header away is another check's finding.
  const isSound = list.reply?.result !== undefined;
  const isSpoken = isSound || list.reply?.error?.code === MCP_ERROR.headerMismatch;
  return { isSound, findings, seen: inWords(list), ...(isSpoken && { spoken: MCP_PROTOCOL_VERSION }) };
}

/** A legacy client shakes hands. */
async function legacyEra(plan: VisitPlan): Promise<Era> {
  const params = initializeParams(LEGACY_VERSION);
  const answer = await say(plan, LEGACY_VERSION, { method: 'initialize', params }, { withToken: true });
  const version = answer.reply?.result?.['protocolVersion'];
  if (typeof version !== 'string' || eraOf(version) === 'modern') {
    return { isSound: false, findings: [], seen: inWords(answer) };
  }
  const ready = await say(plan, version, { method: 'notifications/initialized' }, { withToken: true });
  const isTaken = ready.status === 202 && ready.text === '';
  return {
    spoken: version,
    isSound: true,
    findings: isTaken ? [] : [faulty('notification-answered', inWords(ready))],
    seen: inWords(answer),
  };
}

async function listTools(plan: VisitPlan, version: string): Promise<readonly ListedTool[]> {
  const { reply }: Answer = await say(plan, version, { method: 'tools/list' }, { withToken: true });
  const tools = reply?.result?.['tools'];
  return Array.isArray(tools) ? (tools as ListedTool[]).filter((tool) => typeof tool?.name === 'string') : [];
}
