/**
 * Modules that import each other, and providers that need each other: `forwardRef()` lets them start, and nothing else.
 */
import { nameOf, neededBy } from '../../inspect/providers.js';
import type { Finding, WiringCheck } from '../finding.js';

export const circles: WiringCheck = ({ modules, providers }) => {
  const own = modules.all();
  const named = new Map(own.map(({ module, name }) => [module, name]));
  const ofModules = circlesIn(
    own.map(({ module }) => module),
    (module) => modules.importsOf(module),
  );
  const wrappers = providers.all().map(({ wrapper }) => wrapper);
  const ofProviders = circlesIn(wrappers, neededBy);
  return [
    ...ofModules.map((circle): Finding => ({
      level: 'look',
      what: `Modules import each other: ${told(circle.map((module) => named.get(module)!))}.`,
      where: named.get(circle[0]!)!,
      cure: 'Move what both need into a module of its own that imports neither, or let one of them emit events.',
      code: circle[0]!.metatype,
    })),
    ...ofProviders.map((circle): Finding => ({
      level: 'look',
      what: `Providers need each other: ${told(circle.map(nameOf))}. Which of them is made first is left to chance.`,
      where: `${nameOf(circle[0]!)} of ${circle[0]!.host?.name ?? 'a module'}`,
      cure: 'Move what both need into a third provider, or let one of them emit events.',
      code: circle[0]!.metatype as Function, // who needs something is made by a class or a factory
    })),
  ];
};

/** One circle for each group whose members all reach each other. */
function circlesIn<N>(nodes: readonly N[], next: (node: N) => readonly N[]): N[][] {
  const grouped = new Set<N>();
  const found: N[][] = [];
  for (const start of nodes) {
    const way = wayBack(start, (node) => next(node).filter((other) => !grouped.has(other)));
    if (way === undefined) continue;
    for (const node of way) grouped.add(node);
    found.push(way);
  }
  return found;
}

/** The shortest way from a node back to itself; `undefined` when there is none. */
function wayBack<N>(start: N, next: (node: N) => readonly N[]): N[] | undefined {
  const from = new Map<N, N>();
  const queue = [start];
  for (const node of queue) {
    for (const other of next(node)) {
      if (other === start) {
        const way = [node];
        while (way[0] !== start) way.unshift(from.get(way[0]!)!);
        return way;
      }
      if (from.has(other)) continue;
      from.set(other, node);
      queue.push(other);
    }
  }
  return undefined;
}

function told(names: readonly string[]): string {
  return [...names, names[0]].join(' -> ');
}
