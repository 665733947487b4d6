/**
 * What the module adds to an application's start: time and memory, with a hundred tools.
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
    `${TOOLS / 2} providers, and the same providers without the module. Launches alternate.`,
  async run(bench) {
    const peers = bench.plan.quick ? [] : [SUBJECTS.rekogExpress];
    const launches = [...WITHOUT, SUBJECTS.gateExpress, SUBJECTS.gateFastify, ...peers].map((subject) => ({
      subject,
      started: [] as number[],
      live: [] as number[],
      rss: [] as number[],
    }));
    for (let round = -1; round < bench.plan.launches; round += 1) {
      for (const launch of launches) {
        const { startedMs, memory } = await launchOnce(bench, launch.subject);
        if (round < 0) continue; // Fills the caches of the file system.
        launch.started.push(startedMs);
        launch.live.push(memory.live);
        launch.rss.push(memory.rss);
      }
    }
    const medians = launches.map(({ subject, started, live, rss }) => {
      return { subject, started: summary(started), live: summary(live).median, rss: summary(rss).median };
    });
    const without = (one: (typeof medians)[number]) =>
      medians.find(({ subject }) => WITHOUT.includes(subject) && subject.platform === one.subject.platform)!;
    const figures = medians.flatMap((one): [string, number][] => [
      [`${one.subject.id}/startedMs`, one.started.median],
      [`${one.subject.id}/addedMs`, one.started.median - without(one).started.median],
      [`${one.subject.id}/addedLive`, one.live - without(one).live],
      [`${one.subject.id}/addedRss`, one.rss - without(one).rss],
    ]);
    return {
      tables: [
        {
          title: `Start of an application with ${TOOLS} tools`,
          columns: ['application', 'ms', 'added', 'live MiB', 'added', 'RSS MiB', 'added'],
          rows: medians.map((one) => {
            const base = without(one);
            const added = (value: string) => (one === base ? '' : value);
            return [
              one.subject.label,
              withSpread(one.started, (value) => value.toFixed(0)),
              added((one.started.median - base.started.median).toFixed(0)),
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
  const server = await bench.start(subject, { tools: TOOLS });
  const memory = await server.memory();
  await bench.stopAll();
  return { startedMs: server.startedMs, memory };
}
