/**
 * A card that has always room for what matters: counts stay, names are left out.
 */
import { maskText } from '../secrets/shapes.js';

/** Characters that no card exceeds. */
export const CARD_MAX_CHARS = 2_000;

/** What stands on a card. */
export interface CardFacts {
  readonly name: string;
  readonly version: string;
  readonly nest: string;
  readonly platform: string;
  readonly uptimeSeconds: number;
  /** In bytes. */
  readonly memory: { readonly rss: number; readonly heapUsed: number };
  readonly modules: readonly string[];
  readonly routes: readonly string[];
  readonly gates: readonly string[];
  readonly tools: readonly string[];
}

/** Characters for each list, in the order in which they stand. */
const ROOM = { modules: 360, routes: 480, gates: 360, tools: 300 };

/** The card as text, without secrets. */
export function cardOf(facts: CardFacts): string {
  const card = maskText(written(facts));
  return card.length <= CARD_MAX_CHARS ? card : `${card.slice(0, CARD_MAX_CHARS - 1)}…`;
}

function written(facts: CardFacts): string {
  const { name, version, nest, platform, uptimeSeconds, memory } = facts;
  const mode = process.env['NODE_ENV'];
  return [
    `${short(name)} ${short(version)}`.trim(),
    `Nest ${nest} on ${platform}, Node ${process.versions.node}${mode ? `, NODE_ENV=${short(mode, 30)}` : ''}, process ${process.pid}`,
    `Up ${duration(uptimeSeconds)}, memory ${megabytes(memory.rss)} MB, of which heap ${megabytes(memory.heapUsed)} MB`,
    list('module', facts.modules, ROOM.modules),
    list('route', facts.routes, ROOM.routes),
    list('gate', facts.gates, ROOM.gates),
    list('tool', facts.tools, ROOM.tools),
    'Ask nest_inspect for one of: routes, modules, providers, config, gates, tools, events, schedules, queues. nest_check looks for faults of wiring.',
  ].join('\n');
}

/** `3 routes: GET /a, GET /b, 1 more` */
function list(noun: string, names: readonly string[], room: number): string {
  const told: string[] = [];
  let left = room;
  for (const name of names) {
    left -= name.length + 2;
    if (left < 0) break;
    told.push(name);
  }
  const more = names.length - told.length;
  const parts = more > 0 ? [...told, `${more} more`] : told;
  return `${names.length} ${noun}${names.length === 1 ? '' : 's'}${names.length > 0 ? `: ${parts.join(', ')}` : ''}`;
}

function short(text: string, most = 80): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3_600)} h`;
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1_048_576);
}
