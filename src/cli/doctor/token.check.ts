/**
 * Does the header with the token reach the gate, and does the gate take this token?
 */
import { isLoopbackUrl } from '../../oauth/endpoint-url.js';
import { MCP_PROTOCOL_VERSION } from '../../protocol/revisions.js';
import { readChallenge } from './challenge.js';
import { faulty, noted, sound, unchecked, type Finding } from './finding.js';
import type { Reached } from './reach.check.js';
import { asksForToken, inWords, say, type VisitPlan } from './visit.js';

/** A token that nobody has issued: a gate that sees it says `invalid_token`, one that does not says nothing of tokens. */
const FORGED = 'doctor-probe-that-nobody-has-issued';

/** Also says whether requests of this visit are let in. */
export async function checkToken(
  plan: VisitPlan,
  { isProtected }: Pick<Reached, 'isProtected'>,
): Promise<{ findings: Finding[]; isAdmitted: boolean }> {
  if (!isProtected) return { findings: [...(await ofOpenGate(plan))], isAdmitted: true };
  const hint = 'Name the environment variable with a token: --token-env NAME.';
  if (plan.token === undefined) {
    const answer = await withAuthorization(plan, FORGED);
    const arrives = readChallenge(answer.rawHeaders)?.parameters['error'] !== undefined;
    const finding = arrives
      ? unchecked('token', 'Authorization reaches the gate; there is no token to try', hint)
      : ofStripped(answer.rawHeaders, inWords(answer), hint);
    return { findings: [finding], isAdmitted: false };
  }
  const answer = await say(plan, MCP_PROTOCOL_VERSION, { method: 'server/discover' }, { withToken: true });
  if (answer.status === 503 && answer.reply?.error !== undefined) {
    return { findings: [faulty('issuer-away-from-gate', inWords(answer))], isAdmitted: false };
  }
  if (!asksForToken(answer)) return { findings: [sound('token', 'the gate takes the token')], isAdmitted: true };
  const arrived = readChallenge(answer.rawHeaders)?.parameters['error'] !== undefined;
  const finding = arrived
    ? faulty('token-refused', inWords(answer))
    : ofStripped(answer.rawHeaders, inWords(answer), hint);
  return { findings: [finding], isAdmitted: false };
}

/** Without a challenge that can be read nothing is known of the header; the check of the challenge says why. */
function ofStripped(rawHeaders: readonly string[], seen: string, hint: string): Finding {
  return readChallenge(rawHeaders) === undefined
    ? unchecked('token', `there is no challenge that would say whether Authorization arrives (${seen})`, hint)
    : faulty('authorization-stripped', `a token was sent, and the challenge knows of none (${seen})`);
}

async function ofOpenGate(plan: VisitPlan): Promise<Finding[]> {
  if (plan.token !== undefined) {
    const answer = await withAuthorization(plan, plan.token);
    const seen = answer.reply?.result === undefined ? inWords(answer) : 'served without a token, and with one';
    return [noted('token', seen, 'The gate serves strangers. Whether it takes the token is not seen from outside.')];
  }
  if (isLoopbackUrl(plan.url)) return [sound('token', 'no token is needed')];
  return [noted('token', 'no token is needed', 'Everybody who reaches this address can call what it lists.')];
}

function withAuthorization(plan: VisitPlan, token: string) {
  const headers = { authorization: `Bearer ${token}` };
  return say(plan, MCP_PROTOCOL_VERSION, { method: 'server/discover' }, { headers });
}
