import * as fc from 'fast-check';
import { isMcpEvent, MCP_LISTS } from '../../src/events/event.js';

describe('an event', () => {
  const event = fc.oneof(
    fc.record({ kind: fc.constantFrom(...MCP_LISTS) }),
    fc.record({ kind: fc.constant('resource'), uri: fc.string({ minLength: 1 }) }),
  );

  it('is one still after it was carried as JSON', () => {
    fc.assert(fc.property(event, (given) => isMcpEvent(JSON.parse(JSON.stringify(given)))));
  });

  it('is told from anything else that comes over a bus, which is passed over', () => {
    const kinds = new Set<unknown>([...MCP_LISTS, 'resource']);
    fc.assert(
      fc.property(fc.anything(), (given) => {
        const kind = typeof given === 'object' && given !== null ? (given as { kind?: unknown }).kind : undefined;
        fc.pre(!kinds.has(kind));
        return !isMcpEvent(given);
      }),
    );
    for (const uri of [undefined, '', 7]) expect(isMcpEvent({ kind: 'resource', uri })).toBe(false);
    expect(isMcpEvent({ kind: 'accounts' })).toBe(false); // of a later version
  });
});
