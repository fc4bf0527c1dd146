import type { FeedEvent } from '@tollgate/client/feed';
import { useEffect, useRef } from 'react';
import { useFeed } from './feed.tsx';
import { concerns, type Topics } from './topics.ts';

/** A part of a page is read again this often at most. */
const shortestPauseMilliseconds = 600;
/** A slow read is repeated after a pause that is so many times as long, so that pages never keep the service busy. */
const pauseFactor = 4;

/**
 * Calls `onChange` with the events that concern a part of a page: at once after a quiet time, and with all events of
 * a busy one together. A hidden page waits until it is seen.
 */
export function useChanges(
  { kinds, customerId }: Topics,
  onChange: (events: readonly FeedEvent[]) => Promise<unknown>,
  isPaused = false,
) {
  const feed = useFeed();
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  const wanted = kinds?.join();
  useEffect(() => {
    if (isPaused) return;
    const topics = { ...(wanted !== undefined && { kinds: wanted.split(',') }), customerId };
    let waiting: FeedEvent[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isBusy = false;
    let earliest = 0;

    const plan = () => {
      if (isBusy || waiting.length === 0 || document.hidden) return;
      timer ??= setTimeout(read, Math.max(0, earliest - performance.now()));
    };
    const read = async () => {
      timer = undefined;
      isBusy = true;
      const started = performance.now();
      const batch = waiting;
      waiting = [];
      await latest.current(batch);
      const ended = performance.now();
      earliest = ended + Math.max(shortestPauseMilliseconds, pauseFactor * (ended - started));
      isBusy = false;
      plan();
    };

    const leave = feed.listen((events) => {
      waiting.push(...events.filter((event) => concerns(topics, event)));
      plan();
    });
    document.addEventListener('visibilitychange', plan);
    return () => {
      clearTimeout(timer);
      waiting = [];
      isBusy = true;
      document.removeEventListener('visibilitychange', plan);
      leave();
    };
  }, [feed, wanted, customerId, isPaused]);
}
