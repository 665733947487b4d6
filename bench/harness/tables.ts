/**
 * Measured cases as tables, and numbers as people read them.
 */
import type { Measured } from './measured.js';
import type { Summary } from './statistics.js';

export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Every figure of a load, one server a row, with ratios to `floor`. */
export function loadTable(title: string, measured: readonly Measured[], floor: Measured, unit = 'calls'): Table {
  return {
    title,
    columns: ['server', `${unit}/s`, 'ratio', 'p50 ms', 'p99 ms', 'CPU µs', 'ratio by CPU'],
    rows: measured.map((one) => [one.subject.label, ...loadCells(one, floor)]),
  };
}

function loadCells(one: Measured, floor: Measured): string[] {
  if (!one.valid) return ['–', '–', '–', '–', '–', '–'];
  const ratio = floor.valid ? times(one.ratioTo(floor).median) : '–';
  const cpuRatio = floor.valid ? times(one.cpuRatioTo(floor).median) : '–';
  return [
    rate(one),
    ratio,
    milliseconds(one.of('p50').median),
    milliseconds(one.of('p99').median),
    one.of('cpu').median.toFixed(0),
    cpuRatio,
  ];
}

/** Requests a second with their spread, marked where the load generator was the limit. */
export function rate(one: Measured): string {
  if (!one.valid) return '–';
  const limited = one.isLimited ? ' †' : '';
  return withSpread(one.of('perSecond'), (value) => value.toFixed(0)) + limited;
}

export function withSpread({ median, spread }: Summary, show: (value: number) => string): string {
  return `${show(median)} ± ${(spread * 100).toFixed(0)}%`;
}

export function times(ratio: number): string {
  return ratio.toFixed(ratio < 0.1 ? 3 : 2);
}

export function milliseconds(value: number): string {
  return value.toFixed(value < 10 ? 2 : 0);
}

export function mebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}

export function kibibytes(bytes: number): string {
  return (bytes / 1024).toFixed(1);
}

/** Why rows are empty. */
export function faults(measured: readonly Measured[]): string[] {
  return measured
    .filter(({ fault }) => fault)
    .map(({ subject, variant, fault }) => `${subject.label}, ${variant}: ${fault}`);
}
