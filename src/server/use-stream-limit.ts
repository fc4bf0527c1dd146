import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { Limits } from '#limits';
import type { Context } from '#schema/engine/builder.ts';
import { tooMany } from './admission.ts';
import { maskError } from './mask-error.ts';

const retryAfter = 60;

/** Bounds how many live streams a key has, over WebSocket and SSE together. Errors: TOO_MANY_REQUESTS. */
export function useStreamLimit({ streamsPerKey }: Pick<Limits, 'streamsPerKey'>): Plugin<Context> {
  const streams = new Map<string, number>();

  const open = (key: string) => {
    const others = streams.get(key) ?? 0;
    if (others >= streamsPerKey) return undefined;
    streams.set(key, others + 1);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      const left = (streams.get(key) ?? 1) - 1;
      if (left > 0) streams.set(key, left);
      else streams.delete(key);
    };
  };

  return {
    onSubscribe({ args, subscribeFn, setSubscribeFn }) {
      setSubscribeFn(async (subscribeArgs) => {
        const close = open(args.contextValue.apiKeyId ?? '');
        if (!close) return { errors: [noMore(streamsPerKey)] };
        try {
          const source = await subscribeFn(subscribeArgs);
          if (isAsyncIterable(source)) return closing(source[Symbol.asyncIterator](), close);
          close();
          return source;
        } catch (error) {
          close();
          throw error;
        }
      });
    },
  };
}

const noMore = (most: number) =>
  maskError(
    tooMany(`This API key has ${most} live subscriptions, its limit`, retryAfter),
    'Unexpected error.',
    false,
  );

/** Yields the same values and reports the end, whichever side causes it. */
function closing<T>(source: AsyncIterator<T>, close: () => void): AsyncIterableIterator<T> {
  const ending = async (result: Promise<IteratorResult<T>>) => {
    try {
      const { done } = await result;
      if (done) close();
    } catch (error) {
      close();
      throw error;
    }
    return result;
  };
  return {
    next: () => ending(source.next()),
    return: async (value?: unknown) => {
      close();
      return (await source.return?.(value)) ?? { done: true, value: undefined };
    },
    throw: async (error?: unknown) => {
      close();
      if (!source.throw) throw error;
      return source.throw(error);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
