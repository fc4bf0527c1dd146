import { ConfigError } from '#config';

interface Variables {
  readonly server_name?: string;
  readonly jetstream?: { readonly config?: { readonly sync_always?: boolean } };
}

const longestAnswerMilliseconds = 3_000;

/** The statements of the servers about their disks. */
export interface Disks {
  /** The problems of servers that do not answer: one of several servers may be away. */
  readonly unread: readonly string[];
  /** Why a server could lose acknowledged usage; undefined while none of those that answer could. */
  readonly unsafe: string | undefined;
}

/** Asks the servers whether they write each message to the disk before they acknowledge it. */
export async function readDisks(monitoringUrls: readonly string[]): Promise<Disks> {
  const unread: string[] = [];
  let unsafe: string | undefined;
  for (const url of monitoringUrls) {
    const found = await variablesOf(url).catch((error: Error) => void unread.push(error.message));
    if (!found || found.jetstream?.config?.sync_always === true) continue;
    unsafe ??= `The NATS server ${found.server_name ?? url} writes messages to its disk every 2 minutes: acknowledged usage could be lost. Set sync_interval: always in its block jetstream`;
  }
  return { unread, unsafe };
}

/**
 * The same before the servers are used. Returns the problems of those that do not answer. Errors: ConfigError for a
 * server that does not write, and where none answers.
 */
export async function checkDisks(monitoringUrls: readonly string[]): Promise<readonly string[]> {
  const { unread, unsafe } = await readDisks(monitoringUrls);
  if (unsafe) throw new ConfigError(unsafe);
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
