import type { Connection } from './connect.ts';
import { textOf } from './connect.ts';
import {
  FollowEventsDocument,
  type FollowEventsSubscription,
  RecentEventsDocument,
} from './feed.generated.ts';

/** An event of the feed: which object changed, how, and when. */
export type FeedEvent = FollowEventsSubscription['events'];

/** `live` while events arrive, `lost` while the connection is down, `connecting` before the first. */
export type FeedState = 'connecting' | 'live' | 'lost';

export interface FeedOptions {
  /** The number of events before now that are delivered first. */
  readonly recent?: number;
  /** Receives events in the order of their sequences, each once, also after an interruption. */
  readonly onEvents: (events: readonly FeedEvent[]) => void;
  readonly onState?: (state: FeedState) => void;
}

const shortestPauseMilliseconds = 500;
const longestPauseMilliseconds = 10_000;

/**
 * Follows the change feed from now on. After an interruption it resumes after the last event, so that none is missing
 * and none arrives twice. Returns the function that ends it.
 */
export function followFeed(
  connection: Connection,
  { recent = 1, onEvents, onState = () => {} }: FeedOptions,
): () => void {
  const stop = new AbortController();
  let last: number | undefined;
  let pause = shortestPauseMilliseconds;
  let state: FeedState | undefined;
  const leave = connection.watchSocket((isOpen) => {
    if (isOpen) pause = shortestPauseMilliseconds;
    change(isOpen ? 'live' : 'lost');
  });
  void follow();
  return () => {
    stop.abort();
    leave();
  };

  async function follow() {
    change('connecting');
    while (!stop.signal.aborted) {
      try {
        if (last === undefined) await readRecent();
        await subscribed();
      } catch {
        change('lost');
      }
      await waited(pause * (0.75 + Math.random() / 2), stop.signal);
      pause = Math.min(pause * 2, longestPauseMilliseconds);
    }
  }

  async function readRecent() {
    const { data } = await connection.execute(RecentEventsDocument, { last: Math.max(recent, 1) });
    const nodes = data.events.nodes;
    last = nodes.at(-1)?.sequence ?? 0;
    if (recent > 0) onEvents(nodes);
  }

  /** Ends when the subscription does. */
  function subscribed(): Promise<void> {
    return new Promise((resolve, reject) => {
      const query = textOf(FollowEventsDocument);
      const unsubscribe = connection.socket.subscribe<FollowEventsSubscription>(
        { query, variables: { after: last } },
        {
          next({ data, errors }) {
            if (errors?.[0]) return reject(errors[0]);
            if (!data || data.events.sequence <= (last ?? 0)) return;
            last = data.events.sequence;
            onEvents([data.events]);
          },
          error: reject,
          complete: resolve,
        },
      );
      stop.signal.addEventListener('abort', unsubscribe, { once: true });
    });
  }

  function change(next: FeedState) {
    if (next === state || stop.signal.aborted) return;
    state = next;
    onState(next);
  }
}

/** Waits for a time, or for less when the signal aborts or the browser is online again. */
function waited(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      globalThis.removeEventListener?.('online', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    globalThis.addEventListener?.('online', end, { once: true });
    signal.addEventListener('abort', end, { once: true });
  });
}
