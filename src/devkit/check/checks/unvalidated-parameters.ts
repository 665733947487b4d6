/**
 * A class with decorators of class-validator checks nothing by itself: a pipe has to.
 */
import { tokenName } from '../../inspect/names.js';
import type { RouteFacts } from '../../inspect/routes.js';
import type { RunningParameter, RunningPart } from '../../inspect/running-parts.js';
import type { WiringCheck } from '../finding.js';
import { isValidatedClass } from '../validated-classes.js';

/** Pipes of Nest that look at single values only. Any other may validate. */
const CHECKS_NO_CLASS = new Set(
  `DefaultValuePipe ParseIntPipe ParseFloatPipe ParseBoolPipe ParseUUIDPipe ParseEnumPipe ParseDatePipe
  ParseFilePipe`.split(/\s+/),
);
const FROM = new Set(['body', 'query', 'param']);

export const unvalidatedParameters: WiringCheck = ({ routes, registered }) => {
  // Without HTTP nobody knows which pipes main.ts would add.
  const level = registered.platform === undefined ? 'look' : 'fault';
  const seen = new Set<Function>();
  return routes.all().flatMap((route) => {
    if (seen.has(route.callback)) return []; // a method of two paths
    seen.add(route.callback);
    const open = route.parameters.filter((parameter) => isOpen(parameter, route));
    return open.map(({ from, type, index }) => ({
      level,
      what: `${tokenName(type)} has rules of class-validator, and no pipe checks them: whatever comes in the ${from} reaches parameter ${index}.`,
      where: `${route.controller}.${route.handler}`,
      cure: 'app.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true })) in main.ts, or @UsePipes() here.',
      code: route.callback,
    }));
  });
};

function isOpen({ from, property, type, pipes }: RunningParameter, route: RouteFacts): boolean {
  if (!FROM.has(from) || property !== undefined || !isValidatedClass(type)) return false;
  return ![...route.pipes, ...pipes].some(mayValidate);
}

function mayValidate({ name, idle }: RunningPart): boolean {
  return idle === undefined && !CHECKS_NO_CLASS.has(name);
}
