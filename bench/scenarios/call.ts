/**
 * `tools/call` of a validated tool and `tools/list`, in both eras, at different numbers of connections.
 */
import type { Bench, Case } from '../harness/bench.js';
import type { Exchange } from '../harness/exchange.js';
import { expectText, expectTools } from '../harness/expect.js';
import { figuresOf } from '../harness/figures.js';
import type { Measured } from '../harness/measured.js';
import type { Scenario } from '../harness/scenario.js';
import { faults, loadTable, type Table } from '../harness/tables.js';
import { SUBJECTS, type Subject } from '../subjects.js';
import { toolNames } from '../workload/catalogue.js';
import { type BenchRequest, callRequest, type Era, ERAS, listRequest, SUM } from '../workload/messages.js';

const TOOLS = 10;

const QUICK: readonly Subject[] = [
  SUBJECTS.floorNestExpress,
  SUBJECTS.floorNestFastify,
  SUBJECTS.gateHttp,
  SUBJECTS.gateExpress,
  SUBJECTS.gateFastify,
  SUBJECTS.rekogExpress,
  SUBJECTS.sdkV2,
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
    'the same bytes, parses them and sends the same answer, fixed. Ratios are to the bare Nest route on Express.',
  run: (bench) => inEras(bench, CALL),
};

export const list: Scenario = {
  id: 'list',
  title: '`tools/list`',
  about: `All ${TOOLS} tools. A floor receives the same bytes, parses them and sends the same list, fixed.`,
  from: 'full',
  run: (bench) => inEras(bench, LIST),
};

async function inEras(bench: Bench, method: Method) {
  const cases = await startAll(bench, method);
  const tables: Table[] = [];
  const all: Measured[] = [];
  const figures: Record<string, number> = {};
  for (const connections of bench.plan.extent === 'full' ? [16, 1, 64] : [16]) {
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
