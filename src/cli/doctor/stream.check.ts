/**
 * Does a stream of events come through as it is sent: uncompressed, piece by piece, and for as long as a call lasts?
 */
import { ACCEPT, isStream } from '../http/rpc.js';
import { quoted } from '../paint.js';
import { faulty, sound, unchecked, type Finding } from './finding.js';
import { say, type ListedTool, type Standing, type VisitPlan } from './visit.js';
import { watchCall } from './watched-call.js';

export async function checkStream(plan: VisitPlan, standing: Standing): Promise<Finding[]> {
  if (!standing.isAdmitted) {
    return [
      unchecked(
        'stream',
        'nobody is answered without a token',
        'Name the environment variable with a token: --token-env NAME.',
      ),
    ];
  }
  const findings = [...(await ofCompression(plan, standing))];
  const call = plan.call ?? harmlessCall(standing.tools);
  if (call === undefined) return [...findings, unchecked('stream', 'no tool was called', whichTool(standing.tools))];
  if (plan.call !== undefined && !standing.tools.some(({ name }) => name === plan.call?.tool)) {
    return [
      ...findings,
      unchecked('stream', `there is no tool ${quoted(plan.call.tool)} for this visit`, whichTool(standing.tools)),
    ];
  }
  return [...findings, ...(await watchCall(plan, standing, call))];
}

/** A list is sent as a stream to who takes nothing else: its headers say what becomes of streams. */
async function ofCompression(plan: VisitPlan, { version }: Standing): Promise<Finding[]> {
  const headers = { accept: ACCEPT.streamOnly, 'accept-encoding': 'gzip, deflate, br' };
  const answer = await say(plan, version, { method: 'tools/list' }, { withToken: true, headers });
  if (!isStream(answer.headers)) return [];
  const encoding = answer.headers['content-encoding'] ?? 'identity';
  return [
    encoding === 'identity'
      ? sound('stream', 'streams are not compressed')
      : faulty('compressed', `Content-Encoding: ${quoted(encoding)}`),
  ];
}

/** A tool that says that it only reads, and that can be called with nothing. */
function harmlessCall(tools: readonly ListedTool[]): { tool: string; args: object } | undefined {
  const found = tools.find(
    ({ annotations, inputSchema }) => annotations?.readOnlyHint === true && (inputSchema?.required ?? []).length === 0,
  );
  return found && { tool: found.name, args: {} };
}

function whichTool(tools: readonly ListedTool[]): string {
  const names = tools.slice(0, 8).map(({ name }) => quoted(name, 64));
  return `Name a tool that may be called, best one that reports progress: --tool NAME --args JSON${names.length > 0 ? ` (${names.join(', ')})` : ''}.`;
}
