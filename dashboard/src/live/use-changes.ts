import type { FeedEvent } from '@tollgate/client/feed';
import { useEffect, useRef } from 'react';
import { useFeed } from './feed.tsx';
import { concerns, type Topics } from './topics.ts';

/** A part of a page is read again this often at most. */
const shortestPauseMilliseconds = 600;

/**
 * Calls `onChange` with the events that concern a part of a page: at once after a quiet time, and with all events of
 * a busy one together.
 */
export function useChanges(
  { kinds, customerId }: Topics,
  onChange: (events: readonly FeedEvent[]) => void,
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
    let last = 0;
    const leave = feed.listen((events) => {
      const concerned = events.filter((event) => concerns(topics, event));
      if (concerned.length === 0) return;
      waiting.push(...concerned);
      const pause = Math.max(0, last + shortestPauseMilliseconds - performance.now());
      timer ??= setTimeout(() => {
        timer = undefined;
        last = performance.now();
        const batch = waiting;
        waiting = [];
        latest.current(batch);
      }, pause);
    });
    return () => {
      clearTimeout(timer);
      leave();
    };
  }, [feed, wanted, customerId, isPaused]);
}
