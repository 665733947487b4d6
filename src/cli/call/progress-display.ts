/**
 * The progress of a call on standard error: a bar that moves on a terminal, lines elsewhere.
 */
import { paintFor, quoted } from '../paint.js';
import type { McpCommandSurroundings } from '../surroundings.js';
import type { CallProgress } from './outcome.js';

/** Shows progress until the end, which leaves nothing of a bar behind. */
export interface ProgressDisplay {
  readonly show: (progress: CallProgress) => void;
  readonly end: () => void;
}

const BAR_WIDTH = 24;
const LEAST_WIDTH = 40;
const CLEAR = '\r\u001b[K';

/** A display for one call. */
export function progressDisplay(surroundings: McpCommandSurroundings): ProgressDisplay {
  const { err, env, terminal } = surroundings;
  if (!terminal.err || env['TERM'] === 'dumb') {
    return { show: (progress) => err(`${inWords(progress)}\n`), end: () => undefined };
  }
  const paint = paintFor(surroundings, 'err');
  const width = Math.max(LEAST_WIDTH, terminal.columns) - 1; // a full line would move the cursor down
  let isOnScreen = false;
  return {
    show: (progress) => {
      const bar = barOf(progress);
      err(`${CLEAR}${paint('good', bar)}${cutTo(inWords(progress), width - bar.length)}`);
      isOnScreen = true;
    },
    end: () => {
      if (isOnScreen) err(CLEAR);
      isOnScreen = false;
    },
  };
}

function barOf({ progress, total }: CallProgress): string {
  const share = shareOf(progress, total);
  if (share === undefined) return '';
  const done = Math.round(share * BAR_WIDTH);
  return `[${'#'.repeat(done)}${'-'.repeat(BAR_WIDTH - done)}] `;
}

/** Between 0 and 1, if there is an end to measure by. */
function shareOf(progress: number, total: number | undefined): number | undefined {
  return total === undefined || !(total > 0) ? undefined : Math.min(1, Math.max(0, progress / total));
}

function inWords({ progress, total, message = '' }: CallProgress): string {
  const share = shareOf(progress, total);
  const measure = share === undefined ? String(progress) : `${String(Math.floor(share * 100)).padStart(3)} %`;
  return `${measure} ${quoted(message)}`.trimEnd();
}

function cutTo(text: string, room: number): string {
  return text.length <= room ? text : `${text.slice(0, room - 1)}…`;
}
