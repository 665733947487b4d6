/**
 * Figures by name, so that goals and charts can ask for them.
 */
import type { Measured } from './measured.js';

type Figures = Record<string, number>;

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
  }
  return figures;
}
