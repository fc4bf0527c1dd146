/**
 * Tells the last of several changes, at most once in a while: `first` at once, unless it is null, and then when
 * there has been something new since. It ends, and fails, with any of what it follows.
 */
export function throttled(
  changes: AsyncIterator<unknown> | readonly AsyncIterator<unknown>[],
  pauseMilliseconds: number,
  first: object | null = {},
): AsyncIterableIterator<object> {
  const sources = Array.isArray(changes) ? changes : [changes];
  let latest = first;
  let isNews = first !== null;
  let ended = false;
  let failure: unknown;
  let notBefore = 0;
  let wakeUp = () => {};
  let timer: NodeJS.Timeout | undefined;
  let isFollowing = false;
  const done = { done: true, value: undefined } as const;

  const end = () => {
    ended = true;
    clearTimeout(timer);
    wakeUp();
  };

  async function follow(source: AsyncIterator<unknown>) {
    try {
      while (!ended) {
        const { done, value } = await source.next();
        if (done) break;
        latest = value as object;
        isNews = true;
        wakeUp();
      }
    } catch (error) {
      failure = error;
    }
    end();
  }

  const iterator: AsyncIterableIterator<object> = {
    async next() {
      if (!isFollowing) for (const source of sources) void follow(source);
      isFollowing = true;
      while (!ended && (!isNews || Date.now() < notBefore)) await somethingOrPause();
      if (failure !== undefined) {
        const error = failure;
        failure = undefined;
        throw error;
      }
      if (ended) return done;
      isNews = false;
      notBefore = Date.now() + pauseMilliseconds;
      return { done: false, value: latest ?? {} };
    },
    async return() {
      end();
      await Promise.all(sources.map((source) => source.return?.()));
      return done;
    },
    [Symbol.asyncIterator]: () => iterator,
  };
  return iterator;

  /** Until something is new or, where it is already, until it is time to tell. */
  function somethingOrPause() {
    return new Promise<void>((wake) => {
      wakeUp = wake;
      clearTimeout(timer);
      if (isNews) timer = setTimeout(wake, Math.max(1, notBefore - Date.now()));
    });
  }
}

const longestTimerMilliseconds = 2_147_483_647;

/** Resolves with the promised value or, at the instant, with undefined. */
export async function orUntil<T>(
  promised: Promise<T>,
  instant: Date | null,
): Promise<T | undefined> {
  if (!instant) return promised;
  const { promise: over, resolve } = Promise.withResolvers<undefined>();
  const milliseconds = Math.max(1, instant.getTime() - Date.now());
  const timer = setTimeout(resolve, Math.min(milliseconds, longestTimerMilliseconds));
  try {
    return await Promise.race([promised, over]);
  } finally {
    clearTimeout(timer);
  }
}
