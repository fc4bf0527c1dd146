import { type Connection, connect } from '@tollgate/client';
import { urqlClient } from '@tollgate/client/urql';
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react';
import { Provider } from 'urql';
import { serviceUrl } from '../base.ts';
import { headersOf } from '../session/access.ts';
import { useSession } from '../session/session.tsx';

const ConnectionContext = createContext<Connection | undefined>(undefined);

/** The connection to the service, for operations that must not change the cache, such as dry runs. */
export function useConnection(): Connection {
  const connection = useContext(ConnectionContext);
  if (!connection) throw new Error('There is no connection around this component');
  return connection;
}

/** Connects all pages below it, with one cache. Another caller gets another connection and an empty cache. */
export function ServiceProvider({ children }: { readonly children: ReactNode }) {
  const { access } = useSession();
  const { connection, client } = useMemo(() => {
    const connection = connect({ url: serviceUrl, headers: headersOf(access) });
    return { connection, client: urqlClient(connection) };
  }, [access]);
  useEffect(() => connection.close, [connection]);
  return (
    <ConnectionContext value={connection}>
      <Provider value={client}>{children}</Provider>
    </ConnectionContext>
  );
}
