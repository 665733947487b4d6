/**
 * The JSON Schema of a DTO class, and the schema that is enforced for it. The first says all that can be said; the second
 * holds structure and types alone, because class-validator checks the rest better, in its author's words. Nested classes
 * stand inline; one that holds itself stands under `$defs`.
 */
import type { JsonSchema } from '../tool.js';
import { readDtoClass, type DtoClass, type DtoProperty } from './dto-class.js';
import { KnownTypes } from './dto-kinds.js';
import type { DtoLibraries } from './dto-libraries.js';
import { describeProperty } from './dto-property.js';

/** What has been found out of a class and all classes below it. */
export interface DtoDescription {
  readonly schema: JsonSchema;
  /** What must hold before the validators are asked. */
  readonly structure: JsonSchema;
  /** What the validators are certain to refuse too. */
  readonly certain: JsonSchema;
  /** Properties whose type the schema does not show, with the way out. */
  readonly lost: readonly string[];
  /** The classes met, and what is declared on them. */
  readonly classes: ReadonlyMap<Function, DtoClass>;
}

/** Describes a class; `undefined` when nothing is declared on it. */
export function describeDto(type: Function, libraries: DtoLibraries): DtoDescription | undefined {
  const classes = new Map<Function, DtoClass>();
  const read = (asked: Function): DtoClass => {
    let known = classes.get(asked);
    if (known === undefined) classes.set(asked, (known = readDtoClass(asked, libraries)));
    return known;
  };
  if (read(type).properties.length === 0) return undefined;
  const lost = new Set<string>();
  const describe = (extent: Extent): JsonSchema =>
    new Describer(read, type, extent, (loss) => lost.add(loss)).describe();
  const schema = describe('all');
  return { schema, structure: describe('structure'), certain: describe('certain'), lost: [...lost], classes };
}

/** How much is said of the values: everything, what is sure to be refused otherwise, or their types only. */
export type Extent = 'all' | 'certain' | 'structure';

/** A property that tells alternatives apart, with the value that stands for this one. */
export type Mark = readonly [property: string, value: string];

/** Describes a root class. */
export class Describer {
  private readonly definitions: Record<string, JsonSchema> = {};
  private readonly open = new Set<string>();
  /** Where a class that holds itself is found. */
  private readonly references = new Map<string, string>();
  private readonly ids = new Map<Function, number>();

  constructor(
    private readonly read: (type: Function) => DtoClass,
    private readonly root: Function,
    readonly extent: Extent,
    private readonly report: (loss: string) => void,
  ) {
    this.references.set(this.keyOf(root), '#');
  }

  describe(): JsonSchema {
    const schema = this.build(this.root);
    return Object.keys(this.definitions).length === 0 ? schema : { ...schema, $defs: this.definitions };
  }

  /** Whether the class says what it holds. */
  isKnown(type: Function): boolean {
    return !KnownTypes.has(type) && this.read(type).properties.length > 0;
  }

  lose(owner: Function, property: DtoProperty, loss: string): void {
    this.report(`${owner.name}.${property.name}: ${loss}`);
  }

  /** The schema of a nested class, or a reference to it from inside itself. */
  shape(type: Function, mark?: Mark): JsonSchema {
    const key = this.keyOf(type, mark);
    if (this.open.has(key) && !this.references.has(key)) this.references.set(key, `#/$defs/${this.nameFor(type)}`);
    const reference = this.references.get(key);
    if (reference !== undefined) return { $ref: reference };
    const schema = this.build(type, mark);
    const asked = this.references.get(key); // from inside
    if (asked === undefined) return schema;
    this.definitions[asked.slice('#/$defs/'.length)] = schema;
    return { $ref: asked };
  }

  private build(type: Function, mark?: Mark): JsonSchema {
    const key = this.keyOf(type, mark);
    this.open.add(key);
    const properties = new Map<string, JsonSchema>();
    const required: string[] = [];
    for (const property of this.read(type).properties) {
      properties.set(property.wireName, describeProperty(type, property, this));
      if (!property.isOptional) required.push(property.wireName);
    }
    if (mark !== undefined) {
      properties.set(mark[0], { ...properties.get(mark[0]), const: mark[1] });
      if (!required.includes(mark[0])) required.push(mark[0]);
    }
    this.open.delete(key);
    return {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    };
  }

  private keyOf(type: Function, mark?: Mark): string {
    if (!this.ids.has(type)) this.ids.set(type, this.ids.size);
    return JSON.stringify([this.ids.get(type), mark]);
  }

  /** The class's name; with a number when another class of that name is there already. */
  private nameFor(type: Function): string {
    const name = type.name.replaceAll(/\W/g, '_') || 'Class';
    const taken = new Set(this.references.values());
    let free = name;
    for (let count = 2; taken.has(`#/$defs/${free}`); count++) free = `${name}${count}`;
    return free;
  }
}
