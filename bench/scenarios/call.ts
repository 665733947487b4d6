/**
 * `tools/call` of a validated tool and `tools/list`, in both eras, at different numbers of connections.
 */
import type { Bench, Case } from '../harness/bench.js';
import type { Exchange } from '../harness/exchange.js';
import { expectText, expectTools } from '../harness/expect.js';
import { figuresOf } from '../harness/figures.js';
import type { Measured } from '../harness/measured.js';
import type { Scenario, ScenarioOutcome } from '../harness/scenario.js';
import { faults, loadTable, type Table } from '../harness/tables.js';
import { SUBJECTS, type Subject } from '../subjects.js';
import { toolNames } from '../workload/catalogue.js';
import { type BenchRequest, callRequest, type Era, ERAS, listRequest, SUM } from '../workload/messages.js';

const TOOLS = 10;
const CONNECTIONS = 16;

const QUICK: readonly Subject[] = [
  SUBJECTS.floorNestExpress,
  SUBJECTS.floorNestFastify,
  SUBJECTS.gateHttp,
  SUBJECTS.gateExpress,
  SUBJECTS.gateFastify,
  SUBJECTS.rekogExpress,
  SUBJECTS.sdkV2,
];

/** A difference of a tenth is looked for: a gate and the bare route of its platform are asked alone, so often as this for each round. */
const BESIDE_ROUNDS = 3;

const BESIDE: readonly (readonly [Subject, Subject])[] = [
  [SUBJECTS.floorNestExpress, SUBJECTS.gateExpress],
  [SUBJECTS.floorNestFastify, SUBJECTS.gateFastify],
];

const QUICK_ERAS: readonly Era[] = ['modern'];

/** A method, and what must come of it. */
interface Method {
  readonly path: 'call' | 'list';
  readonly request: (era: Era) => BenchRequest;
  readonly check: (subject: Subject) => (answer: Exchange) => void;
}

const CALL: Method = {
  path: 'call',
  request: (era) => callRequest(era, 'add'),
  check: () => expectText(SUM.text),
};

const LIST: Method = {
  path: 'list',
  request: listRequest,
  // Without Nest the gate serves the tools of the streams besides.
  check: (subject) => expectTools([...toolNames(TOOLS), ...(subject === SUBJECTS.gateHttp ? ['count', 'wait'] : [])]),
};

export const call: Scenario = {
  id: 'call',
  title: '`tools/call`',
  about:
    `\`add({ a, b })\` from a catalogue of ${TOOLS} tools; its arguments are validated against the schema. A floor receives ` +
    'the same bytes, parses them and sends the same answer, fixed. Ratios are to the bare Nest route on Express, and where a ' +
    'gate is asked alone to that of its platform.',
  async run(bench) {
    const cases = await startAll(bench, CALL);
    const all = await inEras(bench, CALL, cases);
    return bench.plan.extent === 'quick' ? all : joined(all, await besideFloors(bench, cases));
  },
};

export const list: Scenario = {
  id: 'list',
  title: '`tools/list`',
  about: `All ${TOOLS} tools. A floor receives the same bytes, parses them and sends the same list, fixed.`,
  from: 'full',
  run: async (bench) => inEras(bench, LIST, await startAll(bench, LIST)),
};

async function inEras(bench: Bench, method: Method, cases: readonly Case[]): Promise<ScenarioOutcome> {
  const tables: Table[] = [];
  const all: Measured[] = [];
  const figures: Record<string, number> = {};
  for (const connections of bench.plan.extent === 'full' ? [CONNECTIONS, 1, 64] : [CONNECTIONS]) {
    for (const era of bench.plan.extent === 'quick' ? QUICK_ERAS : ERAS) {
      bench.say(`  ${era}, ${connections} connections`);
      const ofEra = cases
        .filter(({ variant }) => variant === era)
        .map((one) => ({ ...one, variant: `${era}/${connections}` }));
      const measured = inOrderOf(ofEra, await bench.measure(ofEra.toSorted(byPlatform), connections));
      const floor = measured.find(({ subject }) => subject === SUBJECTS.floorNestExpress)!;
      tables.push(loadTable(`\`tools/${method.path}\`, ${era} era, ${connections} connections`, measured, floor));
      Object.assign(figures, figuresOf(measured, floor));
      all.push(...measured);
    }
  }
  return { tables, figures, notes: faults(all) };
}

/** Gates and the bare routes of their platforms alone. */
async function besideFloors(bench: Bench, cases: readonly Case[]): Promise<ScenarioOutcome> {
  const outcomes: ScenarioOutcome[] = [];
  for (const era of ERAS) {
    for (const pair of BESIDE) {
      const [, gate] = pair;
      bench.say(`  ${era}, ${gate.id} beside its floor`);
      const asked = pair
        .map((one) => cases.find(({ subject, variant }) => subject === one && variant === era)!)
        .map((one) => ({ ...one, variant: `beside/${era}` }));
      const measured = await bench.measure(asked, CONNECTIONS, { rounds: BESIDE_ROUNDS * bench.plan.rounds });
      const title = `\`tools/call\` beside the bare Nest route alone, ${era} era, ${gate.platform}`;
      outcomes.push({
        tables: [loadTable(title, measured, measured[0]!)],
        figures: figuresOf(measured, measured[0]),
        notes: faults(measured),
      });
    }
  }
  return joined(...outcomes);
}

function joined(...outcomes: readonly ScenarioOutcome[]): ScenarioOutcome {
  return {
    tables: outcomes.flatMap(({ tables }) => tables),
    figures: Object.assign({}, ...outcomes.map(({ figures }) => figures)) as Record<string, number>,
    notes: outcomes.flatMap(({ notes = [] }) => notes),
  };
}

/** What is compared is asked one after the other: a machine is not the same all the time. */
function byPlatform(one: Case, other: Case): number {
  return (one.subject.platform ?? '').localeCompare(other.subject.platform ?? '');
}

function inOrderOf(cases: readonly Case[], measured: readonly Measured[]): Measured[] {
  return cases.map(({ subject }) => measured.find((one) => one.subject === subject)!);
}

async function startAll(bench: Bench, method: Method): Promise<Case[]> {
  const started = await Promise.all(
    (bench.plan.extent === 'quick' ? QUICK : Object.values(SUBJECTS)).map(async (subject) => ({
      subject,
      server: await bench.share(subject, { tools: TOOLS }),
    })),
  );
  return started.flatMap(({ subject, server }) =>
    subject.eras.map((era) => {
      const request = method.request(era);
      const path = subject.kind === 'floor' ? `/${method.path}/${era}` : request.path;
      return { subject, server, variant: era, request: { ...request, path }, check: method.check(subject) };
    }),
  );
}
