/**
 * Runs the bench and writes its report. `node bench/run.mjs` builds first and then calls this.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Bench, type Extent, type Plan } from './harness/bench.js';
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
    full: { type: 'boolean', default: false },
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

const extent: Extent = values.quick ? 'quick' : values.full ? 'full' : 'goals';
const EXTENTS: readonly Extent[] = ['quick', 'goals', 'full'];
const PLANS: Readonly<Record<Extent, Omit<Plan, 'extent'>>> = {
  quick: {
    rounds: 3,
    seconds: 0.15,
    warmUpRequests: 10_000,
    warmUpSeconds: 2,
    streams: 500,
    launches: 2,
    manyCalls: 30_000,
  },
  goals: {
    rounds: 10,
    seconds: 0.2,
    warmUpRequests: 10_000,
    warmUpSeconds: 2,
    streams: 2_000,
    launches: 20,
    manyCalls: 100_000,
  },
  full: {
    rounds: 10,
    seconds: 0.4,
    warmUpRequests: 15_000,
    warmUpSeconds: 10,
    streams: 10_000,
    launches: 20,
    manyCalls: 1_000_000,
  },
};

const number = (given: string | undefined, otherwise: number) => (given === undefined ? otherwise : Number(given));
const usual = PLANS[extent];
const plan: Plan = {
  ...usual,
  extent,
  rounds: number(values.rounds, usual.rounds),
  seconds: number(values.seconds, usual.seconds),
  streams: number(values.streams, usual.streams),
  launches: number(values.launches, usual.launches),
  manyCalls: number(values['many-calls'], usual.manyCalls),
};

const wanted = values.only?.split(',');
const unknown = wanted?.filter((id) => !SCENARIOS.some((scenario) => scenario.id === id)) ?? [];
if (unknown.length > 0) {
  throw new Error(
    `There is no scenario ${unknown.join(', ')}. Choose from ${SCENARIOS.map(({ id }) => id).join(', ')}.`,
  );
}
const isAsked = ({ id, from = 'quick' }: Scenario) =>
  wanted === undefined ? EXTENTS.indexOf(from) <= EXTENTS.indexOf(extent) : wanted.includes(id);
const scenarios = SCENARIOS.filter(isAsked);

moveToLoadCore();
if (values.profile !== undefined) {
  await profile(values.profile.split(','), values.era === 'legacy' ? 'legacy' : 'modern');
  process.exit();
}
const began = performance.now();
const say = (line: string) =>
  console.error(`${((performance.now() - began) / 1_000).toFixed(0).padStart(4)} s  ${line}`);
const answered: [Scenario, ScenarioOutcome][] = [];
const bench = new Bench(plan, say);
try {
  for (const scenario of scenarios) {
    say(scenario.title);
    answered.push([scenario, await scenario.run(bench)]);
    await bench.stopOwn();
  }
} finally {
  await bench.stopAll();
}
say('done');

const name = extent;
const report = makeReport(plan, answered);
const picture = chart(report, Object.values(SUBJECTS));
const text = markdown(report, `${name}.svg`);
mkdirSync(values.out, { recursive: true });
writeFileSync(`${values.out}/${name}.json`, `${JSON.stringify(report, undefined, 2)}\n`);
writeFileSync(`${values.out}/${name}.md`, text);
if (picture !== undefined) writeFileSync(`${values.out}/${name}.svg`, picture);
console.log(text);
