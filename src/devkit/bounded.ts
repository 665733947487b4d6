/**
 * A part of a list that an agent can read: what its filter leaves, as far as an answer may go, and how many more there are.
 */

/** Characters that no answer of the devkit exceeds. */
export const DEVKIT_ANSWER_MAX_CHARS = 16_000;
/** Of these, for the items of one list: what stands around them needs room too. */
const ITEMS_MAX_CHARS = 13_000;
/** Of these, for one item beside others. */
const ITEM_MAX_CHARS = 6_000;
const LIMIT = 50;

/** How a list is narrowed. */
export interface BoundedOptions<T> {
  /** Words, all of which an item's text must hold; upper and lower case are the same. @default every item */
  readonly filter?: string | undefined;
  /** Items at most. @default 50 */
  readonly limit?: number | undefined;
  /** What the items are, in the plural: `routes`. */
  readonly of: string;
  /** What the filter looks at. @default the item as JSON */
  readonly text?: (item: T) => string;
}

/** The part of a list that is told. */
export interface BoundedList<T> {
  readonly items: T[];
  /** How many there are that the filter leaves. */
  readonly total: number;
  /** How many of them are not told, and how to narrow. */
  readonly more?: string;
}

/** The items that match and fit, in their order. Items must be what JSON can carry. */
export function bounded<T>(items: readonly T[], options: BoundedOptions<T>): BoundedList<T> {
  return fitting(matching(items, options.filter, options.text), options);
}

/** The items whose text holds every word of a filter. */
export function matching<T>(items: readonly T[], filter = '', text: (item: T) => string = jsonOf): readonly T[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return items;
  return items.filter((item) => {
    const told = text(item).toLowerCase();
    return words.every((word) => told.includes(word));
  });
}

/** The first items that an answer has room for. */
export function fitting<T>(
  items: readonly T[],
  { filter, limit = LIMIT, of }: Pick<BoundedOptions<T>, 'filter' | 'limit' | 'of'>,
): BoundedList<T> {
  const told: T[] = [];
  let room = ITEMS_MAX_CHARS;
  // An item that leaves no room for others is told in part: no filter would make it any shorter.
  const most = items.length === 1 ? ITEMS_MAX_CHARS - 1 : ITEM_MAX_CHARS;
  for (const item of items) {
    const one = jsonOf(item).length <= most ? item : (shortened(item) as T);
    room -= jsonOf(one).length + 1;
    if (told.length >= limit || room < 0) break;
    told.push(one);
  }
  const left = items.length - told.length;
  const way = filter ? 'narrow the filter' : 'narrow with filter';
  return { items: told, total: items.length, ...(left > 0 && { more: `${left} more ${of}: ${way}` }) };
}

/** The first of a list, and how many more there are. */
export function someOf<T>(items: readonly T[], most: number): readonly (T | string)[] {
  return items.length <= most ? items : [...items.slice(0, most), `${items.length - most} more`];
}

/** Of an item that alone is more than an answer: the beginning of its texts and lists, and how much more there is. */
function shortened(item: unknown): unknown {
  const [texts, entries] = [400, 20];
  if (typeof item === 'string')
    return item.length <= texts ? item : `${item.slice(0, texts)}… (${item.length} characters)`;
  if (Array.isArray(item)) {
    return someOf(item as unknown[], entries).map((one) => cut(one, 120));
  }
  if (typeof item !== 'object' || item === null) return item;
  const fields = Object.entries(item).slice(0, entries);
  const short = fields.map(([name, value]) => [
    name.slice(0, texts),
    typeof value === 'object' ? shortened(value) : cut(value, texts),
  ]);
  const whole = Object.fromEntries(short) as unknown;
  return jsonOf(whole).length <= ITEM_MAX_CHARS ? whole : cut(item, texts);
}

/** A part of an item: itself while it is short. */
function cut(value: unknown, most: number): unknown {
  const text = jsonOf(value);
  return text.length <= most ? value : `${text.slice(0, most)}… (${text.length} characters)`;
}

function jsonOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
