import { nextOf } from './awaiting.ts';

/** The values of several iterators as they come. Ends, and fails, with the first of them, and then ends the others. */
export function merged<T>(...sources: readonly AsyncIterator<T>[]): AsyncIterator<T> {
  const waiting = new Map<AsyncIterator<T>, Promise<[AsyncIterator<T>, IteratorResult<T>]>>();
  const leave = async () => {
    for (const source of sources) await source.return?.();
  };
  return {
    async next() {
      for (const source of sources) {
        if (waiting.has(source)) continue;
        const next = nextOf(source).then((result): [typeof source, typeof result] => [
          source,
          result,
        ]);
        // It is awaited below; this keeps the process from ending before.
        next.catch(() => {});
        waiting.set(source, next);
      }
      try {
        const [source, result] = await Promise.race(waiting.values());
        waiting.delete(source);
        // The source that comes later in the map is served next, so that none waits forever.
        if (result.done) await leave();
        return result;
      } catch (error) {
        await leave();
        throw error;
      }
    },
    async return() {
      await leave();
      return { done: true, value: undefined };
    },
  };
}
