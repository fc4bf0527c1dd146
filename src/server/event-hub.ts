import type { MikroORM } from '@mikro-orm/postgresql';
import type { Event } from '#domain/events/event.ts';
import type { EventType } from '#domain/events/event-types.ts';
import { type AbsentOrganizations, notServed } from '#domain/kernel/absent-organizations.ts';
import {
  type FeedOwner,
  lastSequence,
  sequenceEvents,
} from '#domain/rules/feed/sequence-events.ts';
import type { CheckedPool } from './database/pool.ts';
import { type Changed, readPayload, type WakeUpChannel } from './database/wake-ups.ts';
import {
  type ChangedDelivery,
  createDeliveryWatchers,
  type DeliveryWatch,
  watchInterrupted,
} from './delivery-watchers.ts';
import { type Following, followFrom, keyGone, refusalOf } from './event-follower.ts';
import { openFeedReader, type TypeListener } from './feed-reader.ts';
import { type Heartbeat, openListeningConnection } from './listening-connection.ts';
import type { Logger } from './logger.ts';

/** Without a wake-up the table is read at this interval. */
const restlessMilliseconds = 5_000;
const usualHeartbeat: Heartbeat = { everyMilliseconds: 5_000, longestAnswerMilliseconds: 5_000 };
/** The change feed in this process: each event is read once for all followers. */
export interface EventHub extends AsyncDisposable {
  /** Events after a sequence, then live ones, without gap or repetition; only live ones without a sequence. */
  follow(following: Following, after?: number): Promise<AsyncIterableIterator<Event>>;
  /** Calls back with each event of a type, of every tenant. */
  onEach(type: EventType, listener: (event: Event) => void): void;
  /**
   * Ends the followings of a key that must not see events any longer. With origins, ends only those of pages of other
   * origins.
   */
  dismiss(credentialId: string, origins?: readonly string[]): void;
  /** Ends the followings of all tokens of a customer. */
  dismissCustomer(customerId: string): void;
  onDismissal(listener: (credentialId: string, origins?: readonly string[]) => void): void;
  /** Ends the followings of organizations that are being moved to another cell. */
  dismissOrganizations(organizations: AbsentOrganizations): void;
  /** Calls back with organizations that are being moved. */
  onMove(listener: (organizations: AbsentOrganizations) => void): void;
  /** Calls whenever a delivery was inserted or attempted, here or elsewhere. */
  onDelivery(listener: () => void): void;
  /** Is woken by the commits of another pool of this process, too, and notifies other processes of them. */
  hear(orm: MikroORM): Promise<void>;
  /** Each change of a delivery from now on. */
  watchDeliveries(watch: DeliveryWatch): AsyncIterableIterator<ChangedDelivery>;
}

/**
 * Follows the feed over one listening connection, which only wakes; the events are read from the
 * table. A lost connection is replaced, and no event is missed.
 */
export async function openEventHub(
  orm: MikroORM,
  databaseUrl: string,
  logger: Logger,
  heartbeat = usualHeartbeat,
): Promise<EventHub> {
  const listeners: TypeListener[] = [];
  const dismissals: ((credentialId: string, origins?: readonly string[]) => void)[] = [];
  const moves: ((organizations: AbsentOrganizations) => void)[] = [];
  const deliveries = createDeliveryWatchers(orm.em);
  const deliveryListeners: (() => void)[] = [];
  let closed = false;
  const reader = await openFeedReader(orm, logger, listeners);
  const { everyone } = reader.feed;
  const ownSenders = new Set<string>();
  const heardPools: (() => void)[] = [];
  const listening = await openListeningConnection(databaseUrl, logger, heartbeat, {
    onNotification(channel, payload) {
      const { sender, changed } = readPayload(payload);
      // The own commits have been heard of directly.
      if (!ownSenders.has(sender)) heard(channel as WakeUpChannel, changed);
    },
    onInterruption() {
      deliveries.end(watchInterrupted());
      reader.wake(null);
    },
  });
  await hear(orm);
  reader.wake(null);
  const restless = setInterval(() => reader.wake(null), restlessMilliseconds).unref();

  return {
    follow,
    onEach: (type, listener) => void listeners.push({ type, listener }),
    dismiss(credentialId, origins) {
      for (const follower of everyone) {
        const { credentialId: own, origin } = follower.following;
        const refusal = own === credentialId && refusalOf(origin, origins);
        if (refusal) follower.end(refusal);
      }
      deliveries.dismiss(credentialId, origins);
      for (const listener of dismissals) listener(credentialId, origins);
    },
    dismissCustomer(customerId) {
      for (const follower of everyone) {
        if (follower.following.ownCustomerId === customerId) follower.end(keyGone());
      }
    },
    onDismissal: (listener) => dismissals.push(listener),
    dismissOrganizations(organizations) {
      for (const follower of everyone) {
        const cell = organizations.get(follower.following.organizationId);
        if (cell !== undefined) follower.end(notServed(cell));
      }
      deliveries.end(watchInterrupted());
      for (const listener of moves) listener(organizations);
    },
    onMove: (listener) => void moves.push(listener),
    onDelivery: (listener) => deliveryListeners.push(listener),
    hear,
    watchDeliveries: deliveries.watch,
    async [Symbol.asyncDispose]() {
      closed = true;
      clearInterval(restless);
      for (const leave of heardPools) leave();
      for (const follower of everyone) follower.end();
      deliveries.end();
      await listening[Symbol.asyncDispose]();
      await reader.close();
    },
  };

  async function present(owner: FeedOwner) {
    const em = orm.em.fork();
    await sequenceEvents(em, owner);
    return lastSequence(em, owner);
  }

  /** Sends the wake-ups of a pool over the listening connection, so that they do not wait for requests. */
  async function hear({ em }: MikroORM) {
    const { wakeUps } = (await em.getConnection().getNativeClient()) as CheckedPool;
    ownSenders.add(wakeUps.sender);
    wakeUps.onCommit(heard);
    heardPools.push(
      wakeUps.sendBy(listening.send, (problem) =>
        logger.warn(problem, 'Waking other processes has failed; it is tried again'),
      ),
    );
  }

  function heard(channel: WakeUpChannel, changed: Changed) {
    if (closed) return;
    if (channel !== 'tollgate_delivery') return reader.wake(changed);
    if (changed) for (const each of changed) deliveries.publish(each);
    else deliveries.end(watchInterrupted());
    for (const listener of deliveryListeners) listener();
  }

  /** «From now on» starts after the last event of the feed, whether this process has read it or not. */
  async function follow(following: Following, after?: number) {
    return followFrom(reader.feed, following, after ?? (await present(following)));
  }
}
