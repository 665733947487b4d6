/**
 * The documents by which a client finds out where to sign in, read as it would read them.
 */
import { issuerMetadataUrls } from '../../oauth/discovery.js';
import { HttpFailure } from '../http/exchange.js';
import { quoted } from '../paint.js';
import { faulty, sound, type Finding } from './finding.js';
import { ask, type VisitPlan } from './visit.js';

type Document = Readonly<Record<string, unknown>>;

/** A JSON object at a URL; `undefined` when there is none. Does not follow redirections, as clients need not. */
export async function readDocument(plan: VisitPlan, url: string): Promise<Document | undefined> {
  try {
    const { status, text } = await ask(plan, { url, method: 'GET', headers: { accept: 'application/json' } });
    const value: unknown = status === 200 ? JSON.parse(text) : undefined;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Document) : undefined;
  } catch (error) {
    if (error instanceof HttpFailure || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whether an authorization server says of itself what a client must read there. */
export async function checkIssuer(plan: VisitPlan, issuer: string): Promise<Finding> {
  if (!/^https?:\/\//.test(issuer) || !URL.canParse(issuer)) return faulty('issuer-away', quoted(issuer));
  for (const url of issuerMetadataUrls(issuer)) {
    const metadata = await readDocument(plan, url);
    if (metadata === undefined) continue;
    if (metadata['issuer'] !== issuer) {
      return faulty(
        'issuer-differs',
        `"${issuer}" calls itself ${quoted(JSON.stringify(metadata['issuer']) ?? 'nothing')}`,
      );
    }
    const methods = metadata['code_challenge_methods_supported'];
    if (!Array.isArray(methods) || !methods.includes('S256')) {
      return faulty('issuer-without-pkce', `${url}: ${quoted(JSON.stringify(methods) ?? 'it says nothing of it')}`);
    }
    return sound('protection', `${issuer} says how to sign in`);
  }
  return faulty('issuer-away', `${issuer} has no metadata at ${issuerMetadataUrls(issuer).join(', ')}`);
}
