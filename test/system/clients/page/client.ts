import { Client, fetchExchange, subscriptionExchange } from '@urql/core';
import { createClient } from 'graphql-ws';
import type { Settings } from './settings.ts';

export const settings: Settings = JSON.parse(decodeURIComponent(location.hash.slice(1)));

/** A client of the service, with live updates over SSE or over one WebSocket. */
export function connect({ url, token, transport }: Settings): Client {
  const authorization = `Bearer ${token}`;
  const socket = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    connectionParams: { authorization },
    // The page shows a refusal immediately.
    retryAttempts: 0,
  });
  const overSocket = subscriptionExchange({
    forwardSubscription: ({ query = '', variables, operationName }) => ({
      subscribe: (sink) => ({
        unsubscribe: socket.subscribe(
          { query, variables: { ...variables }, operationName: operationName ?? null },
          {
            ...sink,
            next: (result) => sink.next(result as Parameters<typeof sink.next>[0]),
          },
        ),
      }),
    }),
  });
  const isSse = transport === 'SSE';
  return new Client({
    url: `${url}/graphql`,
    preferGetMethod: false,
    fetchOptions: { headers: { authorization } },
    fetchSubscriptions: isSse,
    exchanges: isSse ? [fetchExchange] : [overSocket, fetchExchange],
  });
}
