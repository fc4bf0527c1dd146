import { type FeedEvent, type FeedState, followFeed } from '@tollgate/client/feed';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { useConnection } from './service.tsx';

/** The events that the ticker of the first page shows. */
const recentCount = 50;
/** Changes are shown together this often at most, so that a burst does not keep the page busy. */
const flushMilliseconds = 250;

type Listener = (events: readonly FeedEvent[]) => void;

/** The change feed of this tab. */
export interface Feed {
  /** Calls the listener with each batch of new events. Returns the function that ends the calls. */
  readonly listen: (listener: Listener) => () => void;
}

const FeedContext = createContext<Feed | undefined>(undefined);
const StateContext = createContext<FeedState>('connecting');
const RecentContext = createContext<readonly FeedEvent[]>([]);

/** Follows the change feed once for all parts of the pages. */
export function FeedProvider({ children }: { readonly children: ReactNode }) {
  const connection = useConnection();
  const [state, setState] = useState<FeedState>('connecting');
  const [recent, setRecent] = useState<readonly FeedEvent[]>([]);
  const { feed, flush } = useMemo(() => {
    const listeners = new Set<Listener>();
    const feed: Feed = {
      listen(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    };
    const flush: Listener = (events) => {
      for (const listener of listeners) listener(events);
    };
    return { feed, flush };
  }, []);

  useEffect(() => {
    let waiting: FeedEvent[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    setRecent([]);
    const leave = followFeed(connection, {
      recent: recentCount,
      onState: setState,
      onEvents(events) {
        waiting.push(...events);
        timer ??= setTimeout(() => {
          const batch = waiting;
          waiting = [];
          timer = undefined;
          setRecent((shown) => [...batch.toReversed(), ...shown].slice(0, recentCount));
          flush(batch);
        }, flushMilliseconds);
      },
    });
    return () => {
      clearTimeout(timer);
      leave();
    };
  }, [connection, flush]);

  return (
    <FeedContext value={feed}>
      <StateContext value={state}>
        <RecentContext value={recent}>{children}</RecentContext>
      </StateContext>
    </FeedContext>
  );
}

export function useFeed(): Feed {
  const feed = useContext(FeedContext);
  if (!feed) throw new Error('There is no feed around this component');
  return feed;
}

/** Whether events arrive now. */
export const useFeedState = () => useContext(StateContext);

/** The newest events, newest first. */
export const useRecentEvents = () => useContext(RecentContext);
