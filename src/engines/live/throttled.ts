import { LiveReader } from './live-reader.ts';

/**
 * Yields the last of several changes, at most once in a pause: `first` immediately, unless it is null, then each
 * later change. Ends, and fails, with any of its sources.
 */
export function throttled(
  changes: AsyncIterator<unknown> | readonly AsyncIterator<unknown>[],
  pauseMilliseconds: number,
  first: object | null = {},
): AsyncIterableIterator<object> {
  const sources = Array.isArray(changes) ? changes : [changes];
  let pending = first;
  let notBefore = 0;
  let isFollowing = false;
  const reader = new LiveReader<object>({
    take() {
      if (!isFollowing) for (const source of sources) void follow(source);
      isFollowing = true;
      if (!pending || reader.isEnded || performance.now() < notBefore) return undefined;
      const value = pending;
      pending = null;
      notBefore = performance.now() + pauseMilliseconds;
      return value;
    },
    lookAgain: () => (pending ? Math.max(1, notBefore - performance.now()) : undefined),
    onReturn: () => Promise.all(sources.map((source) => source.return?.())),
  });
  return reader;

  async function follow(source: AsyncIterator<unknown>) {
    try {
      while (!reader.isEnded) {
        const { done, value } = await source.next();
        if (done) break;
        pending = (value as object | null) ?? {};
        reader.wake();
      }
      reader.end();
    } catch (error) {
      reader.end({ error });
    }
  }
}
