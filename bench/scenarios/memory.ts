/**
 * Whether anything stays behind after a call.
 */
import { exchange } from '../harness/exchange.js';
import { expectText } from '../harness/expect.js';
import { load } from '../harness/load.js';
import type { Scenario } from '../harness/scenario.js';
import { mebibytes } from '../harness/tables.js';
import { SUBJECTS } from '../subjects.js';
import { callRequest, type Era, SUM } from '../workload/messages.js';

const FEW = 10_000;
const CONNECTIONS = 16;
const PEERS = [SUBJECTS.sdkV2, SUBJECTS.rekogExpress];
/** The peers take several times as long for a call, so they are asked for fewer. */
const PEERS_PART = 4;

export const memory: Scenario = {
  id: 'memory',
  title: 'Memory after many calls',
  about:
    `One process, measured after ${FEW.toLocaleString('en')} calls and again after many more; garbage is collected before ` +
    'each look. What grows with the calls will not end there. `--many-calls` sets how many.',
  from: 'goals',
  async run(bench) {
    const cases = [
      { subject: SUBJECTS.gateExpress, era: 'modern' as Era },
      { subject: SUBJECTS.gateExpress, era: 'legacy' as Era },
      { subject: SUBJECTS.gateFastify, era: 'modern' as Era },
      ...(bench.plan.extent === 'full' ? PEERS : []).map((subject) => ({ subject, era: 'modern' as Era })),
    ];
    const rows: string[][] = [];
    const figures: Record<string, number> = {};
    for (const { subject, era } of cases) {
      const more = Math.ceil((bench.plan.manyCalls - FEW) / (subject.kind === 'peer' ? PEERS_PART : 1));
      const many = FEW + more;
      bench.say(`  ${subject.id}, ${era}, ${many.toLocaleString('en')} calls`);
      const server = await bench.start(subject, { tools: 10 });
      const request = callRequest(era, 'add');
      const answer = await exchange(server.port, request);
      expectText(SUM.text)(answer);
      const same = (body: string) => body === answer.body;
      await load(server, request, { connections: CONNECTIONS, requests: FEW }, same);
      const before = await server.memory();
      await load(server, request, { connections: CONNECTIONS, requests: more }, same);
      const after = await server.memory();
      await bench.stopOwn();
      rows.push([
        `${subject.label}, ${era}`,
        many.toLocaleString('en'),
        mebibytes(before.live),
        mebibytes(after.live),
        mebibytes(after.live - before.live),
        mebibytes(before.rss),
        mebibytes(after.rss),
      ]);
      figures[`${subject.id}/${era}/grownLive`] = after.live - before.live;
      figures[`${subject.id}/${era}/grownPerCall`] = (after.live - before.live) / more;
    }
    const columns = ['server', 'calls', 'live MiB, few', 'live MiB, many', 'grown', 'RSS MiB, few', 'RSS MiB, many'];
    return {
      tables: [{ title: `Memory after ${FEW.toLocaleString('en')} calls and after many`, columns, rows }],
      figures,
    };
  },
};
