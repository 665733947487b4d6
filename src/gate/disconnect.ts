/**
 * Knowing that the client has gone: the response closes before it was finished, or its socket does (a queued, pipelined
 * request sees only the latter).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Calls `onGone` once if the client goes before the response is finished, at once if it already has. */
export function watchDisconnect(req: IncomingMessage, res: ServerResponse, onGone: () => void): void {
  const { socket } = req;
  if (res.destroyed || socket.destroyed) {
    onGone();
    return;
  }
  function settle(): void {
    socket.off('close', settle);
    res.off('close', settle);
    if (!res.writableFinished) onGone();
  }
  res.on('close', settle);
  socket.on('close', settle);
}
