import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { sleepUnless } from '#engines/process/sleep-unless.ts';
import { addressBelow } from '../service-address.ts';
import { UserError } from '../user-error.ts';
import type { FollowedFeed } from './arguments.ts';

/** An event as a webhook needs it. */
export interface FeedEvent {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly occurredAt: number;
  readonly objectType: string;
  readonly objectId: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly previousAttributes: Readonly<Record<string, unknown>> | null;
  readonly customer: { readonly id: string; readonly externalId: string } | null;
  readonly pricingModelId: string;
  readonly actor: { readonly type: string; readonly id: string } | null;
}

const subscription = `subscription Follow($after: Sequence, $types: [EventType!]) {
  events(after: $after, types: $types) {
    id type sequence occurredAt objectType objectId data previousAttributes pricingModelId
    customer { id externalId }
    actor { type id }
  }
}`;

const pauseMilliseconds = 1_000;

/** Notices of a feed that is followed. */
interface Notices {
  /** The events of the feed that is followed arrive from now on. */
  onOpen(): void;
  /** The connection is lost, and is opened again. */
  onLost(why: string): void;
}

/**
 * The events of a feed in their order, until `stop`. A lost connection is opened again after the last event, so none is
 * missing and none comes twice. Errors: UserError where the service refuses.
 */
export async function* followFeed(
  { types, after, ...service }: FollowedFeed,
  stop: AbortSignal,
  notices: Notices,
): AsyncGenerator<FeedEvent> {
  let last = after;
  while (!stop.aborted) {
    try {
      for await (const event of connected(service, { after: last, types }, stop, notices.onOpen)) {
        last = event.sequence;
        yield event;
      }
    } catch (error) {
      if (stop.aborted) return;
      const refusal = refusalOf(error);
      if (refusal) throw new UserError(`${service.url.origin}: ${refusal}`);
      notices.onLost(reasonOf(error));
    }
    await sleepUnless(stop, pauseMilliseconds);
  }
}

/** The events of one connection. */
async function* connected(
  { url, key }: Pick<FollowedFeed, 'url' | 'key'>,
  variables: Readonly<Record<string, unknown>>,
  stop: AbortSignal,
  onOpen: () => void,
) {
  const client = createClient({
    url: addressBelow(url, '/graphql').href.replace(/^http/, 'ws'),
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${key}` },
    retryAttempts: 0,
    on: { connected: onOpen },
  });
  const end = () => client.terminate();
  stop.addEventListener('abort', end);
  try {
    const messages = client.iterate<{ events: FeedEvent }>({ query: subscription, variables });
    for await (const { data, errors } of messages) {
      if (!data) throw errors;
      yield data.events;
    }
  } finally {
    stop.removeEventListener('abort', end);
    await client.dispose();
  }
}

/** The message of a refusal, which a repetition does not change; undefined for an interruption. */
function refusalOf(error: unknown): string | undefined {
  if (Array.isArray(error)) {
    const [{ message, extensions }] = error as [
      { message: string; extensions?: { code?: string } },
    ];
    return extensions?.code === 'SERVICE_UNAVAILABLE' ? undefined : message;
  }
  const { code, reason } = error as { code?: unknown; reason?: string };
  // Codes of graphql-ws from 4400 on are its refusals.
  return typeof code === 'number' && code >= 4_400 && code < 4_500 ? reason : undefined;
}

function reasonOf(error: unknown): string {
  if (Array.isArray(error)) return error[0]?.message;
  const { reason, message, code } = error as { reason?: string; message?: string; code?: unknown };
  return reason || message || `The connection has ended with ${code}`;
}
