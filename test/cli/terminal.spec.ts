import { terminalOf } from '../../src/cli/terminal.js';

describe('the outputs of a process', () => {
  it.each([
    ['both are terminals', { isTTY: true, columns: 80 }, { isTTY: true, columns: 80 }, [true, true, 80]],
    ['the result is piped', {}, { isTTY: true, columns: 60 }, [false, true, 60]],
    ['neither is a terminal', {}, {}, [false, false, 100]],
    [
      'nobody has set the size of the terminal',
      { isTTY: true, columns: 0 },
      { isTTY: true, columns: 0 },
      [true, true, 100],
    ],
  ])('are known for what they are when %s', (_, stdout, stderr, [out, err, columns]) => {
    expect(terminalOf(stdout, stderr)).toEqual({ out, err, columns });
  });
});
