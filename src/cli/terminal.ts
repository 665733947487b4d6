/**
 * What the two outputs of a process are to whoever looks at them.
 */
import type { McpCommandSurroundings } from './surroundings.js';

/** What Node says of a stream: nothing at all, if it is no terminal. */
export interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const DEFAULT_COLUMNS = 100;

/** Which output is a terminal, and how wide it is: one of them may be piped, and a terminal whose size nobody has set has none. */
export function terminalOf(stdout: OutputStream, stderr: OutputStream): McpCommandSurroundings['terminal'] {
  return {
    out: stdout.isTTY === true,
    err: stderr.isTTY === true,
    columns: stdout.columns || stderr.columns || DEFAULT_COLUMNS,
  };
}
