import type { EntityManager } from '@mikro-orm/postgresql';
import { inLanes } from '#domain/kernel/in-lanes.ts';
import { type Scope, scopeOf } from '#domain/kernel/session.ts';
import type { EventType } from '#domain/model/platform/event-types.ts';
import { statement } from '#engines/lockstep/statement.ts';

/** How many events get their sequence, and endpoints their deliveries, in one statement. */
const largestCrowd = 5_000;

/** How many feeds a job numbers at a time; each uses a connection. */
const feedsAtATime = 4;

/** How many events of others a transaction numbers before its own. */
export const mostNumberedFirst = 500;

/** The organization and mode that have a feed of their own. */
export type FeedOwner = Pick<Scope, 'organizationId' | 'livemode'>;

/**
 * Numbers the events of committed transactions in the order in which they were written; one process at a time in each
 * feed. Only readable events get a number. So no reader meets a lower number after a higher one, however long a
 * transaction takes. The feed is that of the session; without a session all feeds are numbered.
 */
export async function sequenceEvents(em: EntityManager, owner = ownerOf(em)) {
  for (const each of owner ? [owner] : await unsequencedFeeds(em)) {
    for (;;) {
      const [{ given }] = await em.execute<[{ given: number }]>(
        'select sequence_events(?, ?, ?) as given',
        [largestCrowd, each.organizationId, each.livemode],
      );
      if (given < largestCrowd) break;
    }
  }
}

/** The same for all feeds, several at a time. One that fails is reported, and is no reason to leave the others. */
export async function sequenceFeeds(em: EntityManager, onFailure: (error: unknown) => void) {
  const feeds = (await unsequencedFeeds(em)).values();
  await inLanes(feedsAtATime, async () => {
    for (const feed of feeds) await sequenceEvents(em, feed).catch(onFailure);
  });
}

/** Finds the feeds that have events without a sequence. */
export const unsequencedFeedsText =
  'select organization_id as "organizationId", livemode from unsequenced_feeds()';

export const unsequencedFeeds = (em: EntityManager) =>
  statement<FeedOwner>(em, 'unsequenced feeds', unsequencedFeedsText, []);

/**
 * The same outside a transaction; within one, such as a dry run, it does nothing. There its own events would get
 * numbers that are rolled back, and all others would wait for it.
 */
export async function sequenceCommitted(em: EntityManager) {
  if (!em.isInTransaction()) await sequenceEvents(em);
}

/**
 * The events that a listener waits for: these types and all of these pricing models; null for every pricing model.
 */
export interface Wanted {
  readonly types: readonly EventType[];
  readonly pricingModelIds: readonly string[] | null;
}

/** How far a feed reaches after it was advanced. */
export interface Advance {
  readonly last: number;
  /** Whether it contains a wanted event. */
  readonly some: boolean;
  /** Whether more events may be without a number. */
  readonly more: boolean;
}

/**
 * Numbers at most `largestCrowd` events of a feed. The same round trip returns how far the feed reaches and whether it
 * contains a wanted event after a sequence.
 */
export async function advanceFeed(
  em: EntityManager,
  { organizationId, livemode }: FeedOwner,
  after: number,
  { types, pricingModelIds }: Wanted,
): Promise<Advance> {
  const [row] = await statement<{ given: number; last: string; wanted: boolean }>(
    em,
    'advance_feed',
    'select * from advance_feed($1, $2, $3, $4, $5, $6)',
    [largestCrowd, organizationId, livemode, after, types, pricingModelIds],
  );
  if (!row) throw new Error('advance_feed answers one row');
  return { last: Number(row.last), some: row.wanted, more: row.given >= largestCrowd };
}

/** The last number of a feed that was given, and the last one whose event was deleted; 0 before the first. */
export async function headOf(em: EntityManager, owner = ownerOf(em)) {
  if (!owner) throw new Error('The feed is read without a session');
  const [row] = await statement<{ sequence: string; purged: string }>(
    em,
    'head of a feed',
    'select sequence, purged from event_head where organization_id = $1 and livemode = $2',
    [owner.organizationId, owner.livemode],
  );
  return { sequence: Number(row?.sequence ?? 0), purged: Number(row?.purged ?? 0) };
}

/** The end of a feed. */
export interface FeedHead extends FeedOwner {
  readonly sequence: number;
  /** Whether its events arrive with their numbers from another cell. A lock of their rows could stop the copy. */
  readonly isArriving: boolean;
}

type StoredHead = Omit<FeedHead, 'sequence'> & { readonly sequence: string };

/** Reads how far each feed reaches. */
export const feedHeadsText = `select organization_id as "organizationId", livemode, sequence,
     organization_id in (select organization_id from organization_move where state = 'arriving') as "isArriving"
   from event_head`;

export const asFeedHead = (head: StoredHead): FeedHead => ({
  ...head,
  sequence: Number(head.sequence),
});

export const feedHeads = async (em: EntityManager): Promise<FeedHead[]> =>
  (await statement<StoredHead>(em, 'heads of all feeds', feedHeadsText, [])).map(asFeedHead);

/** The number of the last event; the feed continues after it. */
export async function lastSequence(em: EntityManager, owner?: FeedOwner): Promise<number> {
  return (await headOf(em, owner)).sequence;
}

/** The feed of the session of an EntityManager; undefined without one. */
function ownerOf(em: EntityManager): FeedOwner | undefined {
  const { organizationId, livemode } = (scopeOf(em) as Scope | undefined) ?? {};
  return organizationId === undefined || livemode === undefined
    ? undefined
    : { organizationId, livemode };
}
