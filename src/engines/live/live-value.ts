import { nextOf, orUntil } from './awaiting.ts';
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
