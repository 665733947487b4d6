/**
 * Runs the bench and writes its report. `node bench/run.mjs` builds first and then calls this.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Bench, type Plan } from './harness/bench.js';
import { chart } from './harness/chart.js';
import { moveToLoadCore } from './harness/pin.js';
import { makeReport, markdown } from './harness/report.js';
import { profile } from './profile.js';
import type { Scenario, ScenarioOutcome } from './harness/scenario.js';
import { SCENARIOS } from './scenarios/index.js';
import { SUBJECTS } from './subjects.js';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    streams: { type: 'string' },
    launches: { type: 'string' },
    'many-calls': { type: 'string' },
    profile: { type: 'string' },
    era: { type: 'string', default: 'modern' },
    out: { type: 'string', default: 'results' },
  },
});

const number = (given: string | undefined, otherwise: number) => (given === undefined ? otherwise : Number(given));
const { quick } = values;
const plan: Plan = {
  quick,
  rounds: number(values.rounds, quick ? 2 : 5),
  seconds: number(values.seconds, quick ? 0.25 : 0.8),
  warmUpRequests: quick ? 5_000 : 15_000,
  warmUpSeconds: quick ? 3 : 10,
  streams: number(values.streams, quick ? 500 : 10_000),
  launches: number(values.launches, quick ? 2 : 11),
  manyCalls: number(values['many-calls'], 200_000),
};

const wanted = values.only?.split(',');
const unknown = wanted?.filter((id) => !SCENARIOS.some((scenario) => scenario.id === id)) ?? [];
if (unknown.length > 0) {
  throw new Error(
    `There is no scenario ${unknown.join(', ')}. Choose from ${SCENARIOS.map(({ id }) => id).join(', ')}.`,
  );
}
const scenarios = SCENARIOS.filter(({ id, long }) => (wanted === undefined ? !(quick && long) : wanted.includes(id)));

moveToLoadCore();
if (values.profile !== undefined) {
  await profile(values.profile.split(','), values.era === 'legacy' ? 'legacy' : 'modern');
  process.exit();
}
const began = performance.now();
const say = (line: string) =>
  console.error(`${((performance.now() - began) / 1_000).toFixed(0).padStart(4)} s  ${line}`);
const answered: [Scenario, ScenarioOutcome][] = [];
for (const scenario of scenarios) {
  say(scenario.title);
  const bench = new Bench(plan, say);
  try {
    answered.push([scenario, await scenario.run(bench)]);
  } finally {
    await bench.stopAll();
  }
}

const name = quick ? 'quick' : 'full';
const report = makeReport(plan, answered);
const picture = chart(report, Object.values(SUBJECTS));
const text = markdown(report, `${name}.svg`);
mkdirSync(values.out, { recursive: true });
writeFileSync(`${values.out}/${name}.json`, `${JSON.stringify(report, undefined, 2)}\n`);
writeFileSync(`${values.out}/${name}.md`, text);
if (picture !== undefined) writeFileSync(`${values.out}/${name}.svg`, picture);
console.log(text);
