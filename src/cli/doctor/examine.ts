/**
 * The whole examination: first who answers and in which words, then everything that needs to know that.
 */
import { MCP_PROTOCOL_VERSION } from '../../protocol/revisions.js';
import { checkBody } from './body.check.js';
import { checkCors } from './cors.check.js';
import type { Finding } from './finding.js';
import { checkGuards } from './guards.check.js';
import { checkHeaders } from './headers.check.js';
import { checkProtection } from './protection.check.js';
import { checkReach, failed } from './reach.check.js';
import { checkStream } from './stream.check.js';
import { checkToken } from './token.check.js';
import { checkVersions } from './versions.check.js';
import type { Standing, VisitPlan } from './visit.js';

const CHECKS: readonly ((plan: VisitPlan, standing: Standing) => Promise<Finding[]>)[] = [
  checkHeaders,
  checkGuards,
  checkProtection,
  checkCors,
  checkBody,
  checkStream,
];

/** Gives each finding when it is made. Throws the reason of the plan's signal when that aborts. */
export async function* examine(plan: VisitPlan): AsyncGenerator<Finding> {
  const { finding, reached, isProtected } = await checkReach(plan);
  yield finding;
  if (!reached) return;
  try {
    const { findings, isAdmitted } = await checkToken(plan, { isProtected });
    yield* findings;
    const versions = await checkVersions(plan, isAdmitted);
    yield* versions.findings;
    if (isAdmitted && versions.version === undefined) return;
    const standing = { ...versions, isProtected, isAdmitted, version: versions.version ?? MCP_PROTOCOL_VERSION };
    for (const check of CHECKS) yield* await check(plan, standing);
  } catch (error) {
    yield failed(error, plan); // it had answered before
  }
}

/**
 * What is to be changed, with who does it: a gate that is asked directly, too, and has not the same fault, has it from
 * what stands before it.
 */
export function blamed(finding: Finding, direct: ReadonlySet<Finding['fault']>): Finding {
  if (finding.verdict !== 'change') return finding;
  const who = direct.has(finding.fault)
    ? 'The gate has it too when it is asked directly.'
    : 'Asked directly the gate does not have it: it comes from what stands before it.';
  return { ...finding, means: `${finding.means} ${who}` };
}
