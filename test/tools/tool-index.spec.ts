/** The sets of tools that callers have: remembered by what is in them, and by nothing else. */
import * as fc from 'fast-check';
import { declare, makeTool } from '../support/tools.js';

const SIZE = 37; // more than two words of decisions
const tools = () => declare(...Array.from({ length: SIZE }, (_, at) => makeTool({ name: `tool_${at}` })));
const decisions = fc.array(fc.boolean(), { minLength: SIZE, maxLength: SIZE });

it('a set holds exactly what was admitted, in the order of declaration', () => {
  const index = tools();
  fc.assert(
    fc.property(decisions, (admitted) => {
      expect(index.subset(admitted)).toEqual(index.entries.filter((_, at) => admitted[at]));
    }),
  );
});

it('one set is one array, and two sets are two', () => {
  fc.assert(
    fc.property(decisions, decisions, (one, other) => {
      const index = tools();
      const same = one.every((admitted, at) => admitted === other[at]);
      expect(index.subset([...one])).toBe(index.subset(one));
      expect(index.subset(other) === index.subset(one)).toBe(same);
    }),
  );
});

it('the set of everything is the index itself', () => {
  const index = tools();
  expect(index.subset(Array.from({ length: SIZE }, () => true))).toBe(index.entries);
});

it('no more than a few sets are kept, the newest', () => {
  const index = tools();
  const only = (wanted: number) => Array.from({ length: SIZE }, (_, at) => at === wanted);
  const first = index.subset(only(0));
  for (let at = 1; at < 32; at += 1) index.subset(only(at));
  expect(index.subset(only(0))).toBe(first);
  index.subset(only(32));
  expect(index.subset(only(0))).not.toBe(first);
});
