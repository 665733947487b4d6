/**
 * The events of a stream, as they come in pieces (HTML Living Standard, server-sent events).
 */

/** Gives each event's data to `onData`; comments and unfinished events give nothing. */
export function sseReader(onData: (data: string) => void): (piece: string) => void {
  let rest = '';
  let data: string[] = [];

  function takeLine(line: string): void {
    if (line === '') {
      if (data.length > 0) onData(data.join('\n'));
      data = [];
      return;
    }
    const [, field, value] = /^([^:]*):? ?(.*)$/s.exec(line)!;
    if (field === 'data') data.push(value!);
  }

  return (piece) => {
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop()!;
    for (const line of lines) takeLine(line);
  };
}
