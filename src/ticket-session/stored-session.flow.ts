/**
 * The login flow of an application that keeps its sessions with `express-session`, or with `@fastify/session`, which has the
 * same shape: a new session id, what the application's login writes into the session, and a store that forgets it again.
 */
import type { McpSessionFlow, McpSessionLogin } from './session-flow.js';

/** What is used of a session of either library. Methods take a callback in both. */
interface StoredSession {
  regenerate(done: (error?: unknown) => void): unknown;
  save(done: (error?: unknown) => void): unknown;
  destroy(done: (error?: unknown) => void): unknown;
}

const USED = ['regenerate', 'save', 'destroy'] as const satisfies readonly (keyof StoredSession)[];

interface WithSession<Session> {
  /** A new one after `regenerate`. */
  session?: Session & StoredSession;
}

/**
 * The flow. `login` does what the application's own login does once the password was right: it checks the account, writes
 * the session and the audit, and gives `false` when the account may not log in.
 *
 * Does NOT check the account itself: what `login` does not refuse is signed in. Its `open()` rejects where the request has no session
 * or one of another make, and where the store fails; then nothing stands.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what a session holds is for the application to say
export function storedSessionFlow<Session extends object = Record<string, unknown>>(
  login: (session: Session, login: McpSessionLogin) => boolean | void | Promise<boolean | void>,
): McpSessionFlow {
  return {
    async open(asked) {
      const request = asked.request as WithSession<Session>;
      refuseUnfit(request.session);
      // A new id, as after any login: one that somebody has planted before opens nothing.
      await done((settle) => request.session!.regenerate(settle));
      const { session } = request;
      const destroy = () => done((settle) => session.destroy(settle));
      try {
        if ((await login(session, asked)) === false) {
          await destroy();
          return undefined;
        }
        await done((settle) => session.save(settle));
      } catch (error) {
        await destroy(); // or the library would save with the answer what was written so far
        throw error;
      }
      return { destroy };
    },
  };
}

/** A session of another make takes no callback, or cannot be ended at the server: waiting for it would never end. */
function refuseUnfit(session: Partial<StoredSession> | undefined): asserts session {
  if (session === undefined)
    throw new Error('The request has no session: is the session middleware before the routes?');
  const missing = USED.find((method) => typeof session[method] !== 'function');
  if (missing === undefined) return;
  throw new Error(
    `The request's session has no ${missing}(): storedSessionFlow works with express-session and @fastify/session. For sessions ` +
      'of another make, give McpTicketSessionModule an McpSessionFlow of your own.',
  );
}

function done(work: (settle: (error?: unknown) => void) => unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    work((error) => (error === undefined || error === null ? resolve() : reject(error)));
  });
}
