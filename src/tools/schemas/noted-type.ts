/**
 * The type of a property or a parameter as tsc would have noted it. Compilers that see one file at a time (SWC, that of Vitest)
 * often note an enum itself, a member of it, or the object beside which a type of its values stands: then it is the type of
 * the values.
 */
export function notedType(noted: unknown): Function | undefined {
  if (typeof noted === 'function') return noted;
  if (typeof noted !== 'object' || noted === null) return typeOfValues([noted]);
  const members = Object.entries(noted).filter(([name]) => Number.isNaN(Number(name))); // the others lead back from numbers
  return typeOfValues(members.map(([, value]) => value)) ?? Object;
}

/** `undefined` when they are not all texts, or all numbers. */
function typeOfValues(values: readonly unknown[]): Function | undefined {
  const types = new Set(values.map((value) => typeof value));
  if (types.size !== 1) return undefined;
  return types.has('string') ? String : types.has('number') ? Number : undefined;
}
