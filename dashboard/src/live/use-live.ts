import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useState } from 'react';
import { type AnyVariables, type CombinedError, useClient, useQuery } from 'urql';
import { useShown } from '../console/console.tsx';
import { useRefusal } from '../session/use-refusal.ts';
import type { Topics } from './topics.ts';
import { useChanges } from './use-changes.ts';

export interface Live<Data> {
  /** Undefined until the first answer. Stays while a newer answer is awaited. */
  readonly data: Data | undefined;
  readonly error: CombinedError | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/** Reads a query, and reads it again when events concern it. The page can show it as a call of the API. */
export function useLive<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  topics: Topics & { readonly pause?: boolean } = {},
): Live<Data> {
  const { pause = false } = topics;
  const client = useClient();
  const [failure, setFailure] = useState<CombinedError>();
  const [{ data, error, fetching }, execute] = useQuery<Data, Variables>({
    query: document,
    variables,
    pause,
    requestPolicy: 'cache-and-network',
  });
  // The answer changes the cache, and with it the query above.
  const read = async () => {
    const options = { requestPolicy: 'network-only' } as const;
    const result = await client.query(document, variables, options).toPromise();
    setFailure(result.error);
  };
  useChanges(topics, read, pause);
  useShown(document, variables, pause);
  useRefusal(failure ?? error);
  return {
    data,
    error,
    isLoading: fetching && data === undefined,
    reload: () => execute({ requestPolicy: 'network-only' }),
  };
}
