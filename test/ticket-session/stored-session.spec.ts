/** K: the login flow over a session library: what a store that fails, or a login that refuses, leaves behind is nothing. */
import { storedSessionFlow, type McpSessionLogin } from '../../src/ticket-session/index.js';

type Done = (error?: unknown) => void;

/** A request with a session of a library, and what was asked of it. */
function opened(failing: Partial<Record<'regenerate' | 'save' | 'destroy', Error>> = {}) {
  const calls: string[] = [];
  const method = (name: 'regenerate' | 'save' | 'destroy') => (done: Done) => {
    calls.push(name);
    done(failing[name] ?? null); // some stores say null of no error
  };
  const session = { regenerate: method('regenerate'), save: method('save'), destroy: method('destroy') };
  const login = (request: unknown): McpSessionLogin => ({
    account: { id: 'ada', roles: [], active: true },
    factor: 'mcp-token',
    request,
    response: {},
  });
  return { calls, session, login: login({ session }), of: login };
}

it('gives the session a new id before the login writes into it, saves it, and destroys it when it is asked to', async () => {
  const { calls, session, login } = opened();
  const standing = await storedSessionFlow(
    (shopper) => void (calls.push('login'), Object.assign(shopper, { user: 1 })),
  ).open(login);
  expect([calls, session]).toEqual([['regenerate', 'login', 'save'], expect.objectContaining({ user: 1 })]);
  await standing?.destroy();
  expect(calls.at(-1)).toBe('destroy');
});

it('destroys the session that a login refuses, and saves nothing', async () => {
  const { calls, login } = opened();
  expect(await storedSessionFlow(() => false).open(login)).toBeUndefined();
  expect(calls).toEqual(['regenerate', 'destroy']);
});

it.each(['regenerate', 'save'] as const)(
  'opens nothing when the store fails at %s, and leaves nothing',
  async (failing) => {
    const { calls, login } = opened({ [failing]: new Error('the store is down') });
    await expect(storedSessionFlow(() => true).open(login)).rejects.toThrow('the store is down');
    expect(calls.at(-1)).toBe(failing === 'save' ? 'destroy' : 'regenerate');
  },
);

it('says so when the store cannot destroy', async () => {
  const standing = await storedSessionFlow(() => true).open(opened({ destroy: new Error('the store is down') }).login);
  await expect(Promise.resolve(standing?.destroy())).rejects.toThrow('the store is down');
});

it.each(['regenerate', 'save', 'destroy'] as const)(
  'refuses a session without %s(), before it is touched',
  async (missing) => {
    const { calls, session, of } = opened();
    const request = { session: { ...session, [missing]: undefined } };
    await expect(storedSessionFlow(() => true).open(of(request))).rejects.toThrow(
      new RegExp(`has no ${missing}\\(\\).*an McpSessionFlow of your own`),
    );
    expect(calls).toEqual([]);
  },
);
