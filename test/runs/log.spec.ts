/** What a tool logs, and what the client that asked for it receives. */
import * as fc from 'fast-check';
import {
  createLogReporter,
  MCP_LOG_LEVELS,
  MCP_LOG_MAX_PER_SECOND,
  NO_LOG,
  type McpLogLevel,
  type McpLogParams,
} from '../../src/runs/log.js';
import { McpOpenRun } from '../../src/runs/open-run.js';
import { HandClock } from '../support/hand-clock.js';

interface Sent extends McpLogParams {
  readonly at: number;
}

function listen(from: McpLogLevel = 'debug', maxPerSecond?: number) {
  const clock = new HandClock();
  const sent: Sent[] = [];
  const reporter = createLogReporter({
    from,
    clock,
    send: (params) => sent.push({ ...params, at: clock.now() }),
    ...(maxPerSecond !== undefined && { maxPerSecond }),
  });
  return { clock, sent, reporter, data: () => sent.map(({ data }) => data) };
}

describe('a tool that logs', () => {
  it('is heard in its own words, at once', () => {
    const { reporter, sent } = listen();
    const data = { failed: 'connection' };
    reporter.log('error', data, 'database');
    reporter.log('info', 'plain');
    expect(sent).toEqual([
      { level: 'error', logger: 'database', data, at: 1_000 },
      { level: 'info', data: 'plain', at: 1_000 },
    ]);
  });

  it.each(MCP_LOG_LEVELS)('is heard from "%s" on, and not below', (from) => {
    const { reporter, sent } = listen(from);
    for (const level of MCP_LOG_LEVELS) reporter.log(level, level);
    expect(sent.map(({ level }) => level)).toEqual(MCP_LOG_LEVELS.slice(MCP_LOG_LEVELS.indexOf(from)));
  });

  it.each(['warn', 'DEBUG', '', undefined, null, 7, {}, Symbol('x')])(
    'never throws for the level %p, and is not heard',
    (level) => {
      const { reporter, sent } = listen();
      reporter.log(level as McpLogLevel, 'x');
      expect(sent).toEqual([]);
    },
  );

  it('is heard under the name of a logger only when it is a text', () => {
    const { reporter, sent } = listen();
    for (const logger of [7, {}, null]) reporter.log('info', 'x', logger as unknown as string);
    expect(sent.some((params) => 'logger' in params)).toBe(false);
  });

  it('has no name of a logger that is longer than a name', () => {
    const { reporter, sent } = listen();
    reporter.log('info', 'x', 'n'.repeat(1_000_000));
    expect(sent).toMatchObject([{ logger: 'n'.repeat(200) }]);
  });

  it('in a loop sends no more than the bound of a second, and then says how many were dropped, as severe as they were', () => {
    const { reporter, clock, sent, data } = listen();
    for (let at = 0; at < 1_000; at += 1) reporter.log(at === 999 ? 'alert' : 'info', at);
    expect(data()).toEqual(Array.from({ length: MCP_LOG_MAX_PER_SECOND }, (_, at) => at));
    clock.turn(999);
    reporter.log('debug', 'still too early');
    expect(sent).toHaveLength(MCP_LOG_MAX_PER_SECOND);
    clock.turn(1);
    reporter.log('debug', 'later');
    expect(sent.slice(MCP_LOG_MAX_PER_SECOND)).toEqual([
      {
        level: 'alert',
        logger: 'nestjs-mcp-gate',
        data: '951 messages were dropped: at most 50 a second are sent.',
        at: 2_000,
      },
      { level: 'debug', data: 'later', at: 2_000 },
    ]);
  });

  it('says at the end how many were dropped, and nothing when none were', () => {
    const { reporter, data } = listen('debug', 1);
    reporter.log('info', 'one');
    reporter.end();
    expect(data()).toEqual(['one']);
    const second = listen('debug', 1);
    for (const word of ['one', 'two']) second.reporter.log('info', word);
    second.reporter.end();
    second.reporter.end();
    expect(second.data()).toEqual(['one', '1 message was dropped: at most 1 a second are sent.']);
  });

  it('does not count what nobody wants to hear', () => {
    const { reporter, data } = listen('error', 1);
    for (let at = 0; at < 10; at += 1) reporter.log('info', at);
    reporter.log('error', 'heard');
    reporter.end();
    expect(data()).toEqual(['heard']);
  });

  it('is silent after the end, and after it was stopped, also of what was dropped', () => {
    const ended = listen();
    ended.reporter.end();
    ended.reporter.log('emergency', 'late');
    const stopped = listen('debug', 1);
    for (const word of ['one', 'two']) stopped.reporter.log('info', word);
    stopped.reporter.stop();
    stopped.reporter.log('emergency', 'late');
    stopped.reporter.end();
    expect([ended.data(), stopped.data()]).toEqual([[], ['one']]);
  });

  it('never exceeds its bound, whatever the times and levels, and loses count of nothing', () => {
    const step = fc.tuple(fc.constantFrom(...MCP_LOG_LEVELS), fc.nat({ max: 400 }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 9 }), (steps, most) => {
        const { reporter, clock, sent } = listen('notice', most);
        for (const [level, ms] of steps) {
          reporter.log(level, 'x');
          clock.turn(ms);
        }
        reporter.end();
        const said = sent.filter(({ logger }) => logger !== undefined);
        const own = sent.filter(({ logger }) => logger === undefined);
        const heard = steps.filter(([level]) => level !== 'debug' && level !== 'info');
        const dropped = said.reduce((sum, { data }) => sum + Number.parseInt(String(data), 10), 0);
        expect(own.length + dropped).toBe(heard.length);
        for (const { at } of own)
          expect(own.filter((other) => other.at >= at && other.at < at + 1_000).length).toBeLessThanOrEqual(2 * most);
        const seconds = Math.floor((clock.now() - 1_000) / 1_000) + 1;
        expect(sent.length).toBeLessThanOrEqual(seconds * most + 1);
      }),
    );
  });
});

