import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { environment, serviceAddress } from '../src/tools/service-address.ts';

/**
 * Prints the change feed live, one line for each event, over WebSocket; after a sequence also the events since then.
 * `KEY=… npm run -s watch -- [after]`; URL or PORT name the service.
 */
const { KEY: key = '' } = environment;
const [after] = process.argv.slice(2);
const address = serviceAddress();

const client = createClient({
  url: `${address.href.replace(/^http/, 'ws').replace(/\/$/, '')}/graphql`,
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
  const why = reason || message || JSON.stringify(error);
  process.stderr.write(`${address.origin}: ${why}\n`);
  process.exitCode = 1;
}

interface Event {
  readonly sequence: number;
  readonly type: string;
  readonly objectId: string;
  readonly data: unknown;
}
