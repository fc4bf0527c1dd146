import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { Connection } from './connect.ts';
import { follow, subscription } from './follow.ts';
import type { LiveResult } from './live-query.ts';

/**
 * Follows a live field that emits its present value first, such as `usageBalanceChanged`. After an interruption it is
 * opened again, and the present value includes each change of the meantime. `variables` may read something first.
 * Calls `onResult` with each new result. Returns the function that ends it.
 */
export function liveField<Data, Variables>(
  connection: Connection,
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables | (() => Promise<Variables>),
  onResult: (result: LiveResult<Data>) => void,
): () => void {
  let result: LiveResult<Data> = { data: undefined, error: undefined, state: 'connecting' };
  const emit = (next: LiveResult<Data>) => {
    result = next;
    onResult(next);
  };
  return follow(connection, {
    onState: (state) => emit({ ...result, state }),
    onError: (error) => emit({ ...result, error }),
    async subscribe(signal) {
      const values =
        typeof variables === 'function'
          ? await (variables as () => Promise<Variables>)()
          : variables;
      if (signal.aborted) return;
      await subscription(connection, document, values, {
        signal,
        onData(data) {
          if (!signal.aborted) emit({ data, error: undefined, state: 'live' });
        },
      });
    },
  });
}
