import pg from 'pg';

/** A connection for a long work, which no time limit of the role ends. */
export async function openLongConnection(databaseUrl: string, name: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: name,
    keepAlive: true,
  });
  // The next statement reports a lost connection.
  client.on('error', () => {});
  await client.connect();
  await client.query(
    'set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0',
  );
  return client;
}
