/**
 * How large may a message be, and who refuses a larger one: the gate, in words that clients read, or something before it?
 */
import { HttpFailure } from '../http/exchange.js';
import { faulty, sound, unchecked, type Finding } from './finding.js';
import { asksForToken, inWords, say, type Answer, type Standing, type VisitPlan } from './visit.js';

/** Just above what Express and nginx take by default, and just below and above what a gate does: in bytes. */
const SIZES = [120_000, 1_100_000, 4_100_000, 4_300_000];

export async function checkBody(plan: VisitPlan, standing: Standing): Promise<Finding[]> {
  let passed = 0;
  for (const size of SIZES) {
    let answer: Answer;
    try {
      answer = await sendSized(plan, standing, size);
    } catch (error) {
      if (!(error instanceof HttpFailure)) throw error;
      return [faulty('body-cut', `${inBytes(size)}: ${error.code} (${inBytes(passed)} pass)`)];
    }
    if (answer.status === 413 && answer.reply?.error !== undefined) {
      return [sound('body', `${inBytes(passed)} pass; the gate itself refuses ${inBytes(size)}`)];
    }
    if (answer.reply?.result === undefined && !asksForToken(answer)) {
      return [faulty('body-limit-before', `${inBytes(size)}: ${inWords(answer)} (${inBytes(passed)} pass)`)];
    }
    passed = size;
  }
  if (standing.isAdmitted) return [sound('body', `${inBytes(passed)} pass`)];
  // A gate asks for a token before it reads a body: what passed the proxy is known, and no more.
  const hint = "Name the environment variable with a token to see the gate's own limit: --token-env NAME.";
  return [unchecked('body', `nothing before the gate refuses ${inBytes(passed)}`, hint)];
}

/** A request for the list of tools, with padding that nobody reads. */
function sendSized(plan: VisitPlan, { version, isAdmitted }: Standing, size: number): Promise<Answer> {
  const params = { _meta: { 'nestjs-mcp-gate/padding': 'x'.repeat(size) } };
  return say(plan, version, { method: 'tools/list', params }, { withToken: isAdmitted });
}

function inBytes(size: number): string {
  if (size === 0) return 'small ones';
  return size < 1_000_000 ? `${Math.round(size / 1_000)} kB` : `${(size / 1_000_000).toFixed(1)} MB`;
}
