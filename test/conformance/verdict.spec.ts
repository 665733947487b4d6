/** What the suite's results are taken for: a check that was not seen to hold is lost, and an excuse is no blank cheque. */
import type { NotMeant } from './harness/not-meant.js';
import { NOT_MEANT } from './harness/not-meant.js';
import type { Check, Scenario } from './harness/suite.js';
import { table } from './harness/table.js';
import { judge } from './harness/verdict.js';

const SCENARIO: Scenario = { name: 'ping', revision: '2026-07-28', scored: true };

function check(status: Check['status'], id = 'ping', errorMessage?: string): Check {
  return { id, name: 'Ping', description: 'It answers', status, ...(errorMessage !== undefined && { errorMessage }) };
}

const judged = (checks: Check[] | undefined, ...notMeant: NotMeant[]) => judge(SCENARIO, checks, notMeant);

describe('the verdict on a scenario', () => {
  it('is good when every check holds; what only informs is not counted', () => {
    expect(judged([check('SUCCESS'), check('INFO'), check('SUCCESS')])).toMatchObject({
      passed: 2,
      failed: 0,
      warnings: 0,
      lost: [],
      passesAfterAll: false,
    });
  });

  it.each(['FAILURE', 'WARNING', 'SKIPPED'] as const)(
    'loses a check with %s, and says what the suite said',
    (status) => {
      expect(judged([check('SUCCESS'), check(status, 'pong', 'too late')]).lost).toEqual([
        `${status} pong: It answers\ntoo late`,
      ]);
    },
  );

  it('is that something was lost when it came to no end, or checked nothing', () => {
    expect(judged(undefined).lost).toEqual(['the scenario came to no end']);
    expect(judged([]).lost).toEqual(['nothing was checked']);
    expect(judged([check('INFO')]).lost).toEqual(['nothing was checked']);
  });

  it('loses nothing of a scenario that is not meant', () => {
    const entry = { scenario: 'ping', reason: 'no balls' };
    const good = { lost: [], notMeant: true, excuse: 'no balls', passesAfterAll: false };
    expect(judged([check('FAILURE'), check('SUCCESS')], entry)).toMatchObject(good);
    expect(judged(undefined, entry)).toMatchObject(good);
    expect(judged([check('INFO')], entry)).toMatchObject(good);
  });

  it('excuses one check alone where one is named, in its revision alone where one is', () => {
    const entry: NotMeant = { scenario: 'ping', check: 'pong', revision: '2026-07-28', reason: 'no balls' };
    expect(judged([check('WARNING', 'pong')], entry)).toMatchObject({ lost: [], notMeant: false });
    expect(judged([check('WARNING', 'pong'), check('WARNING', 'ping')], entry).lost).toHaveLength(1);
    expect(judged(undefined, entry).lost).toHaveLength(1);
    expect(judged([check('WARNING', 'pong')], { ...entry, revision: '2025-11-25' }).lost).toHaveLength(1);
    expect(judged([check('WARNING', 'pong')], { ...entry, scenario: 'tennis' }).lost).toHaveLength(1);
  });

  it('tells of what is not meant and passes', () => {
    const whole = { scenario: 'ping', reason: 'no balls' };
    const one = { ...whole, check: 'pong' };
    expect(judged([check('SUCCESS')], whole).passesAfterAll).toBe(true);
    expect(judged([check('SUCCESS', 'pong')], one).passesAfterAll).toBe(true);
    expect(judged([check('SUCCESS'), check('WARNING', 'pong')], one).passesAfterAll).toBe(false);
  });

  it('excuses nothing but sessions, what needs them, and tasks', () => {
    const others = NOT_MEANT.filter(({ scenario }) => !/^(tasks-|server-s(ession|se)-)/.test(scenario));
    expect(others).toEqual([]);
    expect(NOT_MEANT.every(({ reason }) => reason !== '')).toBe(true);
  });
});

describe('the table', () => {
  it('has a column for each platform, sums up what is meant, and marks what was lost', () => {
    const unscored = { ...SCENARIO, name: 'http-header-validation', scored: false };
    const tasks = { ...SCENARIO, name: 'tasks-lifecycle', scored: false };
    const column = (platform: string, ping: Check['status']) => ({
      platform,
      verdicts: [
        judge(SCENARIO, [check(ping), check('SUCCESS')], []),
        judge(unscored, [check('SUCCESS')], []),
        judge(tasks, [check('FAILURE')], NOT_MEANT),
      ],
    });
    const text = table('2026-07-28', [column('Express', 'SUCCESS'), column('Fastify', 'WARNING')]);
    expect(text.replace(/ {2,}/g, ' | ')).toBe(
      [
        '2026-07-28 | Express | Fastify | checks passed/failed/warnings',
        ' | scored | 1 of 1 | 0 of 1',
        ' | ping | 2/0/0 | 1/0/1 LOST',
        ' | not scored | 1 of 1 | 1 of 1',
        ' | http-header-validation | 1/0/0 | 1/0/0',
        ' | not meant',
        ' | tasks-lifecycle | 0/1/0 | 0/1/0 | the extension io.modelcontextprotocol/tasks is not offered',
      ].join('\n'),
    );
  });
});
