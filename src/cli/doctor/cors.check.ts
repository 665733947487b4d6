/**
 * Can a page of the named origin call the gate from a browser? Asked in the browser's own steps.
 */
import { protectedResourceMetadataUrl } from '../../oauth/protected-resource.js';
import type { HttpAnswer } from '../http/exchange.js';
import { faulty, sound, unchecked, type Finding } from './finding.js';
import { ask, asksForToken, inWords, say, type Standing, type VisitPlan } from './visit.js';

const NEEDED = ['content-type', 'authorization', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

export async function checkCors(plan: VisitPlan, standing: Standing): Promise<Finding[]> {
  const { origin } = plan;
  if (origin === undefined) {
    return [unchecked('cors', 'no page is to call the gate', 'Name the origin of one: --origin https://app.example.')];
  }
  const findings = [...(await ofPreflight(plan, origin)), ...(await ofAnswer(plan, origin, standing))];
  if (standing.isProtected) {
    const url = protectedResourceMetadataUrl(plan.url);
    const document = await ask(plan, { url, method: 'GET', headers: { origin } });
    if (document.status === 200 && !mayRead(document, origin)) findings.push(faulty('document-hidden', url));
  }
  return findings.length > 0 ? findings : [sound('cors', `a page of ${origin} can call the gate`)];
}

async function ofPreflight(plan: VisitPlan, origin: string): Promise<Finding[]> {
  const answer = await ask(plan, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': NEEDED.join(','),
    },
  });
  if (allowedOrigins(answer).length > 1)
    return [faulty('cors-twice', `OPTIONS: ${allowedOrigins(answer).join(' and ')}`)];
  if (answer.status === 403) return []; // the request itself says more
  if (answer.status < 200 || answer.status > 299 || !mayRead(answer, origin)) {
    const allowed = answer.headers['access-control-allow-origin'] ?? 'nobody';
    return [faulty('preflight-refused', `OPTIONS: ${inWords(answer)}, allowed is ${allowed}`)];
  }
  const allowed = (answer.headers['access-control-allow-headers'] ?? '').toLowerCase().split(/\s*,\s*/);
  // A star does not mean Authorization (Fetch, CORS protocol).
  const missing = NEEDED.filter(
    (name) => !allowed.includes(name) && (name === 'authorization' || !allowed.includes('*')),
  );
  return missing.length === 0 ? [] : [faulty('preflight-headers', `not allowed: ${missing.join(', ')}`)];
}

async function ofAnswer(plan: VisitPlan, origin: string, standing: Standing): Promise<Finding[]> {
  const answer = await say(plan, standing.version, { method: 'tools/list' }, { headers: { origin } });
  if (answer.status === 403) return [faulty('origin-refused', inWords(answer))];
  if (allowedOrigins(answer).length > 1) return [faulty('cors-twice', allowedOrigins(answer).join(' and '))];
  if (!mayRead(answer, origin))
    return [faulty('answer-hidden', 'Access-Control-Allow-Origin does not name the origin')];
  const exposed = (answer.headers['access-control-expose-headers'] ?? '').toLowerCase();
  return asksForToken(answer) && !exposed.includes('www-authenticate')
    ? [faulty('challenge-hidden', exposed || 'nothing is exposed')]
    : [];
}

/** Every origin that an answer names, in however many headers. */
function allowedOrigins({ rawHeaders }: HttpAnswer): string[] {
  return rawHeaders
    .filter((_, at) => at % 2 === 1 && /^access-control-allow-origin$/i.test(rawHeaders[at - 1]!))
    .flatMap((value) => value.split(/\s*,\s*/));
}

function mayRead(answer: HttpAnswer, origin: string): boolean {
  const [only, ...more] = allowedOrigins(answer);
  return more.length === 0 && (only === origin || only === '*');
}
