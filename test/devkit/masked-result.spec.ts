/** D: a result that a read of the administration makes itself loses its secrets wherever they stand in it; bytes stay. */
import { maskedResult } from '../../src/devkit/admin/masked-result.js';

const masked = (result: object): any => maskedResult({ content: [], ...result });

it.each([
  ['what is structured', { structuredContent: { db: { password: 'tangerine' } } }],
  ['what is said beside it', { _meta: { token: 'tangerine' } }],
  ['a text', { content: [{ type: 'text', text: 'password=tangerine' }] }],
  ['what is said beside a text', { content: [{ type: 'text', text: 'x', _meta: { token: 'tangerine' } }] }],
  [
    'JSON in a text, under the name of something that holds secrets',
    { content: [{ type: 'text', text: ' {"secrets":{"first":"tangerine"}}' }] },
  ],
  [
    'JSON in a document, under the name of something that holds secrets',
    { content: [{ type: 'resource', resource: { uri: 'shop:a', text: '{"secrets":{"first":"tangerine"}}' } }] },
  ],
  [
    'what is said beside bytes',
    { content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png', _meta: { token: 'tangerine' } }] },
  ],
  [
    'a text beside the bytes of a resource',
    { content: [{ type: 'resource', resource: { uri: 'shop:a', blob: 'AAAA', text: 'password=tangerine' } }] },
  ],
  ['a document', { content: [{ type: 'resource', resource: { uri: 'shop:a', text: 'password=tangerine' } }] }],
  ['a link', { content: [{ type: 'resource_link', uri: 'https://app:tangerine@shop.example', name: 'x' }] }],
])('%s', (_, result) => {
  const told = JSON.stringify(masked(result));
  expect(told).toContain('[masked]');
  expect(told).not.toContain('tangerine');
});

it.each([
  { type: 'image', data: 'q7Zr2Lk9XwB4nVt6YpM1sHd8', mimeType: 'image/png' },
  { type: 'audio', data: 'q7Zr2Lk9XwB4nVt6YpM1sHd8', mimeType: 'audio/wav' },
  { type: 'resource', resource: { uri: 'shop:a', blob: 'q7Zr2Lk9XwB4nVt6YpM1sHd8' } },
])('bytes stay as they are: %j', (block) => {
  expect(masked({ content: [block] }).content).toEqual([block]);
});

it('a text that only begins like JSON is masked as a text', () => {
  expect(masked({ content: [{ type: 'text', text: '[not json] password=tangerine' }] }).content[0].text).toBe(
    '[not json] password=[masked]',
  );
});

it.each([
  ['a document', { content: [{ type: 'resource', resource: { uri: 'shop:a', text: 'word '.repeat(20_000) } }] }],
  ['what is structured', { structuredContent: { words: Array.from({ length: 4_000 }, () => 'a word or two') } }],
  ['what is said beside it', { _meta: { words: 'word '.repeat(20_000) } }],
  ['a link', { content: [{ type: 'resource_link', uri: 'shop:a', name: 'x', description: 'word '.repeat(20_000) }] }],
  ['many blocks', { content: Array.from({ length: 300 }, () => ({ type: 'text', text: 'word '.repeat(500) })) }],
])('%s: what is longer than an answer may be is summed up, or left out and counted', (_, result) => {
  const told = JSON.stringify(masked(result));
  expect(told.length).toBeLessThanOrEqual(21_000);
  expect(told).toMatch(/SUMMARY|\d+ more blocks are left out: narrow the question/);
});

it('one text that is as long as it may be is told whole, whatever JSON makes of it, and an image beside it', () => {
  const text = { type: 'text', text: '"\n'.repeat(7_900) };
  const image = { type: 'image', data: 'A'.repeat(100_000), mimeType: 'image/png' };
  expect(masked({ content: [text, image] }).content).toEqual([text, image]);
});
