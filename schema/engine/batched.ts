import DataLoader from 'dataloader';
import type { Session } from '#domain/kernel/session.ts';

/** Bounds the parameters of a statement. */
const mostKeys = 10_000;

const loaders = new WeakMap<Session['em'], Map<unknown, DataLoader<string, unknown>>>();

/**
 * Calls `find` once for all keys that one level of a document asks for under a name; the name stands for `find` and
 * all that it depends on. Returns the value of one key.
 */
export function batched<T>(
  session: Session,
  name: unknown,
  key: string,
  find: (session: Session, keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): Promise<T | undefined> {
  const { em } = session;
  const own = loaders.get(em) ?? new Map<unknown, DataLoader<string, unknown>>();
  loaders.set(em, own);
  const known = own.get(name);
  if (known) return known.load(key) as Promise<T | undefined>;
  const loader = new DataLoader<string, unknown>(
    async (keys) => {
      const found = await find(session, [...new Set(keys)]);
      return keys.map((key) => found.get(key));
    },
    // Records change within a mutation, so nothing is remembered.
    { cache: false, maxBatchSize: mostKeys },
  );
  own.set(name, loader);
  return loader.load(key) as Promise<T | undefined>;
}
