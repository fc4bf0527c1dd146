import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import type { Connection } from './connect.ts';
import { embeddedTypes } from './embedded-types.generated.ts';

/** The root types; the type `Subscription` is the billing object. */
const roots = {
  __schema: {
    queryType: { name: 'Query' },
    mutationType: { name: 'Mutation' },
    subscriptionType: { name: 'LiveUpdates' },
  },
};

/** A urql client with a normalized cache: the same object is the same on each part of a page. */
export function urqlClient({ graphqlUrl, fetch }: Connection): Client {
  return new Client({
    url: graphqlUrl,
    preferGetMethod: false,
    fetch,
    exchanges: [
      cacheExchange({
        schema: roots as never,
        keys: Object.fromEntries(embeddedTypes.map((name) => [name, () => null])),
      }),
      fetchExchange,
    ],
  });
}
