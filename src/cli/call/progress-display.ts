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

/** As much of a text as fits into so many columns of a terminal. */
function cutTo(text: string, room: number): string {
  let shown = '';
  let columns = 0;
  for (const character of text) {
    columns += WIDE.test(character) ? 2 : 1;
    if (columns > room) return `${shown}…`;
    if (columns < room) shown += character;
  }
  return text;
}

/** What takes two columns: characters of East Asia, and pictures. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
