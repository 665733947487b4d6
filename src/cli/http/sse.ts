/**
 * The events of a stream, as they come in pieces (HTML Living Standard, server-sent events).
 */

/** Characters that are held of an event that has not ended, and what a piece of it costs beside its text, about. */
const MOST_HELD = 64 * 1024 * 1024;
const PIECE_COST = 64;

/**
 * Gives each event's data to `onData`; comments and unfinished events give nothing.
 *
 * @param onTooLong hears once of an event that is longer than what is held of one; from then on nothing is read
 */
export function sseReader(onData: (data: string) => void, onTooLong?: () => void): (piece: string) => void {
  /** The line that has not ended, in pieces. */
  const line = { pieces: [] as string[], size: 0 };
  const data = { lines: [] as string[], size: 0 };
  let endedInReturn = false;
  let isTooLong = false;

  function hold(piece: string): void {
    line.pieces.push(piece);
    line.size += piece.length + PIECE_COST;
  }

  function endLine(): void {
    const text = line.pieces.join('');
    [line.pieces, line.size] = [[], 0];
    if (text === '') return endEvent();
    const [, field, value] = /^([^:]*):? ?(.*)$/s.exec(text)!;
    if (field !== 'data') return;
    data.lines.push(value!);
    data.size += value!.length + PIECE_COST;
  }

  function endEvent(): void {
    const { lines } = data;
    [data.lines, data.size] = [[], 0];
    if (lines.length > 0) onData(lines.join('\n'));
  }

  return (piece) => {
    if (isTooLong || piece === '') return;
    // The line of a CRLF that was cut in two has ended already.
    const text = endedInReturn && piece.startsWith('\n') ? piece.slice(1) : piece;
    endedInReturn = piece.endsWith('\r');
    const [first = '', ...others] = text.split(/\r\n|\n|\r/);
    hold(first);
    for (const next of others) {
      endLine();
      hold(next);
    }
    if (line.size + data.size <= MOST_HELD) return;
    isTooLong = true;
    [line.pieces, data.lines] = [[], []];
    onTooLong?.();
  };
}
