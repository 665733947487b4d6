/**
 * Figures by name, so that goals and charts can ask for them.
 */
import type { Measured } from './measured.js';

type Figures = Record<string, number>;

/**
 * `gate/variant/over/other`: how many times as much the gate does as each other server of the same rounds. A machine is faster
 * now and slower then; what was measured one after the other was measured on the same.
 */
function besideOthers(gate: Measured, measured: readonly Measured[]): Figures {
  const figures: Figures = {};
  for (const other of measured) {
    if (!other.valid || other.variant !== gate.variant || other === gate) continue;
    const ratio = gate.isLimited || other.isLimited ? gate.cpuRatioTo(other) : gate.ratioTo(other);
    figures[`${gate.subject.id}/${gate.variant}/over/${other.subject.id}`] = ratio.median;
  }
  return figures;
}

/** `subject/variant/figure` for every case, with ratios when there is a floor. */
export function figuresOf(measured: readonly Measured[], floor?: Measured): Figures {
  const figures: Figures = {};
  for (const one of measured) {
    if (!one.valid) continue;
    const name = (figure: string) => `${one.subject.id}/${one.variant}/${figure}`;
    for (const figure of ['perSecond', 'p50', 'p99', 'cpu', 'busy'] as const) {
      figures[name(figure)] = one.of(figure).median;
    }
    figures[name('spread')] = one.of('perSecond').spread;
    if (floor?.valid) {
      figures[name('ratio')] = one.ratioTo(floor).median;
      figures[name('cpuRatio')] = one.cpuRatioTo(floor).median;
    }
    if (one.subject.kind === 'gate') Object.assign(figures, besideOthers(one, measured));
  }
  return figures;
}
