/**
 * Catalogues of ten to ten thousand tools: what a call costs, and what a list costs.
 */
import type { Bench, Case, Extent } from '../harness/bench.js';
import type { Exchange } from '../harness/exchange.js';
import { expectText, expectTools } from '../harness/expect.js';
import { figuresOf } from '../harness/figures.js';
import type { Measured } from '../harness/measured.js';
import type { Scenario } from '../harness/scenario.js';
import { faults, rate, type Table, times } from '../harness/tables.js';
import { SUBJECTS, type Subject } from '../subjects.js';
import { toolNames } from '../workload/catalogue.js';
import { type BenchRequest, callRequest, listRequest, SUM } from '../workload/messages.js';

const SIZES = [10, 100, 1_000, 10_000];
/** What registers its tools again at every request is not asked for ten thousand. */
const MOST_OF_PEERS = 1_000;
const CONNECTIONS = 16;
/** A difference of three hundredths is looked for: calls are asked in so many rounds for each of the plan. */
const CALL_ROUNDS = 5;

/** What is asked of whom. */
interface Asked {
  readonly gates: readonly Subject[];
  readonly peers: readonly Subject[];
  readonly callSizes: readonly number[];
  readonly listSizes: readonly number[];
}

const { gateHttp, gateExpress, gateFastify, sdkV2, rekogExpress, floorNestExpress } = SUBJECTS;
const GOALS: Asked = { gates: [gateExpress], peers: [], callSizes: [10, 10_000], listSizes: [1_000] };
const ASKED: Readonly<Record<Extent, Asked>> = {
  quick: { ...GOALS, callSizes: [10, 1_000] },
  goals: GOALS,
  full: {
    gates: [gateHttp, gateExpress, gateFastify],
    peers: [sdkV2, rekogExpress],
    callSizes: SIZES,
    listSizes: SIZES,
  },
};

type Method = 'call' | 'list';

export const catalogue: Scenario = {
  id: 'catalogue',
  title: 'Large catalogues',
  about:
    'The same call, and `tools/list`, with 10 to 10,000 tools (in Nest two tools a provider: 1,000 tools are an application ' +
    'of 500 providers). A call must not become dearer; a list is as long as what it publishes, and is compared with a bare ' +
    'Nest route on Express that returns the same object.',
  async run(bench) {
    const { gates, peers, callSizes, listSizes } = ASKED[bench.plan.extent];
    const serve = async (subjects: readonly Subject[], sizes: readonly number[]): Promise<Server[]> => {
      const wanted = sizes.flatMap((size) =>
        subjects.flatMap((subject) => (subject.kind === 'peer' && size > MOST_OF_PEERS ? [] : [{ subject, size }])),
      );
      return Promise.all(
        wanted.map(async (one) => ({ ...one, server: await bench.share(one.subject, { tools: one.size }) })),
      );
    };
    bench.say('  call');
    const called = await serve([...gates, ...peers], callSizes);
    const calls = await bench.measure(casesOf('call', called), CONNECTIONS, {
      rounds: CALL_ROUNDS * bench.plan.rounds,
    });
    const lists: Measured[] = [];
    for (const size of listSizes) {
      bench.say(`  list of ${size}`);
      const listed = await serve([floorNestExpress, ...gates, ...peers], [size]);
      lists.push(...(await bench.measure(casesOf('list', listed), CONNECTIONS)));
    }
    return {
      tables: [
        table('`tools/call`: calls/s, and against the smallest catalogue', calls, callSizes, (one) =>
          variantOf(calls, one.subject, 'call', callSizes[0]!),
        ),
        table('`tools/list`: lists/s, and against a bare route with the same object', lists, listSizes, (one) =>
          lists.find(({ subject, variant }) => subject === SUBJECTS.floorNestExpress && variant === one.variant),
        ),
      ],
      figures: { ...figuresOf(calls), ...listFigures(lists, listSizes), ...flatness(calls, callSizes) },
      notes: faults([...calls, ...lists]),
    };
  },
};

interface Server {
  readonly subject: Subject;
  readonly size: number;
  readonly server: Awaited<ReturnType<Bench['share']>>;
}

function casesOf(method: Method, servers: readonly Server[]): Case[] {
  const request = method === 'call' ? callRequest('modern', 'add') : listRequest('modern');
  return servers.map(({ subject, size, server }) => ({
    subject,
    server,
    variant: `${method}/${size}`,
    request: at(subject, method, request),
    check: method === 'call' ? expectText(SUM.text) : expectCatalogue(subject, size),
  }));
}

function at(subject: Subject, method: Method, request: BenchRequest): BenchRequest {
  return subject.kind === 'floor' ? { ...request, path: `/${method}/modern` } : request;
}

function expectCatalogue(subject: Subject, size: number): (answer: Exchange) => void {
  const others = subject === SUBJECTS.gateHttp ? ['count', 'wait'] : [];
  return expectTools([...toolNames(size), ...others]);
}

function table(
  title: string,
  measured: readonly Measured[],
  sizes: readonly number[],
  against: (one: Measured) => Measured | undefined,
): Table {
  const subjects = [...new Set(measured.map(({ subject }) => subject))];
  return {
    title,
    columns: ['server', ...sizes.map((size) => `${size.toLocaleString('en')} tools`)],
    rows: subjects.map((subject) => [
      subject.label,
      ...sizes.map((size) => {
        const one = measured.find(({ subject: its, variant }) => its === subject && variant.endsWith(`/${size}`));
        if (one === undefined || !one.valid) return '–';
        const other = against(one);
        return other?.valid ? `${rate(one)} (${times(one.ratioTo(other).median)})` : rate(one);
      }),
    ]),
  };
}

function variantOf(
  measured: readonly Measured[],
  subject: Subject,
  method: Method,
  size: number,
): Measured | undefined {
  return measured.find((one) => one.subject === subject && one.variant === `${method}/${size}`);
}

/** The largest catalogue against the smallest. */
function flatness(calls: readonly Measured[], sizes: readonly number[]): Record<string, number> {
  const figures: Record<string, number> = {};
  for (const subject of new Set(calls.map((one) => one.subject))) {
    const small = variantOf(calls, subject, 'call', sizes[0]!);
    const large = variantOf(calls, subject, 'call', sizes.at(-1)!);
    if (!small?.valid || !large?.valid) continue;
    figures[`${subject.id}/flatness/ratio`] = large.ratioTo(small).median;
    figures[`${subject.id}/flatness/cpuRatio`] = large.cpuRatioTo(small).median;
  }
  return figures;
}

function listFigures(lists: readonly Measured[], sizes: readonly number[]): Record<string, number> {
  const figures: Record<string, number> = {};
  for (const size of sizes) {
    const ofSize = lists.filter(({ variant }) => variant === `list/${size}`);
    Object.assign(figures, figuresOf(ofSize, variantOf(lists, SUBJECTS.floorNestExpress, 'list', size)));
  }
  return figures;
}
