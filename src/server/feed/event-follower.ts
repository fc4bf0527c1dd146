import type { FilterQuery } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '#domain/kernel/errors.ts';
import { customerEvents, customerKinds } from '#domain/kernel/reads/of-customer.ts';
import { Event } from '#domain/model/platform/event.ts';
import { conditionOf, isWanted } from '#domain/platform/commands/events/read-events.ts';
import { startOf } from '#domain/platform/feed/event-start.ts';
import type { EventFilter } from '#domain/platform/feed/follow.ts';
import type { FeedOwner } from '#domain/platform/feed/sequence-events.ts';
import { LiveReader } from '#engines/live/live-reader.ts';
import { onExpiry } from './key-expiry.ts';

/** How many events are read at a time, and how many unread events one follower may have. */
export const pageSize = 500;
const longestQueue = 1_000;

/** A follower and its filter. The tenant is the follower's own. */
export interface Following extends EventFilter {
  readonly organizationId: string;
  readonly livemode: boolean;
  /** Absent for the pricing models themselves, which every key of the organization sees. */
  readonly pricingModelId?: string;
  readonly credentialId: string | undefined;
  /** The customer of a token: it gets only events of this customer. */
  readonly ownCustomerId?: string | undefined;
  /** The expiry of the follower's key, which ends the following. */
  readonly expiresAt: Date | null;
  /** The origin of the page that follows, if it is one. */
  readonly origin?: string | undefined;
}

/** One follower, as the hub sees it. */
export interface Follower {
  readonly following: Following;
  offer(events: readonly Event[]): void;
  end(error?: Error): void;
}

/** The functions of the hub that a follower needs. */
export interface Feed {
  readonly everyone: Set<Follower>;
  /** From now on the follower has caught up, and gets each event live. */
  join(follower: Follower): void;
  leave(follower: Follower): void;
  /** The sequence of the last event of a feed that the hub has delivered. */
  last(owner: FeedOwner): number;
  em(): EntityManager;
}

/**
 * Yields events after a sequence, first from the table and then from the hub. The iterator ends
 * with the sequence to resume from when too many events are unread, and when its key is revoked.
 */
export function followFrom(
  feed: Feed,
  following: Following,
  after: number,
): AsyncIterableIterator<Event> {
  const queue: Event[] = [];
  let cursor: number | undefined = after;
  let delivered = after;
  const reader = new LiveReader<Event>({
    take() {
      const event = queue.shift();
      delivered = event?.sequence ?? delivered;
      return event;
    },
    waiting: () => queue,
    drop(count) {
      delivered = queue[count - 1]?.sequence ?? delivered;
      queue.splice(0, count);
    },
    refill: () => (cursor === undefined ? undefined : catchUp()),
    onEnd() {
      stopWaiting();
      feed.leave(follower);
      feed.everyone.delete(follower);
    },
  });
  const follower: Follower = {
    following,
    offer(events) {
      for (const event of events) {
        if (event.sequence == null || event.sequence > after) queue.push(event);
      }
      reader.wake();
      if (queue.length > longestQueue) follower.end(tooSlow(delivered));
    },
    end(error) {
      // Events that could not be delivered are dropped; they can be read again.
      if (error) queue.length = 0;
      reader.end(error && { error });
    },
  };
  const stopWaiting = onExpiry(feed.em(), following.expiresAt, () => follower.end(keyGone()));
  // Registered from the start, so that a revoked key ends it while it still catches up.
  feed.everyone.add(follower);
  return reader;

  /** Reads missed events up to the hub's position; from there on the hub itself delivers. */
  async function catchUp() {
    const em = feed.em();
    const start = await startOf(em, cursor ?? 0, following);
    const horizon = feed.last(following);
    const missed = await eventsBetween(em, following, start, horizon);
    queue.push(...missed);
    // The hub itself may be behind the follower's sequence; the cursor never moves back.
    cursor = Math.max(start, missed.length === pageSize ? (missed.at(-1)?.sequence ?? 0) : horizon);
    // No await separates this check from the join, so no event is lost in between.
    if (missed.length === pageSize || horizon !== feed.last(following)) return;
    cursor = undefined;
    if (!reader.isEnded) feed.join(follower);
  }
}

/** Unfiltered events of any tenant: each follower applies its own filter. */
export async function eventsBetween(
  em: EntityManager,
  following: Partial<Following>,
  after: number,
  upTo: number | undefined,
): Promise<Event[]> {
  const { organizationId, livemode, pricingModelId } = following;
  const rows = await em.getDriver().find(
    Event,
    {
      ...(organizationId !== undefined && { organizationId }),
      ...(livemode !== undefined && { livemode }),
      ...(pricingModelId !== undefined && { pricingModelId }),
      ...conditionOf(following),
      ...ownEvents(following),
      sequence: { $gt: after, ...(upTo !== undefined && { $lte: upTo }) },
    },
    { orderBy: { sequence: 'asc' }, limit: pageSize },
  );
  // This does what `em.find` does, without the copy for change detection: events never change.
  const factory = em.getEntityFactory();
  return rows.map((row) =>
    factory.create<Event>(Event, row, { initialized: true, convertCustomTypes: true }),
  );
}

/**
 * The events that a customer token may follow. An event that only wakes its reader may belong to the catalog or to a
 * test clock, since the reader reads what it shows.
 */
function ownEvents({ ownCustomerId, wakesOnly }: Partial<Following>): {
  $and?: FilterQuery<Event>[];
} {
  if (ownCustomerId === undefined) return {};
  const own = customerEvents(ownCustomerId);
  return { $and: [wakesOnly ? { $or: [own, { customerId: null }] } : own] };
}

const isOwn = ({ customerId, objectType }: Event, { ownCustomerId, wakesOnly }: Following) =>
  ownCustomerId === undefined ||
  (customerId === ownCustomerId && customerKinds.includes(objectType)) ||
  (wakesOnly === true && customerId == null);

/** Whether an event matches a follower's filter. */
export const concerns = (event: Event, following: Following) =>
  event.organizationId === following.organizationId &&
  event.livemode === following.livemode &&
  (following.pricingModelId === undefined || event.pricingModelId === following.pricingModelId) &&
  isOwn(event, following) &&
  isWanted(event, following);

const tooSlow = (delivered: number) =>
  new DomainError(
    'SERVICE_UNAVAILABLE',
    `More than ${longestQueue} events are waiting to be received; resume after sequence ${delivered}`,
  );

/** The refusal of a follower whose key or token is no longer valid. */
export const keyGone = () =>
  new DomainError('UNAUTHORIZED', 'The API key or token has been revoked or has expired');

/** The refusal of a page whose origin its key or token no longer allows. */
const originGone = () =>
  new DomainError('FORBIDDEN', 'The API key or token no longer allows pages of this origin');

/** Why a live subscription of a changed key ends: the key is gone, or it does not allow the origin any longer. */
export function refusalOf(origin: string | undefined, origins: readonly string[] | undefined) {
  if (!origins) return keyGone();
  return origin && !origins.includes(origin) ? originGone() : undefined;
}
