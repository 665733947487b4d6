/**
 * A hundred progress reports a call.
 */
import type { Bench, Case, Extent } from '../harness/bench.js';
import { exchange, type Exchange } from '../harness/exchange.js';
import { expectText, progressIn } from '../harness/expect.js';
import type { Measured } from '../harness/measured.js';
import type { Scenario } from '../harness/scenario.js';
import { faults, rate, type Table, times } from '../harness/tables.js';
import type { ServerOptions } from '../servers/serve.js';
import { SUBJECTS, type Subject } from '../subjects.js';
import { PROGRESS } from '../workload/catalogue.js';
import { callRequest, type Era } from '../workload/messages.js';

const CONNECTIONS = 16;
const OPTIONS: ServerOptions = { tools: 10, others: true };

/** The gate as it is sends one report every 100 ms; with a clock that leaps it sends them all, as the peers do. */
const UNTHINNED: Subject = { ...SUBJECTS.gateHttp, id: 'gate-http-all', label: '**gate**, `node:http`, every report' };
const THINNED: Subject[] = [SUBJECTS.gateExpress, SUBJECTS.gateFastify].map((subject) => ({
  ...subject,
  id: `${subject.id}-thinned`,
  label: `${subject.label}, thinned`,
}));

export const progress: Scenario = {
  id: 'progress',
  title: 'Progress',
  about:
    `A tool reports its progress ${PROGRESS.reports} times in one go, then answers, over SSE. The gate thins such a burst to one ` +
    'notification every 100 ms, and never loses the last: to compare the streams themselves, one row runs it on a clock ' +
    'that leaps, so that every report is sent. The floor writes its events to `node:http` one by one.',
  async run(bench) {
    const eras: Era[] = bench.plan.extent === 'full' ? ['modern', 'legacy'] : ['modern'];
    const cases = await startAll(bench, eras);
    const tables: Table[] = [];
    const figures: Record<string, number> = {};
    const notes: string[] = [];
    for (const era of eras) {
      bench.say(`  ${era}`);
      const ofEra = cases.filter(({ one }) => one.variant === era);
      const measured = await bench.measure(
        ofEra.map(({ one }) => one),
        CONNECTIONS,
      );
      const delivered = new Map(ofEra.map(({ one, delivered }) => [one.subject.id, delivered]));
      const sdk = measured.find(({ subject }) => subject === SUBJECTS.sdkV2)!;
      tables.push(tableOf(era, measured, sdk, delivered));
      for (const one of measured.filter(({ valid }) => valid)) {
        const perCall = delivered.get(one.subject.id) ?? 0;
        figures[`${one.subject.id}/${era}/notifications`] = one.of('perSecond').median * perCall;
        if (sdk.valid && perCall === PROGRESS.reports) {
          figures[`${one.subject.id}/${era}/ratio`] = one.ratioTo(sdk).median;
          figures[`${one.subject.id}/${era}/cpuRatio`] = one.cpuRatioTo(sdk).median;
        }
      }
      notes.push(...faults(measured));
    }
    return { tables, figures, notes };
  },
};

const BESIDE_SDK: readonly Subject[] = [UNTHINNED, SUBJECTS.sdkV2];
const ALL: readonly Subject[] = [SUBJECTS.floorHttp, ...BESIDE_SDK, ...THINNED];
const SUBJECTS_OF: Readonly<Record<Extent, readonly Subject[]>> = {
  quick: BESIDE_SDK,
  goals: ALL,
  full: [...ALL, SUBJECTS.sdkV1, SUBJECTS.fastmcp, SUBJECTS.rekogExpress],
};

/** A case, and how many notifications its answer carries. */
interface ProgressCase {
  readonly one: Case;
  readonly delivered: number;
}

async function startAll(bench: Bench, eras: readonly Era[]): Promise<ProgressCase[]> {
  const subjects = SUBJECTS_OF[bench.plan.extent];
  const started = await Promise.all(
    subjects.map(async (subject: Subject) => {
      const server = await bench.start(subject, { ...OPTIONS, unthinned: subject === UNTHINNED });
      return eras.filter((era) => subject.eras.includes(era)).map((era) => ({ subject, server, era }));
    }),
  );
  return Promise.all(
    started.flat().map(async ({ subject, server, era }) => {
      const request = callRequest(era, 'count', {}, 'p');
      const sent = subject.kind === 'floor' ? { ...request, path: '/progress' } : request;
      const delivered = await exchange(server.port, sent).then(progressIn, () => 0);
      const check = (answer: Exchange) => {
        expectText(PROGRESS.text)(answer);
        if (subject === UNTHINNED) expectAll(answer);
      };
      const checkUnderLoad = (body: string) => body.split('"notifications/progress"').length - 1 === delivered;
      return { one: { subject, server, variant: era, request: sent, check, checkUnderLoad }, delivered };
    }),
  );
}

function expectAll(answer: Exchange): void {
  if (progressIn(answer) !== PROGRESS.reports)
    throw new Error(`sent ${progressIn(answer)} of ${PROGRESS.reports} reports`);
}

function tableOf(
  era: Era,
  measured: readonly Measured[],
  sdk: Measured,
  delivered: ReadonlyMap<string, number>,
): Table {
  return {
    title: `${PROGRESS.reports} reports a call, ${era} era, ${CONNECTIONS} connections`,
    columns: [
      'server',
      'sent a call',
      'notifications/s',
      'calls/s',
      'CPU µs a call',
      'ratio to SDK v2',
      'ratio by CPU',
    ],
    rows: measured.map((one) => {
      const perCall = delivered.get(one.subject.id) ?? 0;
      if (!one.valid) return [one.subject.label, '–', '–', '–', '–', '–', '–'];
      const comparable = sdk.valid && perCall === PROGRESS.reports;
      return [
        one.subject.label,
        String(perCall),
        (one.of('perSecond').median * perCall).toFixed(0),
        rate(one),
        one.of('cpu').median.toFixed(0),
        comparable ? times(one.ratioTo(sdk).median) : '–',
        comparable ? times(one.cpuRatioTo(sdk).median) : '–',
      ];
    }),
  };
}
