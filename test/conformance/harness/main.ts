/**
 * Serves everything on each platform, runs the official suite in each revision, and prints what held. Ends with
 * "conformance: N passed, M failed", which `.ci/count.mjs` reads, and with exit code 1 if a check was lost.
 *
 * `npm run conformance -- SCENARIO` runs one scenario.
 */
import { parseArgs } from 'node:util';
import { type Platform, PLATFORMS, serveEverything } from '../app/serve.js';
import { NOT_MEANT } from './not-meant.js';
import { type Revision, REVISIONS, runSuite, scenariosOf } from './suite.js';
import { type Column, table } from './table.js';
import { judge, type Verdict } from './verdict.js';

const { positionals } = parseArgs({ allowPositionals: true });
const [only] = positionals;
const wanted = REVISIONS.flatMap(scenariosOf).filter(({ name }) => only === undefined || name === only);
if (wanted.length === 0) throw new Error(`The suite has no scenario "${only}" for servers.`);
const revisions = REVISIONS.filter((revision) => wanted.some((scenario) => scenario.revision === revision));

async function verdictsOn(url: string, revision: Revision): Promise<Verdict[]> {
  const results = await runSuite(url, revision, only);
  return wanted
    .filter((scenario) => scenario.revision === revision)
    .map((scenario) => judge(scenario, results.get(scenario.name), NOT_MEANT));
}

const columns = new Map<Revision, Column[]>(revisions.map((revision) => [revision, []]));
for (const platform of PLATFORMS) {
  const gate = await serveEverything(platform);
  try {
    for (const revision of revisions) {
      columns.get(revision)!.push({ platform, verdicts: await verdictsOn(gate.url, revision) });
    }
  } finally {
    await gate.close();
  }
}

for (const [revision, each] of columns) console.log(`${table(revision, each)}\n`);

let passed = 0;
const faults: string[] = [];
for (const { platform, verdicts } of [...columns.values()].flat()) {
  for (const verdict of verdicts) {
    if (!verdict.notMeant) passed += verdict.passed;
    faults.push(...faultsOf(platform as Platform, verdict));
  }
}
for (const fault of faults) console.log(`${fault}\n`);
console.log(`conformance: ${passed} passed, ${faults.length} failed`);
process.exitCode = faults.length === 0 && passed > 0 ? 0 : 1;

function faultsOf(platform: Platform, { scenario, lost, passesAfterAll }: Verdict): string[] {
  const where = `${scenario.name} of ${scenario.revision} on ${platform}`;
  return [
    ...lost.map((sentence) => `${where}: ${sentence}`),
    ...(passesAfterAll ? [`${where} passes: take it off the list in test/conformance/harness/not-meant.ts.`] : []),
  ];
}
