/**
 * What the module adds to an application's start: time and memory, with a hundred tools. Whatever else a machine does makes
 * a start longer and never shorter, so the shortest of several is the one that is compared; and because hardly a whole start is
 * left alone, the shortest of each step.
 */
import type { Bench } from '../harness/bench.js';
import type { Scenario } from '../harness/scenario.js';
import { summary } from '../harness/statistics.js';
import { mebibytes, withSpread } from '../harness/tables.js';
import { SUBJECTS, type Subject } from '../subjects.js';

const TOOLS = 100;

const WITHOUT: readonly Subject[] = (['express', 'fastify'] as const).map((platform) => ({
  id: `without-${platform}`,
  label: `the same application without the module, ${platform === 'express' ? 'Express' : 'Fastify'}`,
  kind: 'floor',
  file: 'floor.nest-providers',
  platform,
  eras: [],
}));

/** The first step loads Node and Nest, in both applications from the same files: what it takes is not the module's. */
const SHARED = 1;

interface Launch {
  readonly startedMs: number;
  readonly cpuMs: number;
  readonly steps: Readonly<Record<string, number>>;
  readonly live: number;
  readonly rss: number;
}

export const startUp: Scenario = {
  id: 'start-up',
  title: 'Start-up',
  about:
    `From the start of the process until it listens, and its memory then: a Nest application with ${TOOLS} tools in ` +
    `${TOOLS / 2} providers, and the same providers without the module. Both have a route of their own, whose parts of Nest an ` +
    'application over HTTP loads anyway. Launches alternate. Everything else that a machine does makes a step of a launch ' +
    'longer, so the shortest of each step is taken: what is added is the sum of what they differ by, once Node and Nest are ' +
    'loaded, which both do from the same files (also what Nest looks for when it creates an application). It is the least: what ' +
    'now one step takes and then another, as collecting garbage, is not in it. Whole launches and CPU, which is all of a process ' +
    'and its threads, stand beside, and differ by chance by more than the module adds.',
  from: 'goals',
  async run(bench) {
    const peers = bench.plan.extent === 'full' ? [SUBJECTS.rekogExpress] : [];
    const subjects = [...WITHOUT, SUBJECTS.gateExpress, SUBJECTS.gateFastify, ...peers];
    const launches = subjects.map((): Launch[] => []);
    for (let round = 0; round < bench.plan.launches; round += 1) {
      for (const [at, subject] of subjects.entries()) launches[at]!.push(await launchOnce(bench, subject));
    }
    const measured = subjects.map((subject, at) => ({ subject, ...leastOf(launches[at]!) }));
    const without = ({ subject }: (typeof measured)[number]) =>
      measured.find((one) => WITHOUT.includes(one.subject) && one.subject.platform === subject.platform)!;
    const added = measured.map((one) => {
      const base = without(one);
      const steps = Object.keys(base.steps).slice(SHARED);
      if (one.subject.kind !== 'peer' && Object.keys(one.steps).join() !== Object.keys(base.steps).join()) {
        throw new Error(`${one.subject.id} tells of other steps than the application without the module.`);
      }
      return {
        addedMs: steps.reduce((sum, step) => sum + (one.steps[step] ?? Number.NaN) - base.steps[step]!, 0),
        addedWholeMs: one.whole - base.whole,
        addedCpuMs: one.cpu - base.cpu,
        addedLive: one.live - base.live,
        addedRss: one.rss - base.rss,
      };
    });
    const steps = Object.keys(measured[0]!.steps);
    return {
      tables: [
        {
          title: `Start of an application with ${TOOLS} tools, ms of each step`,
          columns: ['application', ...steps, 'added', 'whole', 'added', 'median', 'CPU ms', 'added'],
          rows: measured.map((one, at) => [
            one.subject.label,
            ...steps.map((step) => one.steps[step]?.toFixed(1) ?? ''),
            one === without(one) || Number.isNaN(added[at]!.addedMs) ? '' : added[at]!.addedMs.toFixed(1),
            one.whole.toFixed(0),
            one === without(one) ? '' : added[at]!.addedWholeMs.toFixed(0),
            withSpread(one.median, (value) => value.toFixed(0)),
            one.cpu.toFixed(0),
            one === without(one) ? '' : added[at]!.addedCpuMs.toFixed(0),
          ]),
        },
        {
          title: 'Memory of it once it listens, MiB',
          columns: ['application', 'live', 'added', 'RSS', 'added'],
          rows: measured.map((one, at) => {
            const more = (bytes: number) => (one === without(one) ? '' : mebibytes(bytes));
            return [
              one.subject.label,
              mebibytes(one.live),
              more(added[at]!.addedLive),
              mebibytes(one.rss),
              more(added[at]!.addedRss),
            ];
          }),
        },
      ],
      figures: Object.fromEntries(
        measured.flatMap(({ subject: { id }, whole }, at) =>
          Object.entries({ startedMs: whole, ...added[at]! })
            .filter(([, value]) => !Number.isNaN(value))
            .map(([name, value]) => [`${id}/${name}`, value]),
        ),
      ),
    };
  },
};

/** The shortest of what varies with the machine, the middle of what does not. */
function leastOf(launches: readonly Launch[]) {
  const least = (of: (launch: Launch) => number) => Math.min(...launches.map(of));
  return {
    steps: Object.fromEntries(
      Object.keys(launches[0]!.steps).map((step) => [step, least(({ steps }) => steps[step]!)]),
    ) as Readonly<Record<string, number>>,
    whole: least(({ startedMs }) => startedMs),
    median: summary(launches.map(({ startedMs }) => startedMs)),
    cpu: least(({ cpuMs }) => cpuMs),
    live: summary(launches.map(({ live }) => live)).median,
    rss: summary(launches.map(({ rss }) => rss)).median,
  };
}

async function launchOnce(bench: Bench, subject: Subject): Promise<Launch> {
  const server = await bench.start(subject, { tools: TOOLS, health: true });
  const { cpu } = await server.usage();
  const { live, rss } = await server.memory();
  await bench.stopOwn();
  const { startedMs, steps } = server;
  return { startedMs, cpuMs: cpu / 1_000, steps, live, rss };
}
