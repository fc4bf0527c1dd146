import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { Connection } from './connect.ts';
import { TollgateError } from './errors.ts';
import type { FeedState } from './follow.ts';
import type { FeedEvent } from './follow-feed.ts';
import { listenToFeed } from './shared-feed.ts';

/** The events after which a query is read again. */
export interface Topics {
  /** The beginnings of event types, such as `invoice`; all types when absent. */
  readonly kinds?: readonly string[] | undefined;
  /** Whole event types, such as `invoice.paid`. The service sends no others. */
  readonly types?: readonly string[] | undefined;
  /** The customer whose events concern the query; those of all when absent. */
  readonly customerId?: string | undefined;
}

/** The state of something that is read and followed. */
export interface LiveResult<Data> {
  /** The latest data. Undefined until the first answer; it stays while the connection is lost. */
  readonly data: Data | undefined;
  /** The reason for which the latest attempt to read failed. */
  readonly error: TollgateError | undefined;
  readonly state: FeedState;
}

/** A query is read again this often at most, so that a burst of events does not keep the service busy. */
const shortestPauseMilliseconds = 250;

/** Whether an event concerns a query. */
const concerns = ({ kinds, types, customerId }: Topics, event: FeedEvent) =>
  (!kinds || kinds.some((kind) => event.type.startsWith(`${kind}.`))) &&
  (!types || types.includes(event.type)) &&
  (!customerId || event.customerId === customerId || event.objectId === customerId);

/**
 * Reads a query, and reads it again when events concern it. The feed resumes after an interruption, so no change is
 * missed. Calls `onResult` with each new result. Returns the function that ends it.
 */
export function liveQuery<Data, Variables>(
  connection: Connection,
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  topics: Topics,
  onResult: (result: LiveResult<Data>) => void,
): () => void {
  const stop = new AbortController();
  let result: LiveResult<Data> = { data: undefined, error: undefined, state: 'connecting' };
  let isReading = false;
  let isStale = false;
  let last = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const leave = listenToFeed(connection, topics.types, {
    onStart: read,
    onEvents(events) {
      if (events.some((event) => concerns(topics, event))) read();
    },
    onState(state) {
      if (state === 'live' && result.error) read();
      emit({ ...result, state });
    },
    onError: (error) => emit({ ...result, error }),
  });
  return () => {
    stop.abort();
    clearTimeout(timer);
    leave();
  };

  function emit(next: LiveResult<Data>) {
    result = next;
    if (!stop.signal.aborted) onResult(next);
  }

  function read() {
    isStale = true;
    if (isReading || timer !== undefined || stop.signal.aborted) return;
    const pause = Math.max(0, last + shortestPauseMilliseconds - performance.now());
    timer = setTimeout(() => void execute(), pause);
  }

  async function execute() {
    timer = undefined;
    isReading = true;
    isStale = false;
    last = performance.now();
    try {
      const { signal } = stop;
      const { data } = await connection.execute(document, variables, { signal });
      emit({ ...result, data, error: undefined });
    } catch (error) {
      if (error instanceof TollgateError) emit({ ...result, error });
    }
    isReading = false;
    if (isStale) read();
  }
}
