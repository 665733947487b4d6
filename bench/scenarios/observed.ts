/**
 * What an ordinary route pays for an application that can be asked what was asked of it.
 */
import type { Case } from '../harness/bench.js';
import { expectText } from '../harness/expect.js';
import { figuresOf } from '../harness/figures.js';
import type { Scenario } from '../harness/scenario.js';
import { faults, loadTable } from '../harness/tables.js';
import { SUBJECTS, type Subject } from '../subjects.js';
import { callRequest, SUM } from '../workload/messages.js';

const CONNECTIONS = 16;
/** For each round of the plan. */
const ROUNDS = 4;

export const observed: Scenario = {
  id: 'observed',
  title: 'The devkit beside a route',
  about:
    'The bare Nest route in an application that has loaded `McpDevkitModule`, which remembers every request for ' +
    '`nest_observe`, beside the same without it. The difference is small: by CPU, over four times as many rounds (more with `--rounds`).',
  from: 'goals',
  async run(bench) {
    const request = { ...callRequest('modern', 'add'), path: '/call/modern' };
    const shared = { variant: 'route', request, check: expectText(SUM.text) };
    const beside = async (bare: Subject): Promise<Case[]> => {
      const subject = { ...bare, id: `${bare.id}-observed`, label: `${bare.label}, with the devkit` };
      return [
        { ...shared, subject: bare, server: await bench.share(bare, { tools: 10 }) },
        { ...shared, subject, server: await bench.start(subject, { tools: 10, devkit: true }) },
      ];
    };
    const full = bench.plan.extent === 'full';
    const bare = full ? [SUBJECTS.floorNestExpress, SUBJECTS.floorNestFastify] : [SUBJECTS.floorNestExpress];
    const pairs = await Promise.all(bare.map(beside));
    const measured = await bench.measure(pairs.flat(), CONNECTIONS, ROUNDS * bench.plan.rounds);
    const groups = bare.map((_, at) => measured.slice(at * 2, at * 2 + 2));
    return {
      tables: groups.map((group) =>
        loadTable('A bare route with and without the devkit', group, group[0]!, 'requests'),
      ),
      figures: Object.assign({}, ...groups.map((group) => figuresOf(group, group[0]))) as Record<string, number>,
      notes: faults(measured),
    };
  },
};
