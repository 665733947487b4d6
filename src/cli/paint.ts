/**
 * Colours, where a person sees them: on a terminal, unless NO_COLOR is set (https://no-color.org).
 */
import { inspect } from 'node:util';
import type { McpCommandSurroundings } from './surroundings.js';

/** What a text is to say by its colour. */
export type PaintStyle = 'good' | 'bad' | 'doubtful' | 'quiet' | 'strong';

/** Gives a text its colour, or the text itself. */
export type Paint = (style: PaintStyle, text: string) => string;

const STYLES = { good: 'green', bad: 'red', doubtful: 'yellow', quiet: 'dim', strong: 'bold' } as const;

/** Whether one of the two outputs shows colours. */
export function isColoured({ env, terminal }: McpCommandSurroundings, output: 'out' | 'err'): boolean {
  return terminal[output] && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
}

/** The colours of one of the two outputs. Not `util.styleText`: newer versions of Node ask their own stdout again. */
export function paintFor(surroundings: McpCommandSurroundings, output: 'out' | 'err'): Paint {
  const coloured = isColoured(surroundings, output);
  return (style, text) => {
    const [on, off] = inspect.colors[STYLES[style]] ?? [0, 0];
    return coloured ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  };
}

/** Somebody else's text on one line, without what a terminal would take for a command; shortened to `length`. */
export function quoted(text: string, length = 200): string {
  const line = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return line.length <= length ? line : `${line.slice(0, length)}…`;
}

const COMMANDS = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Somebody else's text as it is, but for what a terminal would take for a command or read in another direction. */
export function printable(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(COMMANDS, '\ufffd');
}

/** JSON for programs, in which nothing stands raw that a terminal would take for a command or read in another direction. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value, undefined, 2);
  return `${text.replace(COMMANDS, (command) => `\\u${command.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}
