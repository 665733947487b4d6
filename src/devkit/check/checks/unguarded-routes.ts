/**
 * A controller most of whose routes are guarded one by one is where a new route is left open by mistake.
 */
import { groupedBy } from '../grouped-by.js';
import type { RouteFacts } from '../../inspect/routes.js';
import type { WiringCheck } from '../finding.js';

/** Marks that applications put on what is open on purpose. */
const OPEN_MARK = /public|anonym|skip_?auth|no_?auth|allow_?un|open/i;
/** What nobody can have a credential for yet. */
const BEFORE_LOGIN =
  /log_?in|log_?out|sign_?(?:in|up|out)|regist|forg[eo]t|reset|confirm|verif|callback|refresh|health|webhook|token/i;

/** Global guards that count requests, or prepare something for them (an object without a class, as packages have them). */
const KEEPS_NOBODY_OUT = /throttl|rate_?limit|^Object$/i;

export const unguardedRoutes: WiringCheck = ({ routes }) =>
  [...groupedBy(routes.all(), ({ type }) => type)].flatMap(([type, own]) => {
    const guarded = own.filter(isGuarded);
    const open = own.filter((route) => !isGuarded(route) && !isMeant(route));
    if (guarded.length === 0 || open.length === 0) return [];
    return [
      {
        level: 'look' as const,
        what: `No guard runs before ${open.map(({ method, path }) => `${method} ${path}`).join(', ')}; ${guarded.length} ${guarded.length === 1 ? 'route' : 'routes'} of the same controller ${guarded.length === 1 ? 'has' : 'have'} one.`,
        where: open.map(({ controller, handler }) => `${controller}.${handler}`).join(', '),
        cure: 'If they are not for everybody, put the guard on the controller or on these methods.',
        code: open.length === 1 ? open[0]!.callback : type,
      },
    ];
  });

function isGuarded({ guards }: RouteFacts): boolean {
  return guards.some(
    ({ idle, name, from }) => idle === undefined && !(from === 'global' && KEEPS_NOBODY_OUT.test(name)),
  );
}

function isMeant({ callback, type, handler, path }: RouteFacts): boolean {
  const marks = [callback, type].flatMap((place) => Reflect.getMetadataKeys(place) as unknown[]);
  if (marks.some((mark) => OPEN_MARK.test(String(mark)))) return true;
  return BEFORE_LOGIN.test(handler) || BEFORE_LOGIN.test(path);
}
