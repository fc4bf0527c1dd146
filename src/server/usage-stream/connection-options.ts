import { readFile } from 'node:fs/promises';
import type { NodeConnectionOptions } from '@nats-io/transport-node';
import type { NatsSettings } from '#config';

const secondsToConnect = 5;

/** The options of a connection that reconnects for ever, and notices within seconds that a server is gone. */
export async function connectionOptions({
  urls,
  credentialsFile,
}: NatsSettings): Promise<NodeConnectionOptions> {
  const [first] = urls.map((url) => new URL(url)) as [URL];
  const user = decodeURIComponent(first.username);
  const pass = decodeURIComponent(first.password);
  const usesTls = urls.some((url) => url.startsWith('tls:'));
  return {
    servers: urls.map((url) => new URL(url).host),
    name: 'tollgate usage',
    timeout: secondsToConnect * 1_000,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    pingInterval: 2_000,
    maxPingOut: 2,
    ...(usesTls && { tls: {} }),
    ...(pass ? { user, pass } : user && { token: user }),
    ...(credentialsFile && { authenticator: await authenticatorOf(credentialsFile) }),
  };
}

async function authenticatorOf(file: string) {
  const { credsAuthenticator } = await import('@nats-io/transport-node');
  return credsAuthenticator(await readFile(file));
}
