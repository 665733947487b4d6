/**
 * Many calls that are under way, each with its stream open: what one costs in memory, and what keeping it alive costs.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Bench, Extent } from '../harness/bench.js';
import type { Scenario } from '../harness/scenario.js';
import type { ServerProcess } from '../harness/server-process.js';
import { kibibytes } from '../harness/tables.js';
import { SUBJECTS, type Subject } from '../subjects.js';
import { type BenchRequest, callRequest } from '../workload/messages.js';

const HEARTBEAT_MS = 1_000;
/** So many are waited for. */
const BEATS = 3;
const AT_ONCE = 250;
const OPEN_LIMIT_MS = 60_000;

export const openStreams: Scenario = {
  id: 'open-streams',
  title: 'Open streams',
  about:
    'Calls that do not end, each with its SSE stream open. Memory is what the server has more of, divided by the streams: ' +
    '*live* is the heap and what hangs on it after a collection, *RSS* what the operating system gave. A floor holds a ' +
    'stream that was opened and forgotten; the difference to it is what the gate adds to the socket. The gate beats once a ' +
    'second here (15 s is its default); a beat is the CPU time of one.',
  async run(bench) {
    const count = bench.plan.streams;
    const measured: StreamCost[] = [];
    for (const subject of ASKED[bench.plan.extent]) {
      bench.say(`  ${subject.id}`);
      measured.push(await costOf(bench, subject, count));
      await bench.stopOwn();
    }
    const floorOf = ({ subject }: StreamCost) =>
      measured.find((one) => one.subject === (FLOORS.get(subject) ?? SUBJECTS.floorHttp));
    return {
      tables: [
        {
          title: `${count.toLocaleString('en')} open streams`,
          columns: [
            'server',
            'live KiB a stream',
            'over its floor',
            'RSS KiB a stream',
            'over its floor',
            'CPU µs a beat',
          ],
          rows: measured.map((one) => {
            const floor = floorOf(one);
            if (one.fault !== undefined) return [one.subject.label, '–', '–', '–', '–', '–'];
            const over = (figure: 'live' | 'rss') =>
              floor === undefined || floor === one ? '' : kibibytes(one[figure] - floor[figure]);
            const beat = one.beat === undefined ? '' : one.beat.toFixed(1);
            return [one.subject.label, kibibytes(one.live), over('live'), kibibytes(one.rss), over('rss'), beat];
          }),
        },
      ],
      figures: Object.fromEntries(
        measured
          .filter(({ fault }) => fault === undefined)
          .flatMap((one) => {
            const floor = floorOf(one);
            return [
              [`${one.subject.id}/live`, one.live],
              [`${one.subject.id}/rss`, one.rss],
              ...(floor === undefined ? [] : [[`${one.subject.id}/overFloor`, one.live - floor.live]]),
              ...(one.beat === undefined ? [] : [[`${one.subject.id}/beat`, one.beat]]),
            ] as [string, number][];
          }),
      ),
      notes: measured.filter(({ fault }) => fault).map(({ subject, fault }) => `${subject.label}: ${fault}`),
    };
  },
};

const BESIDE_FLOORS: readonly Subject[] = [
  SUBJECTS.floorHttp,
  SUBJECTS.gateHttp,
  SUBJECTS.floorNestExpress,
  SUBJECTS.gateExpress,
  SUBJECTS.floorNestFastify,
  SUBJECTS.gateFastify,
];

const ASKED: Readonly<Record<Extent, readonly Subject[]>> = {
  quick: [SUBJECTS.floorNestExpress, SUBJECTS.gateExpress],
  goals: BESIDE_FLOORS,
  full: [...BESIDE_FLOORS, SUBJECTS.sdkV2],
};

const FLOORS: ReadonlyMap<Subject, Subject> = new Map<Subject, Subject>([
  [SUBJECTS.gateExpress, SUBJECTS.floorNestExpress],
  [SUBJECTS.gateFastify, SUBJECTS.floorNestFastify],
]);

interface StreamCost {
  readonly subject: Subject;
  /** Bytes a stream. */
  readonly live: number;
  readonly rss: number;
  /** Microseconds of CPU time a beat. */
  readonly beat?: number;
  readonly fault?: string;
}

async function costOf(bench: Bench, subject: Subject, count: number): Promise<StreamCost> {
  const server = await bench.start(subject, { tools: 10, others: true, graceMs: 50, heartbeatMs: HEARTBEAT_MS });
  const call = callRequest('modern', 'wait', {}, 'p');
  const request = subject.kind === 'floor' ? { ...call, path: '/wait' } : call;
  const sockets: Socket[] = [];
  try {
    await openAll(sockets, server, request, AT_ONCE); // The code is warm, its caches are filled.
    const before = await server.memory();
    await openAll(sockets, server, request, count);
    const after = await server.memory();
    const beats = subject.kind === 'gate' && bench.plan.extent !== 'quick';
    const beat = beats ? await beatCost(server, sockets) : undefined;
    return {
      subject,
      live: (after.live - before.live) / count,
      rss: (after.rss - before.rss) / count,
      ...(beat !== undefined && { beat }),
    };
  } catch (error) {
    return { subject, live: 0, rss: 0, fault: error instanceof Error ? error.message : String(error) };
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

async function openAll(sockets: Socket[], server: ServerProcess, request: BenchRequest, count: number): Promise<void> {
  for (let opened = 0; opened < count; opened += AT_ONCE) {
    const some = Math.min(AT_ONCE, count - opened);
    sockets.push(...(await Promise.all(Array.from({ length: some }, () => open(server.port, request)))));
  }
}

/** A socket on which a stream has begun. */
async function open(port: number, { path, headers, body }: BenchRequest): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = Buffer.byteLength(body);
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${lines.join('')}content-length: ${length}\r\n\r\n${body}`,
  );
  const [first] = (await once(socket, 'data', { signal: AbortSignal.timeout(OPEN_LIMIT_MS) })) as [Buffer];
  const head = first.toString().toLowerCase();
  if (!head.startsWith('http/1.1 200') || !head.includes('text/event-stream')) {
    socket.destroy();
    throw new Error(`no stream was opened: ${first.toString().slice(0, 200)}`);
  }
  socket.resume();
  return socket;
}

async function beatCost(server: ServerProcess, sockets: readonly Socket[]): Promise<number> {
  let beats = 0;
  const count = (chunk: Buffer) => void (beats += chunk.toString().split('\n\n').length - 1);
  for (const socket of sockets) socket.on('data', count);
  const before = await server.usage();
  await new Promise((resolve) => setTimeout(resolve, BEATS * HEARTBEAT_MS));
  const after = await server.usage();
  return beats === 0 ? Number.NaN : (after.cpu - before.cpu) / beats;
}
