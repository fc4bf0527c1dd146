import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { type AbsentOrganizations, notServed } from '#domain/kernel/absent-organizations.ts';
import { clockText, learnPresent } from '#domain/kernel/values/present.ts';
import type { Event } from '#domain/model/platform/event.ts';
import type { EventType } from '#domain/model/platform/event-types.ts';
import {
  asFeedHead,
  type FeedOwner,
  feedHeadsText,
  lastSequence,
  sequenceEvents,
  unsequencedFeedsText,
} from '#domain/platform/feed/sequence-events.ts';
import type { CheckedPool } from '../database/pool.ts';
import { type Changed, readPayload, type WakeUpChannel } from '../database/wake-ups.ts';
import type { Logger } from '../observability/logger.ts';
import {
  type ChangedDelivery,
  createDeliveryWatchers,
  type DeliveryWatch,
  watchInterrupted,
} from './delivery-watchers.ts';
import { type Following, followFrom, keyGone, refusalOf } from './event-follower.ts';
import { openFeedReader, type TypeListener } from './feed-reader.ts';
import { type Heartbeat, type Look, openListeningConnection } from './listening-connection.ts';

/** Without a wake-up and without a look, the table is read at this interval. */
const restlessMilliseconds = 5_000;
const usualHeartbeat: Heartbeat = { everyMilliseconds: 5_000, longestAnswerMilliseconds: 5_000 };

/** A statement without parameters, and what becomes of its rows. */
interface Question {
  /** The statement to ask next; undefined for none. */
  next(): string | undefined;
  /** Gets its rows; undefined where it was not answered. */
  heard(rows: readonly object[] | undefined): void;
}

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
  /** Asks the database every few seconds, together with what the hub asks itself. */
  ask(question: Question): void;
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
  const pools: EntityManager[] = [];
  const questions: Question[] = [];
  let lookedAt = Number.NEGATIVE_INFINITY;
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
    nextLook,
  });
  await hear(orm);
  reader.wake(null);
  const restless = setInterval(() => {
    if (performance.now() - lookedAt > restlessMilliseconds * 1.5) reader.wake(null);
  }, restlessMilliseconds).unref();

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
    ask: (question) => void questions.push(question),
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

  /** One round trip tells the time, finds feeds that no wake-up has named, and asks what else is to be known. */
  function nextLook(): Look {
    const asked = questions.flatMap((question) => {
      const text = question.next();
      return text === undefined ? [] : { question, text };
    });
    return {
      text: [clockText, unsequencedFeedsText, feedHeadsText, ...asked.map(({ text }) => text)].join(
        ';\n',
      ),
      heard(results, began) {
        const [clock, unsequenced, heads, ...answers] = results ?? [];
        for (const [place, { question }] of asked.entries()) question.heard(answers[place]?.rows);
        if (closed || !clock || !unsequenced || !heads) return;
        lookedAt = performance.now();
        for (const em of pools) learnPresent(em, Number(clock.rows[0]?.shown), began);
        reader.look(unsequenced.rows, heads.rows.map(asFeedHead));
      },
    };
  }

  async function present(owner: FeedOwner) {
    const em = orm.em.fork();
    await sequenceEvents(em, owner);
    return lastSequence(em, owner);
  }

  /** Sends the wake-ups of a pool over the listening connection, so that they do not wait for requests. */
  async function hear({ em }: MikroORM) {
    const { wakeUps } = (await em.getConnection().getNativeClient()) as CheckedPool;
    pools.push(em);
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
