/**
 * Are strangers' web pages turned away? By their Origin everywhere, by the Host where the gate is on this machine.
 */
import { isLoopbackUrl } from '../../oauth/endpoint-url.js';
import { faulty, sound, unchecked, type Finding } from './finding.js';
import { inWords, say, type Standing, type VisitPlan } from './visit.js';

/** Names that can be nobody's (RFC 2606). */
const FOREIGN_ORIGIN = 'https://doctor.invalid';
const FOREIGN_HOST = 'doctor.invalid';

export async function checkGuards(plan: VisitPlan, standing: Standing): Promise<Finding[]> {
  const request = { method: 'tools/list' };
  const page = await say(plan, standing.version, request, { headers: { origin: FOREIGN_ORIGIN } });
  const origin =
    page.status === 403
      ? sound('guards', 'a foreign Origin is turned away')
      : faulty('origin-served', `Origin: ${FOREIGN_ORIGIN} was answered with ${inWords(page)}`);
  if (!isLoopbackUrl(plan.url)) {
    return [origin, unchecked('guards', 'a foreign Host matters on the machine of the gate alone')];
  }
  if (standing.isProtected) return [origin, sound('guards', 'a token is needed whatever the Host')];
  const rebound = await say(plan, standing.version, request, { headers: { host: FOREIGN_HOST } });
  // A proxy may know no such host: whatever does not let the request in is well.
  const isServed = rebound.status < 400 || rebound.status === 401;
  return [
    origin,
    isServed
      ? faulty('host-served', `Host: ${FOREIGN_HOST} was answered with ${inWords(rebound)}`)
      : sound('guards', 'a foreign Host is turned away'),
  ];
}
