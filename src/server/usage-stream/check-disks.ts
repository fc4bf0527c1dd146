import { ConfigError } from '#config';

interface Variables {
  readonly server_name?: string;
  readonly jetstream?: { readonly config?: { readonly sync_always?: boolean } };
}

const longestAnswerMilliseconds = 3_000;

/**
 * Asks the servers whether they write each message to the disk before they acknowledge it. Returns the problems of those
 * that do not answer: one of several servers may be away. Errors: ConfigError for a server that does not write, and
 * where none answers.
 */
export async function checkDisks(monitoringUrls: readonly string[]): Promise<string[]> {
  const unread: string[] = [];
  for (const url of monitoringUrls) {
    const found = await variablesOf(url).catch((error: Error) => void unread.push(error.message));
    if (!found) continue;
    if (found.jetstream?.config?.sync_always !== true) {
      throw new ConfigError(
        `The NATS server ${found.server_name ?? url} writes messages to its disk every 2 minutes: acknowledged usage could be lost. Set sync_interval: always in its block jetstream`,
      );
    }
  }
  if (unread.length > 0 && unread.length === monitoringUrls.length) {
    throw new ConfigError(`NATS_MONITORING_URLS: ${unread.join('; ')}`);
  }
  return unread;
}

/** Errors: Error that names the address. */
async function variablesOf(url: string): Promise<Variables> {
  const address = new URL('varz', url.endsWith('/') ? url : `${url}/`);
  try {
    const signal = AbortSignal.timeout(longestAnswerMilliseconds);
    const answer = await fetch(address, { signal });
    if (!answer.ok) throw new Error(`it answers ${answer.status}`);
    return (await answer.json()) as Variables;
  } catch (error) {
    const { cause, message } = error as Error;
    const reason = (cause as Error | undefined)?.message ?? message;
    throw new Error(`${address} cannot be read: ${reason}`);
  }
}
