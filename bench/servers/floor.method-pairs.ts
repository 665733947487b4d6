/**
 * The providers of `gate.tool-pairs.ts`, their methods no tools.
 */
import { Injectable, type Type } from '@nestjs/common';
import { describe, READS, type Sum, sumSchema } from '../workload/catalogue.js';

/** A class of its own for every pair. What would be said of the tools is made all the same: it is no part of the module. */
export function pairOfMethods(one: string, other: string): Type<object> {
  @Injectable()
  class Adders {
    static readonly said = [one, other].map((name) => [name, describe(name), sumSchema(), READS]);

    one({ a, b }: Sum): string {
      return String(a + b);
    }

    other({ a, b }: Sum): string {
      return String(a + b);
    }
  }
  return Adders;
}
