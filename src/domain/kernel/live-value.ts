import { throttled } from './throttled.ts';

/** A value as it is now. */
export interface Reading<T> {
  readonly value: T;
  /** Readings with equal texts do not differ. */
  readonly text: string;
  /** The present of the reading. */
  readonly now: Date;
  /** When time alone may change the value; null for never. */
  readonly until: Date | null;
}

/**
 * Yields a value now, and again each time that it differs. Reads it after changes, at most once in a pause, and when
 * time alone may change it. Ends, and fails, with the changes.
 */
export function liveValue<T>(
  changes: readonly AsyncIterator<unknown>[],
  pauseMilliseconds: number,
  read: () => Promise<Reading<T>>,
): AsyncIterableIterator<T> {
  const events = throttled(changes, pauseMilliseconds);
  const values = differences(events, read);
  const leave = values.return.bind(values);
  // While the generator waits for a change it cannot be left, so the changes are ended first.
  values.return = async (value) => {
    await events.return?.();
    return leave(value);
  };
  return values;
}

async function* differences<T>(
  events: AsyncIterator<object>,
  read: () => Promise<Reading<T>>,
): AsyncGenerator<T, undefined> {
  let known: string | undefined;
  let next = nextOf(events);
  for (;;) {
    const { value, text, now, until } = await read();
    const readAt = performance.now();
    if (text !== known) {
      known = text;
      yield value;
    }
    const due = until && readAt + until.getTime() - now.getTime();
    const woken = await orUntil(next, due);
    if (woken?.done) return;
    if (woken) next = nextOf(events);
  }
}

/** The next event. It may fail while the value is read or sent; then the failure waits until it is awaited. */
function nextOf(events: AsyncIterator<object>) {
  const next = events.next();
  next.catch(() => {});
  return next;
}

const longestTimerMilliseconds = 2_147_483_647;

/** The promised value, or undefined at an instant of the monotonic clock, whichever is first; null for never. */
async function orUntil<T>(promised: Promise<T>, due: number | null): Promise<T | undefined> {
  if (due === null) return promised;
  const { promise: over, resolve } = Promise.withResolvers<undefined>();
  const milliseconds = Math.max(1, due - performance.now());
  const timer = setTimeout(resolve, Math.min(milliseconds, longestTimerMilliseconds));
  try {
    return await Promise.race([promised, over]);
  } finally {
    clearTimeout(timer);
  }
}
