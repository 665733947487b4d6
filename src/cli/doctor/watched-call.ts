/**
 * One call, watched as it is answered: whether its progress comes when it is sent, and whether its stream lives.
 */
import { HttpFailure, type HttpAnswer } from '../http/exchange.js';
import { isStream, parseReply } from '../http/rpc.js';
import { sseReader } from '../http/sse.js';
import { faulty, sound, unchecked, type Finding } from './finding.js';
import { inWords, say, type Answer, type Standing, type VisitPlan } from './visit.js';

/** A gate sends progress at most this often (`MCP_PROGRESS_MIN_INTERVAL_MS`), so what comes faster was held back. */
const PROGRESS_INTERVAL_MS = 100;
/** Fewer pieces of progress may come together by chance. */
const ENOUGH_PROGRESS = 4;
/** By then a gate has opened the stream of a call that is still silent (`MCP_STREAM_GRACE_MS`, and some patience). */
const OPEN_MS = 8_000;

/** Calls a tool, and looks at how its answer comes: for `idleMs`, then the call is cancelled. */
export async function watchCall(
  plan: VisitPlan,
  { version }: Standing,
  call: { tool: string; args: object },
): Promise<Finding[]> {
  const enough = new AbortController();
  const timer = setTimeout(() => enough.abort(ENOUGH), plan.idleMs);
  const signal = AbortSignal.any([plan.signal, enough.signal]);
  const params = { name: call.tool, arguments: call.args, _meta: { progressToken: 'doctor' } };
  try {
    const patience = { signal, timeoutMs: plan.idleMs + plan.timeoutMs };
    const answer = await say(plan, version, { method: 'tools/call', params }, { withToken: true, ...patience });
    return judge(answer, call.tool, plan.idleMs);
  } catch (error) {
    if (error === ENOUGH) return [stillSilent(call.tool, plan.idleMs)];
    if (!(error instanceof HttpFailure)) throw error;
    return [faulty('stream-cut', `${call.tool}: ${error.code} before an answer began`)];
  } finally {
    clearTimeout(timer);
  }
}

const ENOUGH = new Error('The stream was watched for long enough.');

function stillSilent(tool: string, idleMs: number): Finding {
  const seen = `not even the beginning of an answer of ${tool} came in ${seconds(idleMs)}`;
  return idleMs > OPEN_MS
    ? faulty('buffered', seen)
    : unchecked('stream', seen, 'Watch for a longer time: --idle 60s.');
}

function judge(answer: Answer, tool: string, idleMs: number): Finding[] {
  const { status, reply, ending } = answer;
  const seen = `${tool}: ${seconds(answer.endMs)}`;
  if (reply?.error !== undefined || reply?.result?.['isError'] === true) {
    return [
      unchecked(
        'stream',
        `${tool} failed: ${inWords(answer)}`,
        'Name a tool and arguments that do well: --tool NAME --args JSON.',
      ),
    ];
  }
  if (GATEWAY_TIMEOUTS.includes(status)) return [faulty('gave-up-waiting', `${seen}, then ${inWords(answer)}`)];
  if (ending === 'cut' && reply === undefined)
    return [faulty('stream-cut', `${seen}, then the connection broke without a result`)];
  const held = buffering(answer, tool);
  if (held.verdict === 'change') return [held];
  if (ending === 'left') {
    const silence = seconds(longestSilence(answer));
    return [
      held,
      sound('stream', `the stream of ${tool} is open after ${seconds(answer.endMs)} (longest silence ${silence})`),
    ];
  }
  const hint = `Name a tool that takes longer than ${seconds(idleMs)}: --tool NAME, or watch for a shorter time: --idle.`;
  return [
    held,
    unchecked('stream', `${tool} was done after ${seconds(answer.endMs)}: no longer stream was watched`, hint),
  ];
}

const GATEWAY_TIMEOUTS = [408, 502, 503, 504, 524];

function buffering(answer: Answer, tool: string): Finding {
  const progress = progressTimes(answer);
  if (progress.length >= ENOUGH_PROGRESS) {
    const span = progress.at(-1)! - progress[0]!;
    const expected = (progress.length - 2) * PROGRESS_INTERVAL_MS; // the last one need not wait
    const seen = `${progress.length} pieces of progress of ${tool} came within ${Math.round(span)} ms`;
    return span < expected / 2 ? faulty('buffered', seen) : sound('stream', seen);
  }
  const seen = `the answer of ${tool} began after ${seconds(answer.headMs)}`;
  if (answer.headMs > OPEN_MS) return faulty('buffered', seen);
  if (isStream(answer.headers) && answer.endMs > OPEN_MS) return sound('stream', seen);
  return unchecked(
    'stream',
    `${tool} showed nothing of buffering: it answered after ${seconds(answer.endMs)} with ${progress.length} pieces of progress`,
    'Name a tool that reports progress for some time: --tool NAME --args JSON.',
  );
}

/** When each piece of progress was complete. */
function progressTimes({ headers, pieces }: HttpAnswer): number[] {
  const times: number[] = [];
  let now = 0;
  const read = sseReader((data) => {
    if (parseReply(data)?.method === 'notifications/progress') times.push(now);
  });
  if (!isStream(headers)) return times;
  for (const { at, text } of pieces) {
    now = at;
    read(text);
  }
  return times;
}

function longestSilence({ headMs, endMs, pieces }: HttpAnswer): number {
  const times = [headMs, ...pieces.map(({ at }) => at), endMs];
  return Math.max(...times.slice(1).map((time, index) => time - times[index]!));
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
