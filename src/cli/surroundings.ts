/**
 * What stands around a command: everything of the process that it may know, write to or be told by.
 */
import type { Readable } from 'node:stream';
import type { ServingProcess } from '../stdio/process-end.js';

/** What a command may know and write to. */
export interface McpCommandSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Standard output: results alone. */
  readonly out: (text: string) => void;
  /** Standard error: everything meant for a person. */
  readonly err: (text: string) => void;
  /** Standard input, for a command that is told to read it. @default that of the process */
  readonly stdin?: Readable;
  /** The folder that relative paths start from. */
  readonly cwd: string;
  /** The user's own folder. */
  readonly home: string;
  /** Which of the two outputs is a terminal, and how wide it is in characters. */
  readonly terminal: { readonly out: boolean; readonly err: boolean; readonly columns: number };
  /** Aborts when the user presses Ctrl-C. Whoever reads it answers for the end: the process does not end by itself. */
  readonly interrupted: AbortSignal;
  /** The process itself, for a command that is a server on its standard streams: it answers for their ends from then on. */
  readonly takeProcess: () => ServingProcess;
}
