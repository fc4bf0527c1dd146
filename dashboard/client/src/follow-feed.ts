import type { Connection } from './connect.ts';
import type { TollgateError } from './errors.ts';
import {
  FollowEventsDocument,
  type FollowEventsSubscription,
  RecentEventsDocument,
} from './feed.generated.ts';
import { type FeedState, follow, subscription } from './follow.ts';

export type { FeedState } from './follow.ts';

/** An event of the feed: which object changed, how, and when. */
export type FeedEvent = FollowEventsSubscription['events'];

export interface FeedOptions {
  /** The number of events before now that are delivered first. */
  readonly recent?: number;
  /** The service sends only events of these types; all when absent. */
  readonly types?: readonly string[] | undefined;
  /** Receives events in the order of their sequences, each once, also after an interruption. */
  readonly onEvents: (events: readonly FeedEvent[]) => void;
  /**
   * Called when the feed starts, and when it starts again because the events since the last one are no longer
   * retained. An answer to a question that is asked from then on is completed by the following events.
   */
  readonly onStart?: () => void;
  readonly onState?: (state: FeedState) => void;
  /** Called with the reason of each interruption. The feed goes on by itself. */
  readonly onError?: (error: TollgateError) => void;
}

/**
 * Follows the change feed from now on. After an interruption it resumes after the last event, so that none is missing
 * and none arrives twice. Returns the function that ends it.
 */
export function followFeed(connection: Connection, options: FeedOptions): () => void {
  const { recent = 1, types, onEvents, onStart, onState = () => {}, onError } = options;
  let last: number | undefined;
  return follow(connection, {
    onState,
    onError(error) {
      if (isTooOld(error)) last = undefined;
      onError?.(error);
    },
    async subscribe(signal) {
      if (last === undefined) await readRecent();
      await subscription(
        connection,
        FollowEventsDocument,
        { after: last, types: types as string[] | undefined },
        { signal, onData: ({ events }) => receive(events) },
      );
    },
  });

  async function readRecent() {
    const { data } = await connection.execute(RecentEventsDocument, { last: Math.max(recent, 1) });
    const { nodes, asOfSequence } = data.events;
    last = nodes.at(-1)?.sequence ?? asOfSequence;
    if (recent > 0) onEvents(nodes);
    onStart?.();
  }

  function receive(event: FeedEvent) {
    if (event.sequence <= (last ?? 0)) return;
    last = event.sequence;
    onEvents([event]);
  }
}

/** Whether the feed no longer has the place after which it was to resume. */
const isTooOld = ({ issues }: TollgateError) =>
  issues.some(({ code, path }) => code === 'OUT_OF_RANGE' && path.at(-1) === 'after');
