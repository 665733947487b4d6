/**
 * The type of a property or a parameter as tsc would have noted it. Compilers that see one file at a time note an enum itself,
 * SWC that of another file, the one of Vitest any: then it is the type of the enum's values.
 */
export function notedType(noted: unknown): Function | undefined {
  if (typeof noted === 'function') return noted;
  return typeof noted === 'object' && noted !== null ? typeOfEnum(noted) : undefined;
}

function typeOfEnum(noted: object): Function {
  const members = Object.entries(noted).filter(([name]) => Number.isNaN(Number(name))); // the others lead back from numbers
  const types = new Set(members.map(([, value]) => typeof value));
  if (types.size !== 1) return Object;
  return types.has('string') ? String : types.has('number') ? Number : Object;
}
