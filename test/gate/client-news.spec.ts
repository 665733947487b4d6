/** What is kept of clients that listen, and of the channel of one over a pipe: nothing once they have left (G10). */
import { inspect } from 'node:util';
import { createMcpEventBus } from '../../src/events/bus.js';
import { McpGateNews } from '../../src/gate/news.js';
import { StdioChannel } from '../../src/gate/stdio-channel.js';
import { McpOpenRun } from '../../src/runs/open-run.js';
import { Listener, settled, type Offered } from '../support/news.js';
import { makeEntry, makeTool } from '../support/tools.js';

describe('the subscriptions of a gate', () => {
  it('leave nothing of a caller behind', () => {
    const news = new McpGateNews(createMcpEventBus(), { perCaller: 2, total: 9 }, () => undefined);
    const remove = [news.add('ada', 1, new McpOpenRun({})), news.add('ada', 2, new McpOpenRun({}))];
    expect([news.boundOf('ada'), news.size, inspect(news, { depth: 5 }).includes('ada')]).toEqual([
      'perCaller',
      2,
      true,
    ]);
    for (const one of remove) one();
    expect([news.boundOf('ada'), news.size, inspect(news, { depth: 5 }).includes('ada')]).toEqual([
      undefined,
      0,
      false,
    ]);
  });
});

describe('the channel of a legacy client', () => {
  function channelOf(offered: Offered) {
    const listener = new Listener(offered);
    const failures: unknown[] = [];
    return { listener, failures, channel: new StdioChannel(listener, (error) => failures.push(error)) };
  }

  it('does not begin any more once it is over', () => {
    const { listener, channel } = channelOf({ tools: [] });
    channel.end();
    channel.begin();
    expect(listener.listening).toBe(0);
  });

  it('tells nothing more once it is over, though a look was under way', async () => {
    let answer: (admits: boolean) => void = () => undefined;
    const entry = makeEntry(makeTool(), () => new Promise<boolean>((resolve) => (answer = resolve)));
    const { listener, channel } = channelOf({ tools: [entry] });
    channel.begin();
    await settled();
    answer(true);
    await settled();
    listener.notifier.toolsChanged();
    await settled();
    channel.end();
    answer(false);
    await settled();
    expect(listener.told).toEqual([]);
  });

  it('tells of no list that was not there when it began: its capability was not declared', async () => {
    const { listener, channel, failures } = channelOf({ tools: [] });
    channel.begin();
    await settled();
    listener.offered.prompts = [{ name: 'review', handler: () => 'Review.' }];
    listener.offered.tools.push(makeTool());
    listener.notifier.promptsChanged();
    listener.notifier.toolsChanged();
    await settled();
    expect(listener.told.map(({ method }) => method)).toEqual(['notifications/tools/list_changed']);
    expect(failures).toEqual([]);
    channel.end();
  });
});
