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
