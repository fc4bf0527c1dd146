import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { useMemo, useSyncExternalStore } from 'react';
import type { TollgateError } from '../errors.ts';
import { liveField } from '../live-field.ts';
import type { LiveResult } from '../live-query.ts';
import type { OwnCustomerQuery } from '../operations.generated.ts';
import { type Service, useService } from './provider.tsx';
import { dependent, nothing, type Start, type Store, storeOf } from './store.ts';

/** A value that follows the service. `data` stays while the connection is lost, and `isLive` is false then. */
export type Live<Data> = { readonly isLive: boolean } & (
  | { readonly state: 'loading'; readonly data: undefined; readonly error: undefined }
  | { readonly state: 'error'; readonly data: undefined; readonly error: TollgateError }
  | { readonly state: 'data'; readonly data: Data; readonly error: TollgateError | undefined }
);

export const customerIn = ({ customers }: OwnCustomerQuery) => customers.nodes[0]?.id;

export const subscriptionIn = ({ customers }: OwnCustomerQuery) =>
  customers.nodes[0]?.currentSubscriptions[0]?.id;

/** Follows a live field of the customer to whom the token belongs, or of its current subscription. Null without one. */
export const ofOwn = <Data, Variables>(
  { connection, own }: Service,
  keyOf: (data: OwnCustomerQuery) => string | undefined,
  document: TypedDocumentNode<Data, Variables>,
  variablesOf: (value: string) => Variables | (() => Promise<Variables>),
): Start<Data | null> =>
  dependent(
    own,
    keyOf,
    (value): Start<Data | null> =>
      (emit) =>
        liveField(connection, document, variablesOf(value), emit),
  );

const onServer = () => nothing;

/** The result that components with the same name share. On a server it is loading. */
export function useStore<Data>(
  name: string,
  start: (service: Service) => Start<Data>,
): LiveResult<Data> {
  const service = useService();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name says all that the start depends on
  const store = useMemo(() => {
    const known = service.stores.get(name) as Store<Data> | undefined;
    if (known) return known;
    const made = storeOf(start(service));
    service.stores.set(name, made);
    return made;
  }, [service, name]);
  return useSyncExternalStore<LiveResult<Data>>(store.subscribe, store.get, onServer);
}

/** A result in the form of the hooks. */
export function shown<Read, Data>(
  { data, error, state }: LiveResult<Read>,
  pick: (data: Read) => Data,
): Live<Data> {
  const isLive = state === 'live';
  if (data !== undefined) return { state: 'data', data: pick(data), error, isLive };
  if (error) return { state: 'error', data: undefined, error, isLive };
  return { state: 'loading', data: undefined, error: undefined, isLive };
}
