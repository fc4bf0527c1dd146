import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react';
import { type Connection, connect } from '../connect.ts';
import { liveQuery } from '../live-query.ts';
import { OwnCustomerDocument, type OwnCustomerQuery } from '../operations.generated.ts';
import { type Start, type Store, storeOf } from './store.ts';

/** The service of the components below a provider. */
export interface Service {
  readonly url: string;
  readonly token: Token;
  readonly connection: Connection;
  /** The customer to whom the token belongs, with its current subscriptions. */
  readonly own: Store<OwnCustomerQuery>;
  /** The followed queries by their names: components that show the same share one. */
  readonly stores: Map<string, Store<unknown>>;
}

/** A customer token or a publishable key, or a function that asks your server for one. */
export type Token = string | (() => string | Promise<string>);

/** The events that may make another subscription the current one. */
const subscriptionTypes = [
  'subscription.created',
  'subscription.updated',
  'subscription.adjusted',
  'subscription.canceled',
  'subscription.paused',
  'subscription.resumed',
] as const;

const ServiceContext = createContext<Service | undefined>(undefined);

interface Props {
  /** The address of the service. */
  readonly url: string;
  /**
   * A customer token, or a publishable key before the sign-in. A function is called for each connection, so that an expired token is replaced. Another text
   * connects anew; another function does not, so it may be written in place.
   */
  readonly token: Token;
  readonly children?: ReactNode;
}

/** Connects the hooks and components below it, with one WebSocket that opens when the first of them is shown. */
export function TollgateProvider({ url, token, children }: Props) {
  const text = typeof token === 'string' ? token : undefined;
  const latest = useRef(token);
  useEffect(() => {
    latest.current = token;
  });
  const service = useMemo((): Service => {
    const current = text ?? (() => tokenOf(latest.current));
    const connection = connect({ url, token: current });
    const follow: Start<OwnCustomerQuery> = (emit) =>
      liveQuery(connection, OwnCustomerDocument, {}, { types: subscriptionTypes }, emit);
    const own = storeOf(ofCustomers(current, follow));
    return { url, token: current, connection, own, stores: new Map() };
  }, [url, text]);
  return <ServiceContext value={service}>{children}</ServiceContext>;
}

/** Follows the data of a customer. With a publishable key, which a page has before the sign-in, there is none. */
const ofCustomers =
  (token: Token, follow: Start<OwnCustomerQuery>): Start<OwnCustomerQuery> =>
  (emit) => {
    let leave: (() => void) | undefined;
    let isCurrent = true;
    const start = (text: string) => {
      if (!isCurrent) return;
      if (!text.startsWith('pk_')) leave = follow(emit);
      else emit({ data: { customers: { nodes: [] } }, error: undefined, state: 'live' });
    };
    // A token that is not there is a failure of each attempt to connect, which states it.
    void Promise.resolve()
      .then(() => tokenOf(token))
      .then(start, () => start(''));
    return () => {
      isCurrent = false;
      leave?.();
    };
  };

/** The text of a token. */
export const tokenOf = (token: Token) => (typeof token === 'string' ? token : token());

export function useService(): Service {
  const service = useContext(ServiceContext);
  if (!service) throw new Error('There is no TollgateProvider around this component');
  return service;
}
