/**
 * What the module adds to an application's start: time and memory, with a hundred tools. Whatever else a machine does makes
 * a start longer and never shorter, so the shortest of several is the one that is compared.
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

export const startUp: Scenario = {
  id: 'start-up',
  title: 'Start-up',
  about:
    `From the start of the process until it listens, and its memory then: a Nest application with ${TOOLS} tools in ` +
    `${TOOLS / 2} providers, and the same providers without the module. Both have a route of their own, whose parts of Nest an ` +
    'application over HTTP loads anyway. Launches alternate. What is added is the difference between the shortest launches: ' +
    'everything else that a machine does makes one longer. CPU is all of the process, its threads too.',
  from: 'goals',
  async run(bench) {
    const peers = bench.plan.extent === 'full' ? [SUBJECTS.rekogExpress] : [];
    const launches = [...WITHOUT, SUBJECTS.gateExpress, SUBJECTS.gateFastify, ...peers].map((subject) => ({
      subject,
      started: [] as number[],
      cpu: [] as number[],
      live: [] as number[],
      rss: [] as number[],
    }));
    for (let round = 0; round < bench.plan.launches; round += 1) {
      for (const launch of launches) {
        const { startedMs, cpuMs, memory } = await launchOnce(bench, launch.subject);
        launch.started.push(startedMs);
        launch.cpu.push(cpuMs);
        launch.live.push(memory.live);
        launch.rss.push(memory.rss);
      }
    }
    const medians = launches.map(({ subject, started, cpu, live, rss }) => {
      const [least, leastCpu] = [Math.min(...started), Math.min(...cpu)];
      return {
        subject,
        least,
        leastCpu,
        started: summary(started),
        live: summary(live).median,
        rss: summary(rss).median,
      };
    });
    const without = (one: (typeof medians)[number]) =>
      medians.find(({ subject }) => WITHOUT.includes(subject) && subject.platform === one.subject.platform)!;
    const figures = medians.flatMap((one): [string, number][] => [
      [`${one.subject.id}/startedMs`, one.least],
      [`${one.subject.id}/addedMs`, one.least - without(one).least],
      [`${one.subject.id}/addedCpuMs`, one.leastCpu - without(one).leastCpu],
      [`${one.subject.id}/addedLive`, one.live - without(one).live],
      [`${one.subject.id}/addedRss`, one.rss - without(one).rss],
    ]);
    return {
      tables: [
        {
          title: `Start of an application with ${TOOLS} tools`,
          columns: [
            'application',
            'shortest ms',
            'added',
            'median ms',
            'least CPU ms',
            'added',
            'live MiB',
            'added',
            'RSS MiB',
            'added',
          ],
          rows: medians.map((one) => {
            const base = without(one);
            const added = (value: string) => (one === base ? '' : value);
            return [
              one.subject.label,
              one.least.toFixed(0),
              added((one.least - base.least).toFixed(0)),
              withSpread(one.started, (value) => value.toFixed(0)),
              one.leastCpu.toFixed(0),
              added((one.leastCpu - base.leastCpu).toFixed(0)),
              mebibytes(one.live),
              added(mebibytes(one.live - base.live)),
              mebibytes(one.rss),
              added(mebibytes(one.rss - base.rss)),
            ];
          }),
        },
      ],
      figures: Object.fromEntries(figures),
    };
  },
};

async function launchOnce(bench: Bench, subject: Subject) {
  const server = await bench.start(subject, { tools: TOOLS, health: true });
  const { cpu } = await server.usage();
  const memory = await server.memory();
  await bench.stopOwn();
  return { startedMs: server.startedMs, cpuMs: cpu / 1_000, memory };
}
