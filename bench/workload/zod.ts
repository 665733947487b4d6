/**
 * The arguments of `add` for the peers, which take zod. Apart, so that nobody else loads it.
 */
import { z } from 'zod';

/** Publishes the same JSON Schema as `sumSchema()`, and refuses the same arguments. */
export function sumZod() {
  return z.strictObject({
    a: z.number().describe('The first number'),
    b: z.number().describe('The second number'),
  });
}

/** The same for SDK v1, which wants the properties alone. */
export function sumShape() {
  return sumZod().shape;
}
