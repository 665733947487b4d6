/**
 * A call with a token, beside the same call of an open gate: what a signature costs once it was verified, and each call
 * still asks whose token it is, for which gate, and until when.
 */
import { generateMcpKeys, mintMcpToken } from 'nestjs-mcp-gate';
import type { Case } from '../harness/bench.js';
import { expectText } from '../harness/expect.js';
import { figuresOf } from '../harness/figures.js';
import type { Scenario } from '../harness/scenario.js';
import { faults, loadTable } from '../harness/tables.js';
import { SUBJECTS, type Subject } from '../subjects.js';
import { callRequest, SUM } from '../workload/messages.js';

const CONNECTIONS = 16;
const TOOLS = 10;
/** For each of the plan: it is a small difference. */
const ROUNDS = 2;

export const protectedCall: Scenario = {
  id: 'protected',
  title: 'A call with a token',
  about:
    "The same call with an ES256 token of 60 minutes, signed with the application's own key, beside the same call of an " +
    'open gate. A verified token is remembered for a minute at most and never past its end.',
  async run(bench) {
    const keys = await generateMcpKeys();
    const shared = { variant: 'modern', check: expectText(SUM.text) };
    const request = callRequest('modern', 'add');
    const besideOpen = async (open: Subject): Promise<Case[]> => {
      const subject = { ...open, id: `${open.id}-protected`, label: `${open.label}, with a token` };
      const server = await bench.start(subject, { tools: TOOLS, keys });
      const resource = `http://127.0.0.1:${server.port}/mcp`;
      const token = await mintMcpToken({ key: keys, account: 'ada', resource, scopes: ['shop:read'], ttlSec: 3_600 });
      const headers = { ...request.headers, authorization: `Bearer ${token}` };
      return [
        { ...shared, subject: open, server: await bench.share(open, { tools: TOOLS }), request },
        { ...shared, subject, server, request: { ...request, headers } },
      ];
    };
    const quick = bench.plan.extent === 'quick';
    const open = quick ? [SUBJECTS.gateExpress] : [SUBJECTS.gateExpress, SUBJECTS.gateFastify];
    const pairs = await Promise.all(open.map(besideOpen));
    const measured = await bench.measure(pairs.flat(), CONNECTIONS, { rounds: ROUNDS * bench.plan.rounds });
    const groups = open.map((_, at) => measured.slice(at * 2, at * 2 + 2));
    return {
      tables: groups.map((group, at) =>
        loadTable(`\`tools/call\` with a token, modern era, 16 connections, ${open[at]!.platform}`, group, group[0]!),
      ),
      figures: Object.assign({}, ...groups.map((group) => figuresOf(group, group[0]))) as Record<string, number>,
      notes: faults(measured),
    };
  },
};
