/**
 * Names and paths as an agent reads them: `items[2].sku`. Names that come from a client are quoted and cut, so that
 * nothing in them can pass for our own words.
 */

const MAX_NAME_CHARS = 100;
const MAX_PATH_CHARS = 240;
const PLAIN_NAME = /^[A-Za-z_$][\w$-]*$/;

/** `"name"`, cut at 100 characters. */
export function quoted(name: string): string {
  return JSON.stringify(cut(name, MAX_NAME_CHARS));
}

/** Cuts a text; never between the two halves of a character. */
export function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Goes one step down: `.name`, `[3]`, or `["odd name"]`. */
export function below(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`;
  if (!PLAIN_NAME.test(step) || step.length > MAX_NAME_CHARS) return `${path}[${quoted(step)}]`;
  return path === '' ? step : `${path}.${step}`;
}

/** The path of steps taken from the arguments downwards; the middle of a very long one is left out. */
export function pathOf(steps: readonly (string | number)[]): string {
  const path = steps.reduce<string>(below, '');
  if (path.length <= MAX_PATH_CHARS) return path;
  return `${cut(path, MAX_PATH_CHARS / 2)}${path.slice(-MAX_PATH_CHARS / 2)}`;
}

/** The path that a JSON pointer takes through `value`, where only the value tells an index from a name. */
export function pathOfPointer(pointer: string, value: unknown): string {
  const steps: (string | number)[] = [];
  let here = value;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    steps.push(Array.isArray(here) ? Number(name) : name);
    here = typeof here === 'object' && here !== null ? (here as Record<string, unknown>)[name] : undefined;
  }
  return pathOf(steps);
}
