/**
 * Markdown, cut into passages: one for each heading, and several where what stands under it is long.
 */

/** A part of a document that can be read by itself. */
export interface Passage {
  /** The headings above it, the nearest last: `Testing > In memory`. */
  readonly heading: string;
  /** The line that it begins at. */
  readonly line: number;
  readonly text: string;
}

const MAX_CHARS = 1_200;
const MAX_HEADING = 160;

/** The passages of a document, in its order. Headings inside of code are none. */
export function passagesOf(document: string): Passage[] {
  const passages: Passage[] = [];
  const above: { level: number; title: string }[] = [];
  let fence: string | undefined;
  let held: string[] = [];
  let from = 1;
  let length = 0;

  function end(next: number): void {
    const text = held.join('\n').trim();
    const heading = above
      .map(({ title }) => title)
      .join(' > ')
      .slice(0, MAX_HEADING);
    if (text !== '') passages.push({ heading, line: from, text: text.slice(0, MAX_CHARS) });
    held = [];
    length = 0;
    from = next;
  }

  for (const [at, line] of document.split('\n').entries()) {
    const mark = line.trimStart().slice(0, 3);
    if (mark === '```' || mark === '~~~') fence = fence === undefined ? mark : fence === mark ? undefined : fence;
    const level = fence === undefined ? levelOf(line) : 0;
    if (level > 0) {
      end(at + 1);
      while (above.length > 0 && above.at(-1)!.level >= level) above.pop();
      above.push({ level, title: line.slice(level).trim() });
    } else if (
      length + line.length > MAX_CHARS ||
      (line.trim() === '' && length > MAX_CHARS * 0.7 && fence === undefined)
    ) {
      end(at + 1);
    }
    held.push(line);
    length += line.length + 1;
  }
  end(0);
  return passages;
}

/** How many `#` make a line a heading; 0 for any other line. */
function levelOf(line: string): number {
  let level = 0;
  while (line[level] === '#') level += 1;
  return level >= 1 && level <= 6 && line[level] === ' ' ? level : 0;
}
