/**
 * The tools that every server offers: `add`, and as many others of the same kind as a scenario asks for.
 */
/** What a tool of the catalogue takes. */
export interface Sum {
  a: number;
  b: number;
}

/** The names of a catalogue of this size. `add`, which is called, comes last: nobody finds it first by luck. */
export function toolNames(count: number): string[] {
  return Array.from({ length: count }, (_, at) => (at === count - 1 ? 'add' : `add_${at}`));
}

/** Every tool says something of its own, so that no two published tools are one object. */
export function describe(name: string): string {
  return `Adds two numbers. This is the tool called ${name}.`;
}

export const READS = { readOnlyHint: true, openWorldHint: false };

/** The arguments as a JSON Schema: a new object for each tool, as an author would write one. */
export function sumSchema() {
  return {
    type: 'object' as const,
    properties: {
      a: { type: 'number', description: 'The first number' },
      b: { type: 'number', description: 'The second number' },
    },
    required: ['a', 'b'],
    additionalProperties: false,
  };
}

/** What a tool or route does that waits for something: one turn of the event loop, as a read from a socket would take. */
export const oneTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** How often the tool `count` reports, and what it says at the end. */
export const PROGRESS = { reports: 100, text: 'counted' } as const;
