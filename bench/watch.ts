import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

/**
 * Prints the change feed as it happens, one line for each event, over WebSocket; after a sequence also what
 * has happened since. `KEY=… npm run -s watch -- [after] [port]`.
 */
// biome-ignore lint/style/noProcessEnv: a key in the environment is not in the shell's history
const { KEY: key = '' } = process.env;
const [after, port = '4000'] = process.argv.slice(2);

const client = createClient({
  url: `ws://127.0.0.1:${port}/graphql`,
  webSocketImpl: WebSocket,
  connectionParams: { authorization: `Bearer ${key}` },
  retryAttempts: 0,
});
const messages = client.iterate<{ events: Event }>({
  query: 'subscription($after: Sequence) { events(after: $after) { sequence type objectId data } }',
  variables: { after: after === undefined ? null : Number(after) },
});
try {
  for await (const { data, errors } of messages) {
    if (!data) throw errors;
    const { sequence, type, objectId, data: object } = data.events;
    process.stdout.write(`${sequence} ${type} ${objectId} ${JSON.stringify(object)}\n`);
  }
} catch (error) {
  const { reason, message } = error as { reason?: string; message?: string };
  process.stderr.write(`${reason ?? message ?? JSON.stringify(error)}\n`);
  process.exitCode = 1;
}

interface Event {
  readonly sequence: number;
  readonly type: string;
  readonly objectId: string;
  readonly data: unknown;
}
