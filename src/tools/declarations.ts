/**
 * Declarations of one kind, taken one after the other: what passes its check, the first of each name; the others are told (T4).
 */
import { thrownMessage } from './thrown.js';
import type { McpVisibleKind } from './visibility.js';

/** Why a declaration was discarded. */
export interface McpToolFault {
  /** Where it stands: class and method, or the place in a list. */
  readonly origin: string;
  readonly name?: string;
  /** What was declared. @default 'tool' */
  readonly kind?: McpVisibleKind;
  /** What is wrong and the way out. */
  readonly reason: string;
}

/** A list that was written down by hand holds a bad declaration. */
export class McpDeclarationError extends Error {
  override readonly name = 'McpDeclarationError';

  constructor(readonly fault: McpToolFault) {
    super(
      `${fault.origin}${fault.name === undefined ? '' : ` (${fault.kind ?? 'tool'} "${fault.name}")`}: ${fault.reason}`,
    );
  }
}

/** What is particular to a kind of declaration. */
export interface McpDeclarationRules<Entry, Declared> {
  /** The checked declaration, or the reason why it is none. It may throw: the entry is of anybody's making. */
  readonly check: (entry: Entry) => Declared | string;
  /** What is told of one that is discarded, as far as it can be read. */
  readonly named: (entry: Entry) => Pick<McpToolFault, 'name' | 'kind'>;
  /** Why the second of a name is discarded. */
  readonly taken: (earlier: { readonly origin: string }) => string;
  /** Declarations that exist already and keep their names. */
  readonly existing?: (name: string) => { readonly origin: string } | undefined;
  /** Hears of each fault. Absent: the first fault is thrown. */
  readonly report: ((fault: McpToolFault) => void) | undefined;
}

/**
 * The declarations that pass, in their order.
 *
 * @throws McpDeclarationError on the first fault, unless `report` is there to hear of it.
 */
export function takeDeclarations<Entry extends { readonly origin: string }, Declared extends Named>(
  entries: readonly Entry[],
  { check, named, taken, existing, report }: McpDeclarationRules<Entry, Declared>,
): Declared[] {
  const accepted = new Map<string, Declared>();
  for (const entry of entries) {
    const declared = attempt(() => check(entry), unreadable);
    const earlier =
      typeof declared === 'string' ? undefined : (existing?.(declared.name) ?? accepted.get(declared.name));
    if (typeof declared !== 'string' && earlier === undefined) {
      accepted.set(declared.name, declared);
      continue;
    }
    const reason = earlier === undefined ? (declared as string) : taken(earlier);
    const fault = {
      origin: entry.origin,
      ...attempt(
        () => named(entry),
        () => ({}),
      ),
      reason,
    };
    if (report === undefined) throw new McpDeclarationError(fault);
    report(fault);
  }
  return [...accepted.values()];
}

interface Named {
  readonly name: string;
  readonly origin: string;
}

/** A declaration that throws when it is read takes nothing from the others. */
function attempt<T, F>(read: () => T, failed: (error: unknown) => F): T | F {
  try {
    return read();
  } catch (error) {
    return failed(error);
  }
}

function unreadable(error: unknown): string {
  return `it cannot be read, something in it threw: ${thrownMessage(error)}`;
}
