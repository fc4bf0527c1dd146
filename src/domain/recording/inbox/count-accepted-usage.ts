import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '#domain/kernel/errors.ts';
import { PrimaryNeeded } from '#domain/kernel/primary-needed.ts';
import { Restart } from '#domain/kernel/reads/keyed.ts';
import type { Session } from '#domain/kernel/session.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { countParts } from './count-parts.ts';
import {
  type InboxPart,
  isStandby,
  lastPosition,
  modelsWithUsage,
  ownerHash,
  readParts,
  slotOf,
  type Wanted,
} from './inbox-part.ts';
import { passStream, passStreamIfMarked, stateOfInbox } from './pass-stream.ts';
import { streamedModels } from './streamed-models.ts';

/** The largest number of events that one transaction counts. */
export const mostAtOnce = 4_000;
/** How many events a caller counts itself before it is refused. */
const mostForCaller = 100_000;
const retryAfterSeconds = 5;

/**
 * Counts the accepted usage of some subscriptions, so that their reads and changes include it. Without
 * accepted usage it is one statement. Errors: SERVICE_UNAVAILABLE while too much waits.
 */
export async function countAcceptedUsage(
  session: Session,
  subscriptionIds: readonly string[],
): Promise<void> {
  await countWaiting(session, () => ownersOf(session, 'subscription', subscriptionIds));
}

/** The same for all subscriptions of some customers. */
export async function countAcceptedUsageOfCustomers(
  session: Session,
  customerIds: readonly string[],
): Promise<void> {
  await countWaiting(session, () => ownersOf(session, 'customer', customerIds));
}

/** The same for a whole pricing model. */
export const countAllAcceptedUsage = (session: Session): Promise<void> =>
  countWaiting(session, async () => undefined);

/**
 * Counts the accepted usage of due subscriptions of any tenants, before their boundaries are crossed. One statement
 * finds the tenants that have any. A row whose usage cannot be counted now fails: its boundary has to wait.
 */
export async function countAcceptedUsageOfDue<Row extends { id: string; pricingModelId: string }>(
  em: EntityManager,
  rows: readonly Row[],
  open: (row: Row) => Session,
  onFailure: (error: unknown, row: Row) => void,
): Promise<void> {
  const byModel = Map.groupBy(rows, ({ pricingModelId }) => pricingModelId);
  const models = [...byModel.keys()];
  const waiting = [...(await modelsWithUsage(em, models)), ...(await streamedModels(em, models))];
  for (const pricingModelId of new Set(waiting)) {
    const due = byModel.get(pricingModelId) as [Row, ...Row[]];
    try {
      await countAcceptedUsage(
        open(due[0]),
        due.map(({ id }) => id),
      );
    } catch (error) {
      for (const row of due) onFailure(error, row);
    }
  }
}

/** For a recording that is not of the inbox: usage that was accepted earlier precedes the boundaries that it crosses. */
export const acceptedFirst = (session: Session) => ({
  onDue: (subscriptionIds: readonly string[]) => countAcceptedUsage(session, subscriptionIds),
});

async function countWaiting(session: Session, hashes: () => Promise<number[] | undefined>) {
  const { em, idempotency, dryRun } = session;
  const upTo = await lastOf(em, session);
  if (upTo === undefined) return;
  if (await isStandby(em)) throw new PrimaryNeeded('Accepted usage is to be counted first');
  const owners = await hashes();
  const wanted = { upTo, owners, ...(owners && { slots: [...new Set(owners.map(slotOf))] }) };
  if (idempotency && em.isInTransaction() && !dryRun) {
    if (!(await isPending(session, wanted))) return;
    idempotency.restart = (session) => countAll(session, wanted);
    throw new Restart('Accepted usage is not counted yet');
  }
  await countAll(session, wanted);
}

/** The last position of the inbox, which has all usage that was accepted before; undefined when nothing waits. */
async function lastOf(em: EntityManager, session: Session): Promise<string | undefined> {
  const { position, streamed } = await stateOfInbox(em, session);
  if (!streamed) return position ?? undefined;
  await passStream(em, session);
  return lastPosition(em, session);
}

async function countAll(session: Session, wanted: Wanted) {
  let counted = 0;
  for (;;) {
    const { em } = afresh(session);
    const parts = await readParts(em, session, wanted, { most: mostAtOnce });
    if (parts.length === 0) return;
    for (const { events } of parts) counted += events.length;
    if (counted > mostForCaller) throw tooMuch();
    await countParts(session, parts, countEarlier);
  }
}

/** Counts the earlier accepted usage of subscriptions whose boundary is crossed next. */
export async function countEarlier(
  session: Session,
  subscriptionIds: readonly string[],
  { position }: InboxPart,
) {
  await passStreamIfMarked(session.em, session);
  const owners = await ownersOf(session, 'subscription', subscriptionIds);
  const slots = [...new Set(owners.map(slotOf))];
  await countAll(session, { owners, slots, before: position });
}

async function isPending({ em, pricingModelId }: Session, { owners, upTo }: Wanted) {
  const found = await statement(
    em,
    `usage that waits ${owners !== undefined}`,
    `select from usage_event_inbox where pricing_model_id = $1 and position <= $2
       ${owners ? 'and owners && $3::int[]' : ''} limit 1`,
    [pricingModelId, upTo, ...(owners ? [owners] : [])],
  );
  return found.length > 0;
}

/** The ids by which accepted usage may name its owner, as hashes. */
async function ownersOf(
  { em, pricingModelId }: Session,
  kind: 'subscription' | 'customer',
  ids: readonly string[],
): Promise<number[]> {
  const rows = await statement<{ id: string; subscriptions: string[]; externalId: string }>(
    em,
    `owners of usage by ${kind}`,
    `select c.id, c.external_id as "externalId", array(
       select s.id from subscription s where s.customer_id = c.id) as subscriptions
     from customer c where c.pricing_model_id = $1 and c.id in (${
       kind === 'customer'
         ? 'select unnest($2::text[])'
         : 'select customer_id from subscription where id = any($2::text[])'
     })`,
    [pricingModelId, ids],
  );
  const names = rows.flatMap(({ id, externalId, subscriptions }) => [
    id,
    externalId,
    ...(kind === 'customer' ? subscriptions : []),
  ]);
  return [...new Set([...names, ...(kind === 'subscription' ? ids : [])].map(ownerHash))];
}

const tooMuch = () =>
  new DomainError(
    'SERVICE_UNAVAILABLE',
    'Accepted usage is still being counted: repeat the request in some seconds',
    { retryAfter: retryAfterSeconds },
  );
