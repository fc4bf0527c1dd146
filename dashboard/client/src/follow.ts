import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { Connection } from './connect.ts';
import { textOf } from './connect.ts';
import { socketErrorOf, type TollgateError } from './errors.ts';

/** `live` while updates arrive, `lost` while the connection is down, `connecting` before the first. */
export type FeedState = 'connecting' | 'live' | 'lost';

interface Followed {
  /** Subscribes once. Resolves or rejects when the subscription ends. */
  readonly subscribe: (signal: AbortSignal) => Promise<void>;
  readonly onState: (state: FeedState) => void;
  readonly onError: (error: TollgateError) => void;
}

const shortestPauseMilliseconds = 500;
const longestPauseMilliseconds = 10_000;

/** Subscribes again, with growing pauses, each time the subscription ends. Returns the function that ends it. */
export function follow(
  connection: Connection,
  { subscribe, onState, onError }: Followed,
): () => void {
  const stop = new AbortController();
  let pause = shortestPauseMilliseconds;
  let state: FeedState | undefined;
  const change = (next: FeedState) => {
    if (next === state || stop.signal.aborted) return;
    state = next;
    onState(next);
  };
  const leave = connection.watchSocket((isOpen) => {
    if (isOpen) pause = shortestPauseMilliseconds;
    change(isOpen ? 'live' : 'lost');
  });
  void run();
  return () => {
    stop.abort();
    leave();
  };

  async function run() {
    change('connecting');
    while (!stop.signal.aborted) {
      try {
        await subscribe(stop.signal);
      } catch (failure) {
        change('lost');
        if (!stop.signal.aborted) onError(socketErrorOf(failure));
      }
      await waited(pause * (0.75 + Math.random() / 2), stop.signal);
      pause = Math.min(pause * 2, longestPauseMilliseconds);
    }
  }
}

/** One subscription over the socket. Resolves when it ends; rejects with its errors or those of the connection. */
export function subscription<Data, Variables>(
  { socket }: Connection,
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  { signal, onData }: { readonly signal: AbortSignal; readonly onData: (data: Data) => void },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const unsubscribe = socket.subscribe<Data>(
      { query: textOf(document), variables: variables as Record<string, unknown> },
      {
        next({ data, errors }) {
          if (errors?.[0]) return reject(errors[0]);
          if (data) onData(data);
        },
        error: reject,
        complete: resolve,
      },
    );
    signal.addEventListener('abort', unsubscribe, { once: true });
  });
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
