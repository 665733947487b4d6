/**
 * Does a client without a token find out where to get one: from the challenge to the document, from there to the issuer?
 */
import { protectedResourceMetadataUrl } from '../../oauth/protected-resource.js';
import { quoted } from '../paint.js';
import { challengesOf, readChallenge } from './challenge.js';
import { faulty, noted, sound, type Finding } from './finding.js';
import { checkIssuer, readDocument } from './issuer.js';
import { say, type Standing, type VisitPlan } from './visit.js';

export async function checkProtection(plan: VisitPlan, standing: Standing): Promise<Finding[]> {
  const derived = protectedResourceMetadataUrl(plan.url);
  if (!standing.isProtected) {
    const document = await readDocument(plan, derived);
    if (document === undefined) return [sound('protection', 'none: strangers are served')];
    return [
      noted('protection', 'strangers are served; there is a document for who wants more'),
      ...(await ofDocument(plan, derived, document)),
    ];
  }
  const { rawHeaders } = await say(plan, standing.version, { method: 'tools/list' });
  const sent = challengesOf(rawHeaders);
  const seen = sent.map((each) => quoted(each)).join(' and ') || '401 without WWW-Authenticate';
  if (sent.length === 0) return [faulty('challenge-missing', seen)];
  const challenge = readChallenge(rawHeaders);
  const place = challenge?.parameters['resource_metadata'];
  if (challenge === undefined || (place !== undefined && !URL.canParse(place)))
    return [faulty('challenge-malformed', seen)];
  if (place === undefined) {
    return [faulty('challenge-malformed', `${seen} (it lacks resource_metadata, which a gate always sends)`)];
  }
  const findings: Finding[] = [sound('protection', 'the challenge can be read')];
  if (new URL(place).origin !== new URL(plan.url).origin) findings.push(faulty('challenge-elsewhere', place));
  const document = await readDocument(plan, place);
  if (document === undefined) return [...findings, faulty('document-missing', place)];
  return [...findings, ...(await ofDocument(plan, place, document))];
}

async function ofDocument(
  plan: VisitPlan,
  place: string,
  document: Readonly<Record<string, unknown>>,
): Promise<Finding[]> {
  const { resource } = document;
  const findings: Finding[] = [
    resource === plan.url
      ? sound('protection', `${place} is for this address`)
      : faulty(
          'resource-differs',
          `it is for ${quoted(JSON.stringify(resource) ?? 'nothing')}, asked was "${plan.url}"`,
        ),
  ];
  const servers = document['authorization_servers'];
  const issuers = Array.isArray(servers) ? servers.filter((each): each is string => typeof each === 'string') : [];
  if (issuers.length === 0) {
    const means = 'Nobody can sign in: only tokens of the application itself, or of a verifier of its own, are taken.';
    return [...findings, noted('protection', 'the document names no authorization server', means)];
  }
  for (const issuer of issuers) findings.push(await checkIssuer(plan, issuer));
  return findings;
}
