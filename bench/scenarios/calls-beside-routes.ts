/**
 * Calls that do more than add at once, each beside the Nest route that does the same: a tool that waits, a class checked
 * by class-validator, a guard.
 */
import type { Bench, Case } from '../harness/bench.js';
import { expectText } from '../harness/expect.js';
import { figuresOf } from '../harness/figures.js';
import type { Scenario } from '../harness/scenario.js';
import { faults, loadTable } from '../harness/tables.js';
import { SUBJECTS, type Subject } from '../subjects.js';
import { type BenchRequest, callRequest, plainRequest, SUM } from '../workload/messages.js';

const CONNECTIONS = 16;
const TOOLS = 10;

export const awaited: Scenario = {
  id: 'awaited',
  title: 'A tool that waits',
  about:
    'The same call of a tool that waits for one turn of the event loop, as most tools wait for something: the call is ' +
    'under way for a while, and can be cancelled. Beside a Nest route that waits as long.',
  from: 'full',
  run: (bench) =>
    besideRoutes(bench, {
      title: '`tools/call` of a tool that waits, modern era, 16 connections',
      route: { ...callRequest('modern', 'add_later'), path: '/later' },
      tool: 'add_later',
      peers: [SUBJECTS.rekogExpress, SUBJECTS.rekogFastify],
    }),
};

export const dto: Scenario = {
  id: 'dto',
  title: 'Arguments as a class',
  about:
    'A call whose arguments become an instance of a class that class-validator has checked, beside a Nest route on the ' +
    'same platform with a `ValidationPipe` (which receives the arguments alone, not the message around them).',
  from: 'full',
  run: (bench) =>
    besideRoutes(bench, {
      title: '`tools/call` through a DTO, modern era, 16 connections',
      route: plainRequest('/dto'),
      tool: 'add_dto',
      peers: [],
    }),
};

export const guarded: Scenario = {
  id: 'guarded',
  title: 'A guard on the tool',
  about: 'A call of a tool with `@UseGuards()`, beside a Nest route with the same guard.',
  from: 'full',
  run: (bench) =>
    besideRoutes(bench, {
      title: '`tools/call` behind a guard, modern era, 16 connections',
      route: { ...callRequest('modern', 'add_guarded'), path: '/guarded' },
      tool: 'add_guarded',
      peers: [SUBJECTS.rekogExpress, SUBJECTS.rekogFastify],
    }),
};

interface Beside {
  readonly title: string;
  readonly route: BenchRequest;
  readonly tool: string;
  readonly peers: readonly Subject[];
}

async function besideRoutes(bench: Bench, { title, route, tool, peers }: Beside) {
  const floors = [SUBJECTS.floorNestExpress, SUBJECTS.floorNestFastify];
  const subjects: Subject[] = [...floors, SUBJECTS.gateExpress, SUBJECTS.gateFastify, ...peers];
  const cases: Case[] = await Promise.all(
    subjects.map(async (subject) => ({
      subject,
      server: await bench.start(subject, { tools: TOOLS, others: true }),
      variant: tool,
      request: subject.kind === 'floor' ? route : callRequest('modern', tool),
      check: expectText(SUM.text),
    })),
  );
  const measured = await bench.measure(cases, CONNECTIONS);
  const floor = measured[0]!;
  return { tables: [loadTable(title, measured, floor)], figures: figuresOf(measured, floor), notes: faults(measured) };
}
