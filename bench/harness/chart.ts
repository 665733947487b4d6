/**
 * Calls a second as bars, one row a server, against the bare Nest route on Express.
 */
import type { Report } from './report.js';
import type { Subject } from '../subjects.js';

const WIDTH = 860;
const LABEL = 260;
const ROW = 34;
const TOP = 64;
const BAR = 11;
const COLOURS = { floor: '#8c959f', gate: '#0a7f5a', peer: '#c4622d' } as const;

interface Bars {
  readonly label: string;
  readonly kind: Subject['kind'];
  readonly modern?: number;
  readonly legacy?: number;
}

/** The chart of a run that measured calls; `undefined` without them. */
export function chart(report: Report, subjects: readonly Subject[]): string | undefined {
  const figures = report.scenarios.find(({ id }) => id === 'call')?.figures;
  if (figures === undefined) return undefined;
  const bars = subjects.map(({ id, label, kind }): Bars => {
    const rate = (era: string) => figures[`${id}/${era}/16/perSecond`];
    return { label: label.replaceAll(/[*`]/g, ''), kind, modern: rate('modern'), legacy: rate('legacy') };
  });
  const floor = figures['floor-nest-express/modern/16/perSecond'];
  return draw(bars, floor, report.machine);
}

function draw(bars: readonly Bars[], floor: number | undefined, machine: string): string {
  const highest = Math.max(...bars.flatMap(({ modern = 0, legacy = 0 }) => [modern, legacy]));
  const scale = (value: number) => (value / highest) * (WIDTH - LABEL - 130);
  const height = TOP + bars.length * ROW + 40;
  const rows = bars.flatMap((row, at) => {
    const y = TOP + at * ROW;
    return [
      text(LABEL - 10, y + 17, row.label, 'end'),
      ...bar(row.modern, row.kind, 1, y + 2, scale, floor),
      ...bar(row.legacy, row.kind, 0.55, y + 4 + BAR, scale, floor),
    ];
  });
  const line = floor === undefined ? [] : [floorLine(LABEL + scale(floor), height - 36)];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" ` +
      'font-family="system-ui, sans-serif" font-size="12" fill="#24292f">',
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    `<text x="16" y="24" font-size="16" font-weight="600">tools/call: calls a second, 16 connections</text>`,
    `<text x="16" y="44" fill="#57606a">dark: modern era, light: legacy era; × the bare Nest route on Express (dashed)</text>`,
    ...line,
    ...rows,
    `<text x="16" y="${height - 12}" fill="#57606a" font-size="11">${escape(machine)}</text>`,
    '</svg>',
    '',
  ].join('\n');
}

function bar(
  value: number | undefined,
  kind: Subject['kind'],
  opacity: number,
  y: number,
  scale: (value: number) => number,
  floor: number | undefined,
): string[] {
  if (value === undefined) return [];
  const ratio = floor === undefined ? '' : ` (× ${(value / floor).toFixed(2)})`;
  const width = Math.max(1, scale(value)).toFixed(1);
  return [
    `<rect x="${LABEL}" y="${y}" width="${width}" height="${BAR}" rx="2" fill="${COLOURS[kind]}" opacity="${opacity}"/>`,
    `<text x="${(LABEL + scale(value) + 6).toFixed(1)}" y="${y + 10}" font-size="10">${value.toFixed(0)}${ratio}</text>`,
  ];
}

function floorLine(x: number, bottom: number): string {
  return `<line x1="${x.toFixed(1)}" x2="${x.toFixed(1)}" y1="${TOP - 8}" y2="${bottom}" stroke="#57606a" stroke-dasharray="4 3"/>`;
}

function text(x: number, y: number, content: string, anchor: 'start' | 'end'): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}">${escape(content)}</text>`;
}

function escape(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
