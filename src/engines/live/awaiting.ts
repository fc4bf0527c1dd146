/** The next event. It may fail while the value is read or sent; then the failure waits until it is awaited. */
export function nextOf<T>(events: AsyncIterator<T>) {
  const next = events.next();
  next.catch(() => {});
  return next;
}

const longestTimerMilliseconds = 2_147_483_647;

/** The promised value, or undefined at an instant of the monotonic clock, whichever is first; null for never. */
export async function orUntil<T>(promised: Promise<T>, due: number | null): Promise<T | undefined> {
  if (due === null) return promised;
  const { promise: over, resolve } = Promise.withResolvers<undefined>();
  const milliseconds = Math.max(1, due - performance.now());
  const timer = setTimeout(
    () => resolve(undefined),
    Math.min(milliseconds, longestTimerMilliseconds),
  );
  try {
    return await Promise.race([promised, over]);
  } finally {
    clearTimeout(timer);
  }
}
