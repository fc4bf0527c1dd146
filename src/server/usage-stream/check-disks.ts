import { ConfigError } from '#config';

interface Variables {
  readonly server_name?: string;
  readonly jetstream?: { readonly config?: { readonly sync_always?: boolean } };
}

const longestAnswerMilliseconds = 3_000;

/**
 * Asks the servers whether they write each message to the disk before they acknowledge it. Errors: ConfigError for a
 * server that does not, or that does not answer.
 */
export async function checkDisks(monitoringUrls: readonly string[]): Promise<void> {
  for (const url of monitoringUrls) {
    const found = await variablesOf(url);
    if (found.jetstream?.config?.sync_always !== true) {
      throw new ConfigError(
        `The NATS server ${found.server_name ?? url} writes messages to its disk every 2 minutes: acknowledged usage could be lost. Set sync_interval: always in its block jetstream`,
      );
    }
  }
}

async function variablesOf(url: string): Promise<Variables> {
  const address = new URL('varz', url.endsWith('/') ? url : `${url}/`);
  try {
    const signal = AbortSignal.timeout(longestAnswerMilliseconds);
    const answer = await fetch(address, { signal });
    if (!answer.ok) throw new Error(`it answers ${answer.status}`);
    return (await answer.json()) as Variables;
  } catch (error) {
    throw new ConfigError(
      `NATS_MONITORING_URLS: ${address} cannot be read: ${(error as Error).message}`,
    );
  }
}
