import type { EntityManager } from '@mikro-orm/postgresql';
import { presentAfresh, presentOf } from '#domain/kernel/values/present.ts';

/** The clock of the database may be set meanwhile: it is compared at least this often. */
const longestWaitMilliseconds = 60_000;

/**
 * Calls `end` when a key expires by the clock of the database, whichever time this process has. Returns a function that
 * stops the wait.
 */
export function onExpiry(em: EntityManager, at: Date | null, end: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let stopped = at === null;
  if (at !== null) void compare(at);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };

  async function compare(at: Date, present = presentOf) {
    // Without an answer of the database the key is compared again; the requests of its caller fail, too.
    const now = await present(em).catch(() => undefined);
    if (stopped) return;
    if (now && now >= at) return end();
    const left = now ? at.getTime() - now.getTime() : longestWaitMilliseconds;
    const wait = Math.min(Math.max(left, 1), longestWaitMilliseconds);
    timer = setTimeout(() => void compare(at, presentAfresh), wait).unref();
  }
}
