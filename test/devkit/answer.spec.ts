/** D: what leaves the devkit loses its secrets there, whoever has told it, and is never longer than an agent can use. */
import { answer } from '../../src/devkit/answer.js';
import { DEVKIT_ANSWER_MAX_CHARS } from '../../src/devkit/bounded.js';

const told = (value: unknown): string => (answer(value).content[0] as { text: string }).text;

it('loses its secrets, in a value and in a text', () => {
  expect(told({ db: { password: 'tangerine' } })).toBe('{"db":{"password":"[masked]"}}');
  expect(told('password=tangerine')).toBe('password=[masked]');
});

it('is summed up where it is longer', () => {
  const rows = Array.from({ length: 4_000 }, (_, at) => ({ at }));
  expect(told('x'.repeat(DEVKIT_ANSWER_MAX_CHARS))).toHaveLength(DEVKIT_ANSWER_MAX_CHARS);
  expect(JSON.parse(told(rows))).toMatchObject({ summary: expect.stringContaining('SUMMARY'), count: 4_000 });
});

it('is nothing for a value that says of itself that it has none', () => {
  expect(told({ toJSON: () => undefined })).toBe('');
});
