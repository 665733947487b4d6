import * as fc from 'fast-check';
import { newsMessage, subscriptionMeta } from '../../src/protocol/news.js';
import { supersededUnder } from '../../src/protocol/superseded.js';
import type { McpEvent } from '../../src/events/event.js';

const id = fc.oneof(fc.string(), fc.integer(), fc.constant(undefined));
const event = fc.oneof(
  fc.record({ kind: fc.constantFrom('tools' as const, 'prompts' as const, 'resources' as const) }),
  fc.record({ kind: fc.constant('resource' as const), uri: fc.webUrl() }),
) as fc.Arbitrary<McpEvent>;

describe('a notification that waits', () => {
  it('gives way to the same news of the same subscription, and to no other', () => {
    fc.assert(
      fc.property(id, event, id, event, (oneId, one, otherId, other) => {
        const [a, b] = [newsMessage(one, oneId), newsMessage(other, otherId)];
        const same = JSON.stringify(a) === JSON.stringify(b);
        return (supersededUnder(a) === supersededUnder(b)) === same;
      }),
    );
  });

  it('with the acknowledgement of a subscription has a name, so that it is never dropped, and no other has it', () => {
    const acknowledged = (subscription: string | number) =>
      supersededUnder({
        jsonrpc: '2.0',
        method: 'notifications/subscriptions/acknowledged',
        params: { ...subscriptionMeta(subscription), notifications: {} },
      });
    expect(acknowledged(1)).toBeDefined();
    expect(new Set([acknowledged(1), acknowledged('1'), acknowledged(2)]).size).toBe(3);
  });

  it('with progress gives way to that of the same token, which no subscription can take for its own', () => {
    fc.assert(
      fc.property(id, event, fc.oneof(fc.string(), fc.integer()), (subscription, news, progressToken) => {
        const progress = supersededUnder({
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken, progress: 1 },
        });
        return progress !== supersededUnder(newsMessage(news, subscription));
      }),
    );
  });

  it('with anything else counts by itself', () => {
    expect(supersededUnder({ jsonrpc: '2.0', method: 'notifications/message', params: {} })).toBeUndefined();
  });
});
