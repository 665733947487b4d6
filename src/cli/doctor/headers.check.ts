/**
 * Do the headers and the verbs of clients reach the gate? What a gate sees it answers to: a header that is wrong on
 * purpose must be refused.
 */
import { MCP_ERROR } from '../../protocol/errors.js';
import { MCP_PROTOCOL_VERSION } from '../../protocol/revisions.js';
import { HttpFailure } from '../http/exchange.js';
import { ACCEPT, isStream } from '../http/rpc.js';
import type { FaultId } from './faults.js';
import { faulty, sound, unchecked, type Finding } from './finding.js';
import { LEGACY_VERSION } from '../http/rpc.js';
import { ask, inWords, say, type Answer, type Standing, type VisitPlan } from './visit.js';

const NO_VERSION = '1999-12-31';
const NO_TOOL = 'doctor-knows-no-such-tool';

export async function checkHeaders(plan: VisitPlan, standing: Standing): Promise<Finding[]> {
  const verb = await getIsRefused(plan);
  if (!standing.isAdmitted) {
    const hint = 'Name the environment variable with a token: --token-env NAME.';
    return [unchecked('headers', 'whether Mcp- headers arrive is seen by a token only', hint), ...verb];
  }
  const lost: Finding[] = [];
  const lose = (fault: FaultId, answer: Answer) => lost.push(faulty(fault, inWords(answer)));
  if (standing.speaksModern) {
    const list = await say(plan, MCP_PROTOCOL_VERSION, { method: 'tools/list' }, { withToken: true });
    // A tool that nobody has: nothing is called, and the gate compares Mcp-Name all the same.
    const call = await say(
      plan,
      standing.version,
      { method: 'tools/call', params: { name: NO_TOOL } },
      { withToken: true },
    );
    const missing = [list, call].find(({ reply }) => reply?.error?.code === MCP_ERROR.headerMismatch);
    const isVersion = missing?.reply?.error?.message.includes('MCP-Protocol-Version') === true;
    if (missing !== undefined && !isVersion) lose('mcp-headers-stripped', missing);
  }
  const headers = { 'mcp-protocol-version': NO_VERSION };
  const dated = await say(plan, LEGACY_VERSION, { method: 'tools/list' }, { withToken: true, headers });
  if (dated.reply?.result !== undefined || dated.reply?.error?.code === MCP_ERROR.headerMismatch) {
    lose('version-header-stripped', dated);
  }
  const accept = { accept: ACCEPT.streamOnly };
  const streamed = await say(plan, standing.version, { method: 'tools/list' }, { withToken: true, headers: accept });
  if (streamed.reply?.result !== undefined && !isStream(streamed.headers)) {
    lost.push(faulty('accept-rewritten', `${streamed.headers['content-type']} came where only a stream was accepted`));
  }
  const sent = 'Mcp-Method, Mcp-Name, MCP-Protocol-Version and Accept arrive';
  return [...(lost.length === 0 ? [sound('headers', sent)] : lost), ...verb];
}

/** A v1 client asks for a stream after its handshake, and goes on at 405. */
async function getIsRefused(plan: VisitPlan): Promise<Finding[]> {
  const headers = {
    accept: ACCEPT.streamOnly,
    ...(plan.token !== undefined && { authorization: `Bearer ${plan.token}` }),
  };
  try {
    const answer = await ask(plan, { method: 'GET', headers });
    if (answer.status === 405 || answer.status === 401)
      return [sound('headers', `GET is answered with ${answer.status}`)];
    return [faulty('get-answered', `GET: ${inWords(answer)}`)];
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error;
    return [faulty('get-answered', `GET: ${error.code}`)];
  }
}
