import type { Connection } from './connect.ts';
import type { TollgateError } from './errors.ts';
import { type FeedEvent, type FeedState, followFeed } from './follow-feed.ts';

/** A part of an application that follows the feed. */
export interface FeedListener {
  readonly onEvents: (events: readonly FeedEvent[]) => void;
  readonly onStart: () => void;
  readonly onState: (state: FeedState) => void;
  readonly onError: (error: TollgateError) => void;
}

interface Shared {
  readonly listeners: Set<FeedListener>;
  leave: () => void;
  state: FeedState;
  hasStarted: boolean;
}

const feeds = new WeakMap<Connection, Map<string, Shared>>();

/** Listens to the feed of a connection, which all listeners for the same types share. Returns the function that ends it. */
export function listenToFeed(
  connection: Connection,
  types: readonly string[] | undefined,
  listener: FeedListener,
): () => void {
  const ofConnection = feeds.get(connection) ?? new Map<string, Shared>();
  feeds.set(connection, ofConnection);
  const name = types?.toSorted().join() ?? '';
  const shared = ofConnection.get(name) ?? started(connection, types);
  ofConnection.set(name, shared);
  shared.listeners.add(listener);
  listener.onState(shared.state);
  if (shared.hasStarted) listener.onStart();
  return () => {
    shared.listeners.delete(listener);
    if (shared.listeners.size > 0) return;
    shared.leave();
    if (ofConnection.get(name) === shared) ofConnection.delete(name);
  };
}

function started(connection: Connection, types: readonly string[] | undefined): Shared {
  const listeners = new Set<FeedListener>();
  const shared: Shared = { listeners, state: 'connecting', hasStarted: false, leave: () => {} };
  shared.leave = followFeed(connection, {
    recent: 0,
    types,
    onEvents: (events) => each(({ onEvents }) => onEvents(events)),
    onStart() {
      shared.hasStarted = true;
      each(({ onStart }) => onStart());
    },
    onState(state) {
      shared.state = state;
      each(({ onState }) => onState(state));
    },
    onError: (error) => each(({ onError }) => onError(error)),
  });
  return shared;

  function each(call: (listener: FeedListener) => void) {
    for (const listener of [...listeners]) call(listener);
  }
}
