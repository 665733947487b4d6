/**
 * Does a gate answer at this address at all, and if not, who does?
 */
import { ACCESS_REFUSAL } from '../../gate/access.js';
import { MCP_PROTOCOL_VERSION } from '../../protocol/revisions.js';
import { HttpFailure } from '../http/exchange.js';
import { initializeParams, LEGACY_VERSION } from '../http/rpc.js';
import { quoted } from '../paint.js';
import type { FaultId } from './faults.js';
import { faulty, sound, type Finding } from './finding.js';
import { asksForToken, inWords, say, TooManyRequests, type Answer, type VisitPlan } from './visit.js';

/** What came of the first knock. */
export interface Reached {
  readonly finding: Finding;
  /** The gate, or what stands before it, has answered. */
  readonly reached: boolean;
  readonly isProtected: boolean;
}

/** Knocks as clients of both eras do: it is enough that one of them is heard. */
export async function checkReach(plan: VisitPlan): Promise<Reached> {
  const first = await knock(plan, () => say(plan, MCP_PROTOCOL_VERSION, { method: 'server/discover' }));
  if (first.reached || first.isFinal) return first;
  const params = initializeParams(LEGACY_VERSION);
  const second = await knock(plan, () => say(plan, LEGACY_VERSION, { method: 'initialize', params }));
  return second.reached ? second : first;
}

async function knock(plan: VisitPlan, send: () => Promise<Answer>): Promise<Reached & { readonly isFinal: boolean }> {
  try {
    const answer = await send();
    const isProtected = asksForToken(answer);
    const finding = answeredByOthers(answer);
    if (finding !== undefined) return { finding, reached: false, isProtected: false, isFinal: false };
    const seen = `${answer.status} after ${Math.round(answer.headMs)} ms${isProtected ? ': a token is needed' : ''}`;
    return { finding: sound('reach', seen), reached: true, isProtected, isFinal: true };
  } catch (error) {
    // Whoever does not answer one method may well answer another.
    const isFinal = !(error instanceof HttpFailure) || error.code !== 'TIMEOUT';
    return { finding: failed(error, plan), reached: false, isProtected: false, isFinal };
  }
}

/** The finding for a request that had no answer. Throws what is none of these. */
export function failed(error: unknown, { timeoutMs }: Pick<VisitPlan, 'timeoutMs'>): Finding {
  if (error instanceof TooManyRequests) return faulty('too-many', 'a request was answered with 429');
  if (!(error instanceof HttpFailure)) throw error;
  const { code, message } = error;
  const fault = FAILURES.find(([pattern]) => pattern.test(code))?.[1] ?? 'hung-up';
  return faulty(fault, code === 'TIMEOUT' ? `no answer in ${timeoutMs / 1_000} s` : `${code}: ${quoted(message)}`);
}

/** By the codes of Node and of OpenSSL. */
const FAILURES: readonly (readonly [RegExp, FaultId])[] = [
  [/^(?:ENOTFOUND|EAI_)/, 'name-unknown'],
  [/^(?:ECONNREFUSED|EADDRNOTAVAIL)$/, 'refused'],
  [/^(?:TIMEOUT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/, 'silent'],
  [/^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/, 'tls-expired'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'tls-name'],
  [/^(?:EPROTO|ERR_SSL_|ERR_TLS_)/, 'tls-plain'],
  [/^(?:CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE)/, 'tls-untrusted'],
];

/** The finding for an answer that is none of a gate, or with which a gate turns everybody away. */
export function answeredByOthers(answer: Answer): Finding | undefined {
  const fault = faultOfAnswer(answer);
  if (fault === undefined) return undefined;
  const seen =
    fault === 'redirected' ? `${answer.status} to ${quoted(answer.headers.location ?? '?')}` : inWords(answer);
  return faulty(fault, seen);
}

/** Who answers, if it is not a gate. */
function faultOfAnswer({ status, reply }: Answer): FaultId | undefined {
  const refusal = status === 403 ? reply?.error?.message : undefined;
  const known = REFUSALS.find(([message]) => message === refusal)?.[1];
  if (known !== undefined) return known;
  if (status >= 300 && status < 400) return 'redirected';
  if (asksForToken({ status })) return undefined;
  if (status >= 500) return 'bad-gateway';
  if (status === 403) return 'forbidden';
  if (reply !== undefined) return undefined;
  return status === 404 ? 'not-found' : 'not-a-gate';
}

const REFUSALS: readonly (readonly [string, FaultId])[] = [
  [ACCESS_REFUSAL.relayed, 'relayed'],
  [ACCESS_REFUSAL.host, 'host-refused'],
  [ACCESS_REFUSAL.remote, 'not-local'],
];
