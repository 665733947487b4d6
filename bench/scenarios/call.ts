/**
 * `tools/call` of a validated tool, in both eras.
 */
import type { Bench, Case } from '../harness/bench.js';
import { expectText } from '../harness/expect.js';
import { figuresOf } from '../harness/figures.js';
import type { Measured } from '../harness/measured.js';
import type { Scenario } from '../harness/scenario.js';
import { faults, loadTable, type Table } from '../harness/tables.js';
import { SUBJECTS, type Subject } from '../subjects.js';
import { callRequest, ERAS, SUM } from '../workload/messages.js';

const TOOLS = 10;

const QUICK: readonly Subject[] = [
  SUBJECTS.floorHttp,
  SUBJECTS.floorNestExpress,
  SUBJECTS.floorNestFastify,
  SUBJECTS.gateHttp,
  SUBJECTS.gateExpress,
  SUBJECTS.gateFastify,
  SUBJECTS.rekogExpress,
  SUBJECTS.rekogFastify,
  SUBJECTS.sdkV2,
];

export const call: Scenario = {
  id: 'call',
  title: '`tools/call`',
  about:
    `\`add({ a, b })\` from a catalogue of ${TOOLS} tools; its arguments are validated against the schema. A floor receives ` +
    'the same bytes, parses them and sends the same answer, fixed. Ratios are to the bare Nest route on Express.',
  async run(bench) {
    const cases = await startAll(bench);
    const tables: Table[] = [];
    const all: Measured[] = [];
    const figures: Record<string, number> = {};
    for (const connections of bench.plan.quick ? [16] : [16, 1, 64]) {
      for (const era of ERAS) {
        bench.say(`  ${era}, ${connections} connections`);
        const ofEra = cases
          .filter(({ variant }) => variant === era)
          .map((one) => ({ ...one, variant: `${era}/${connections}` }));
        const measured = await bench.measure(ofEra, connections);
        const floor = measured.find(({ subject }) => subject === SUBJECTS.floorNestExpress)!;
        tables.push(loadTable(`\`tools/call\`, ${era} era, ${connections} connections`, measured, floor));
        Object.assign(figures, figuresOf(measured, floor));
        all.push(...measured);
      }
    }
    return { tables, figures, notes: faults(all) };
  },
};

async function startAll(bench: Bench): Promise<Case[]> {
  const started = await Promise.all(
    (bench.plan.quick ? QUICK : Object.values(SUBJECTS)).map(async (subject) => ({
      subject,
      server: await bench.start(subject, { tools: TOOLS }),
    })),
  );
  return started.flatMap(({ subject, server }) =>
    subject.eras.map((era) => {
      const request = callRequest(era, 'add');
      const path = subject.kind === 'floor' ? `/call/${era}` : request.path;
      return { subject, server, variant: era, request: { ...request, path }, check: expectText(SUM.text) };
    }),
  );
}
