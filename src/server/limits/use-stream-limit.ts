import type { IncomingMessage } from 'node:http';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import { credentialIdOf } from '#domain/kernel/session.ts';
import type { Limits } from '#limits';

import type { Context } from '#schema/engine/builder.ts';
import { tooMany } from '../auth/admission.ts';
import { maskError } from '../errors/mask-error.ts';
import { addressOf } from '../http/addresses.ts';
import { createOpenCount } from '../http/open-count.ts';

const retryAfter = 60;

/** The request of a stream over SSE, and the connection of one over WebSocket. */
interface Carrier {
  readonly req?: IncomingMessage | undefined;
  readonly connection?: object | undefined;
}

/**
 * Limits the live streams of a key, or of all tokens of a customer, over WebSocket and SSE together. Those of an
 * address are limited over SSE. An SSE stream is a separate connection, as a WebSocket is. Errors: TOO_MANY_REQUESTS.
 */
export function useStreamLimit({
  streamsPerKey,
  streamsPerCustomer,
  ssePerAddress,
  trustedProxies,
}: Pick<
  Limits,
  'streamsPerKey' | 'streamsPerCustomer' | 'ssePerAddress' | 'trustedProxies'
>): Plugin<Context & Carrier> {
  const ofKeys = createOpenCount(streamsPerKey);
  const ofCustomers = createOpenCount(streamsPerCustomer);
  const ofAddresses = createOpenCount(ssePerAddress);

  /** Returns a function that closes the stream, or the error when no slot is free. */
  const open = (context: Context & Carrier) => {
    const { customerId, req, connection } = context;
    const closeOfKey = customerId
      ? ofCustomers.take(customerId)
      : ofKeys.take(credentialIdOf(context));
    if (!closeOfKey) {
      return customerId
        ? noMore('customer', `${streamsPerCustomer} live subscriptions`)
        : noMore('API key', `${streamsPerKey} live subscriptions`);
    }
    if (!req || connection) return closeOfKey;
    const closeOfAddress = ofAddresses.take(addressOf(req, trustedProxies));
    if (!closeOfAddress) {
      closeOfKey();
      return noMore('address', `${ssePerAddress} live subscriptions over SSE`);
    }
    return () => {
      closeOfKey();
      closeOfAddress();
    };
  };

  return {
    onSubscribe({ subscribeFn, setSubscribeFn }) {
      setSubscribeFn(async (subscribeArgs) => {
        const close = open(subscribeArgs.contextValue);
        if (typeof close !== 'function') return { errors: [close] };
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

const noMore = (whose: string, has: string) =>
  maskError(
    tooMany(`This ${whose} has ${has}, its limit`, retryAfter),
    'Unexpected error.',
    false,
  ) as Error;

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
