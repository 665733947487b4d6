/**
 * Knowing that the client has gone: the response closes before it was finished, or its socket does (a queued, pipelined
 * request sees only the latter).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Who wants to know, by response and by socket: one listener each, however many calls are under way there. */
const watchers = new WeakMap<ServerResponse, (() => void)[]>();
const exchanges = new WeakMap<Socket, Set<() => void>>();

/** Whether the client has gone already. */
export function isGone(req: IncomingMessage, res: ServerResponse): boolean {
  return res.destroyed || req.socket.destroyed;
}

/** Calls `onGone` once if the client goes before the response is finished, at once if it already has. */
export function watchDisconnect(req: IncomingMessage, res: ServerResponse, onGone: () => void): void {
  if (isGone(req, res)) {
    onGone();
    return;
  }
  const known = watchers.get(res);
  if (known !== undefined) {
    known.push(onGone);
    return;
  }
  const all = [onGone];
  watchers.set(res, all);
  const queue = exchangesOn(req.socket);
  function settle(): void {
    if (queue.delete(settle) && !res.writableFinished) for (const tell of all) tell();
  }
  queue.add(settle);
  res.once('close', settle);
}

function exchangesOn(socket: Socket): Set<() => void> {
  const known = exchanges.get(socket);
  if (known !== undefined) return known;
  const queue = new Set<() => void>();
  exchanges.set(socket, queue);
  socket.once('close', () => {
    for (const settle of queue) settle();
  });
  return queue;
}
