/**
 * Where the authorization server keeps what it must remember: in the process, until it ends.
 */

interface Entry {
  readonly payload: Payload;
  readonly expiresAt: number;
}

interface Payload {
  uid?: string;
  grantId?: string;
  consumed?: number;
}

/** Entries at most; the oldest goes first. Anybody on this machine may register clients. */
const CAPACITY = 10_000;

/** A factory of adapters, one for each kind of record, that share one memory. */
export function memoryAdapters(): (kind: string) => object {
  const entries = new Map<string, Entry>();
  const find = (key: string): Payload | undefined => {
    const entry = entries.get(key);
    return entry && entry.expiresAt > Date.now() ? entry.payload : undefined;
  };
  const keysOf = (kind: string, matches: (payload: Payload) => boolean): string[] =>
    [...entries].filter(([key, { payload }]) => key.startsWith(`${kind}:`) && matches(payload)).map(([key]) => key);

  return (kind) => ({
    async upsert(id: string, payload: Payload, expiresInSec = Infinity) {
      entries.set(`${kind}:${id}`, { payload, expiresAt: Date.now() + expiresInSec * 1000 });
      if (entries.size > CAPACITY) entries.delete(entries.keys().next().value!);
    },
    find: async (id: string) => find(`${kind}:${id}`),
    findByUid: async (uid: string) => keysOf(kind, (payload) => payload.uid === uid).map(find)[0],
    async consume(id: string) {
      const payload = find(`${kind}:${id}`);
      if (payload) payload.consumed = Math.floor(Date.now() / 1000);
    },
    async destroy(id: string) {
      entries.delete(`${kind}:${id}`);
    },
    async revokeByGrantId(grantId: string) {
      for (const key of keysOf(kind, (payload) => payload.grantId === grantId)) entries.delete(key);
    },
  });
}
