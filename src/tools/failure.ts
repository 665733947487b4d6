/**
 * Failures that an agent reads and mends: they become `isError` results. Whatever else a tool throws is the server's own
 * fault, and the client learns no more of it than a correlation id.
 */
import { cut } from './schemas/paths.js';

/** Business failure of a tool, thrown by it or anywhere below it. The message is what the agent reads. */
export class McpToolFailure extends Error {
  override name = 'McpToolFailure';

  // oxlint-disable-next-line no-useless-constructor -- the message is required here
  constructor(message: string) {
    super(message);
  }
}

/** One thing that is wrong with a call's arguments. */
export interface ArgumentFault {
  /** `items[2].sku`; `''` for the arguments as a whole. */
  readonly path: string;
  /** `must be a string of at most 8 characters`. */
  readonly expected: string;
}

const MAX_FAULTS = 20;
const MAX_FAULT_CHARS = 1_500;
const MAX_TEXT_CHARS = 4_000;

/** Arguments that a tool refuses. Its message lists every fault (20 at most, 4,000 characters), one on each line. */
export class McpArgumentFault extends McpToolFailure {
  override name = 'McpArgumentFault';

  constructor(readonly faults: readonly ArgumentFault[]) {
    super(faultText(faults));
  }
}

function faultText(faults: readonly ArgumentFault[]): string {
  const lines = ['Invalid arguments:'];
  let room = MAX_TEXT_CHARS - 100; // for the heading and the last line
  for (const fault of faults.slice(0, MAX_FAULTS)) {
    const subject = fault.expected.startsWith('must ') ? 'the arguments ' : '';
    const line = cut(
      fault.path === '' ? subject + fault.expected : `${fault.path}: ${fault.expected}`,
      MAX_FAULT_CHARS,
    );
    room -= line.length + 3;
    if (room < 0) break;
    lines.push(`- ${line}`);
  }
  const unsaid = faults.length - (lines.length - 1);
  if (unsaid > 0) lines.push(`and ${unsaid} more`);
  return lines.join('\n');
}
