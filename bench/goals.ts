/**
 * What the project asks of itself, each as a ratio or a difference within one run.
 */
import type { Extent } from './harness/bench.js';
import { kibibytes, times } from './harness/tables.js';

/** Figures of all scenarios, by the scenario's id. */
export type AllFigures = Readonly<Record<string, Readonly<Record<string, number>>>>;

export interface GoalOutcome {
  readonly goal: string;
  readonly asked: string;
  readonly measured: string;
  /** `undefined`: this run did not measure it. */
  readonly met?: boolean;
}

/** Which value the goal is about: all of them must keep to it, the worst is shown. */
interface Goal {
  readonly goal: string;
  readonly asked: number;
  readonly sense: 'at least' | 'at most';
  readonly unit?: string;
  readonly show?: (value: number) => string;
  readonly values: (figures: Lookup, extent: Extent) => number[];
  /** What a quick run asks in its place. */
  readonly quick?: string;
}

type Lookup = (scenario: string, figure: string) => number;

function over(at: Lookup, scenario: string, gate: string, other: string, variant: string): number {
  return at(scenario, `${gate}/${variant}/over/${other}`);
}

/** By era and connections. */
function variantsOf(extent: Extent): string[] {
  return extent === 'quick' ? ['modern/16'] : ['modern/16', 'legacy/16'];
}

/** Where a gate and its floor are asked alone. A quick run does not. */
function besideOf(extent: Extent): string[] {
  return extent === 'quick' ? variantsOf(extent) : ['beside/modern', 'beside/legacy'];
}

const GOALS: readonly Goal[] = [
  {
    goal: '`tools/call` on Express, against the bare Nest route on Express, both eras',
    asked: 1.1,
    sense: 'at least',
    values: (at, extent) =>
      besideOf(extent).map((variant) => over(at, 'call', 'gate-express', 'floor-nest-express', variant)),
    quick: 'modern era',
  },
  {
    goal: '`tools/call` on Fastify, against the bare Nest route on Fastify, both eras',
    asked: 0.7,
    sense: 'at least',
    values: (at, extent) =>
      besideOf(extent).map((variant) => over(at, 'call', 'gate-fastify', 'floor-nest-fastify', variant)),
    quick: 'modern era',
  },
  {
    goal: '`tools/call` against `@rekog/mcp-nest` (Express, Fastify) and the SDK v2 handler (`node:http`), both eras',
    asked: 4,
    sense: 'at least',
    values: (at, extent) =>
      variantsOf(extent).flatMap((era) => [
        over(at, 'call', 'gate-express', 'rekog-express', era),
        over(at, 'call', 'gate-http', 'sdk-v2', era),
        ...(extent === 'quick' ? [] : [over(at, 'call', 'gate-fastify', 'rekog-fastify', era)]),
      ]),
    quick: 'modern era, without Fastify',
  },
  {
    goal: '`tools/call` on Express with 10,000 tools, against ten tools, by CPU',
    asked: 0.97,
    sense: 'at least',
    values: (at) => [at('catalogue', 'gate-express/flatness/cpuRatio')],
    quick: '1,000 tools',
  },
  {
    goal: '`tools/list` of 1,000 tools on Express, against a bare Nest route with the same object',
    asked: 1.5,
    sense: 'at least',
    values: (at) => [at('catalogue', 'gate-express/list/1000/ratio')],
  },
  {
    goal: 'JWT-protected call (ES256) against the open one, Express',
    asked: 0.8,
    sense: 'at least',
    values: (at) => [over(at, 'protected', 'gate-express-protected', 'gate-express', 'modern')],
  },
  {
    goal: 'a bare Nest route while the devkit observes it, against the same unobserved, Express, by CPU of the cheapest rounds',
    asked: 0.98,
    sense: 'at least',
    values: (at) => [at('observed', 'floor-nest-express-observed/route/quietCpuRatio')],
  },
  {
    goal: 'progress notifications a second against the SDK v2 handler, every report sent',
    asked: 5,
    sense: 'at least',
    values: (at) => [at('progress', 'gate-http-all/modern/ratio')],
  },
  {
    goal: 'memory of one open stream over the socket',
    asked: 8 * 1024,
    sense: 'at most',
    show: (bytes) => `${kibibytes(bytes)} KiB`,
    values: (at, extent) =>
      (extent === 'quick' ? ['gate-express'] : ['gate-express', 'gate-fastify', 'gate-http']).map((id) =>
        at('open-streams', `${id}/overFloor`),
      ),
    quick: 'Express',
  },
  {
    goal: 'start-up added with 100 tools, the shortest of each step compared',
    asked: 40,
    sense: 'at most',
    show: (ms) => `${ms.toFixed(0)} ms`,
    values: (at) => ['gate-express', 'gate-fastify'].map((id) => at('start-up', `${id}/addedMs`)),
  },
  {
    goal: 'memory kept for each call, after many calls',
    asked: 8,
    sense: 'at most',
    show: (bytes) => `${bytes.toFixed(1)} B`,
    values: (at) =>
      ['gate-express/modern', 'gate-express/legacy', 'gate-fastify/modern'].map((id) =>
        at('memory', `${id}/grownPerCall`),
      ),
  },
];

export function judgeGoals(figures: AllFigures, extent: Extent): GoalOutcome[] {
  const at: Lookup = (scenario, figure) => figures[scenario]?.[figure] ?? Number.NaN;
  return GOALS.map(({ goal: whole, asked, sense, show = times, values, quick }) => {
    const found = values(at, extent);
    const goal = extent === 'quick' && quick !== undefined ? `${whole} (here: ${quick})` : whole;
    const outcome = { goal, asked: `${sense} ${show(asked)}` };
    if (found.some(Number.isNaN)) return { ...outcome, measured: 'not measured' };
    const worst = sense === 'at least' ? Math.min(...found) : Math.max(...found);
    return { ...outcome, measured: show(worst), met: sense === 'at least' ? worst >= asked : worst <= asked };
  });
}