describe('how severe it is that messages were dropped', () => {
  it('is said of those that were dropped since it was said last', () => {
    const { reporter, clock, sent } = listen('debug', 1);
    for (const level of ['info', 'alert', 'debug'] as const) {
      reporter.log('info', 'sent');
      reporter.log(level, 'dropped');
      clock.turn(1_000);
    }
    reporter.log('info', 'later');
    const told = sent.filter(({ logger }) => logger === 'nestjs-mcp-gate').map(({ level }) => level);
    expect(told).toEqual(['info', 'alert', 'info']);
  });
});

describe('the log of a run', () => {
  it('is not even opened once the run is over', () => {
    for (const over of ['end', 'abort'] as const) {
      const { reporter, data } = listen();
      const run = new McpOpenRun({ log: reporter });
      if (over === 'end') run.end();
      else run.abort('cancelled');
      run.log('emergency', 'late');
      expect(data()).toEqual([]);
    }
  });

  it('goes nowhere while nobody listens: one object for all', () => {
    const run = new McpOpenRun({});
    run.log('emergency', 'x');
    NO_LOG.log('emergency', 'x');
    run.end();
    expect(Object.isFrozen(NO_LOG)).toBe(true);
  });

  it('is opened once a tool logs, and never for a tool that does not', () => {
    let opened = 0;
    class Watched extends McpOpenRun {
      protected override openLog() {
        opened += 1;
        return super.openLog();
      }
    }
    const [silent, loud] = [new Watched({}), new Watched({})];
    silent.end();
    for (const word of ['one', 'two']) loud.log('info', word);
    loud.end();
    expect(opened).toBe(1);
  });

  it.each(['end', 'abort'] as const)('is over with the %s of the run', (how) => {
    const { reporter, data } = listen('debug', 1);
    const run = new McpOpenRun({ log: reporter });
    for (const word of ['one', 'two']) run.log('info', word);
    if (how === 'end') run.end();
    else run.abort('cancelled');
    run.end(); // what ends an aborted run, too
    run.log('emergency', 'late');
    expect(data()).toEqual(how === 'end' ? ['one', '1 message was dropped: at most 1 a second are sent.'] : ['one']);
  });
});
