/**
 * What an ordinary route pays for an application that can be asked what was asked of it.
 */
import type { Case } from '../harness/bench.js';
import { expectText } from '../harness/expect.js';
import { figuresOf } from '../harness/figures.js';
import type { Scenario } from '../harness/scenario.js';
import { faults, loadTable, times } from '../harness/tables.js';
import { SUBJECTS, type Subject } from '../subjects.js';
import { callRequest, SUM } from '../workload/messages.js';

const CONNECTIONS = 16;
/** For each round of the plan. */
const ROUNDS = 4;
/** A round: switching makes V8 compile some of Node anew, which a short one would count. */
const SECONDS = 1;

export const observed: Scenario = {
  id: 'observed',
  title: 'The devkit beside a route',
  about:
    'The bare Nest route in an application that has loaded `McpDevkitModule`, while it remembers every request for ' +
    '`nest_observe` and while it does not: switched within one process, because two launches of one server differ by more, and ' +
    'asked for a second each time. By CPU; the goal compares the tenth of the rounds in which each was cheapest, because what ' +
    'else a machine does makes a round dearer and never cheaper. (On Fastify what tells of its routes stays on.)',
  from: 'goals',
  async run(bench) {
    const request = { ...callRequest('modern', 'add'), path: '/call/modern' };
    const shared = { variant: 'route', request, check: expectText(SUM.text) };
    const beside = async (bare: Subject): Promise<Case[]> => {
      const subject = { ...bare, id: `${bare.id}-observed`, label: `${bare.label}, observed` };
      const server = await bench.start(bare, { tools: 10, devkit: true });
      return [
        { ...shared, subject: bare, server, before: () => server.observe(false) },
        { ...shared, subject, server, before: () => server.observe(true) },
      ];
    };
    const full = bench.plan.extent === 'full';
    const bare = full ? [SUBJECTS.floorNestExpress, SUBJECTS.floorNestFastify] : [SUBJECTS.floorNestExpress];
    const pairs = await Promise.all(bare.map(beside));
    const measured = await bench.measure(pairs.flat(), CONNECTIONS, {
      rounds: ROUNDS * bench.plan.rounds,
      seconds: SECONDS,
    });
    const groups = bare.map((_, at) => measured.slice(at * 2, at * 2 + 2));
    return {
      tables: groups.map((group) => {
        const quiet = times(group[1]!.quietCpuRatioTo(group[0]!));
        const title = `A bare route, while the devkit observes it and while it does not (the cheapest rounds: ${quiet})`;
        return loadTable(title, group, group[0]!, 'requests');
      }),
      figures: Object.assign(
        {},
        ...groups.map(([alone, watched]) => ({
          ...figuresOf([alone!, watched!], alone),
          [`${watched!.subject.id}/${watched!.variant}/quietCpuRatio`]: watched!.quietCpuRatioTo(alone!),
        })),
      ) as Record<string, number>,
      notes: faults(measured),
    };
  },
};
