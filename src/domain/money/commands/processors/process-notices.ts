import type { EntityManager } from '@mikro-orm/postgresql';
import { isServed } from '#domain/kernel/absent-organizations.ts';
import { databaseFailure } from '#domain/kernel/database-failure.ts';
import { type DueRow, dueSweep } from '#domain/kernel/for-each-due.ts';
import { enterPricingModel, type Session } from '#domain/kernel/session.ts';
import type { ProcessorEvent } from '#domain/model/money/processor-event.ts';
import { applyNotice } from '#domain/money/collection/apply-notice.ts';
import type { ProcessorNotice } from '#domain/money/processing/port/processor-objects.ts';

const pageSize = 100;
const workers = 4;
/** After this long another process may work on a claimed event. */
const claimMilliseconds = 60_000;
const shortestPauseMilliseconds = 10_000;
const longestPauseMilliseconds = 6 * 3_600_000;
/** An object that is unknown for this long belongs to another account. */
const patienceMilliseconds = 3 * 86_400_000;

interface DueEvent extends DueRow {
  readonly accountId: string;
  readonly kind: string;
  readonly object: ProcessorNotice['object'];
  readonly reference: string;
  readonly paymentId: string | null;
  readonly attempts: number;
  readonly receivedAt: string | Date;
  /** The pricing models whose payments it may be about. */
  readonly pricingModelIds: readonly string[];
}

/**
 * Processes the events of processors that are due, of every tenant: each object is read again and settled. One about an
 * object that is not stored yet is tried again. Returns how many there were.
 */
export const processNotices = dueSweep<DueEvent>(
  (em, now) => ({
    page: () => claim(em, now),
    pageSize,
    workers,
    keyOf: ({ reference }) => reference,
  }),
  work,
);

/** Claims due events for this process, with the tenants that they may belong to. */
const claim = (em: EntityManager, now: Date) =>
  em.execute<DueEvent[]>(
    `with due as (
       select id from processor_event where status = 'pending' and due_at <= ? and ${isServed()}
       order by due_at, id limit ${pageSize} for update skip locked
     ), claimed as (
       update processor_event e set due_at = ?, attempts = e.attempts + 1 from due where e.id = due.id returning e.*
     )
     select e.id, a.id as "accountId", a.kind, a.organization_id as "organizationId", a.livemode, e.object, e.reference,
       e.payment_id as "paymentId", e.attempts, e.received_at as "receivedAt",
       models.ids[1] as "pricingModelId", to_jsonb(models.ids) as "pricingModelIds"
     from claimed e join processor_account a on a.id = e.processor_account_id
     cross join lateral (
       select array_agg(m.id order by m.id = p.pricing_model_id desc nulls last, m.is_default desc, m.created_at) as ids
       from pricing_model m left join payment p on p.id = e.payment_id
       where m.organization_id = a.organization_id and m.livemode = a.livemode) models
     order by e.occurred_at, e.id`,
    [now, new Date(now.getTime() + claimMilliseconds)],
  );

async function work(session: Session, event: DueEvent) {
  try {
    await finish(session, event, await apply(session, event));
  } catch (error) {
    if (databaseFailure(error) === undefined)
      await retry(session, event, error instanceof Error ? error.message : String(error));
    else await leave(session, event);
    throw error;
  }
}

/** Applies an event in the first pricing model that knows its object. */
async function apply(session: Session, event: DueEvent) {
  const { object, reference, paymentId, kind, accountId, pricingModelIds } = event;
  const name = { processor: kind, processorAccountId: accountId };
  let applied: Awaited<ReturnType<typeof applyNotice>> = 'ignored';
  for (const pricingModelId of pricingModelIds) {
    const own = enterPricingModel(session, pricingModelId);
    const answer = await applyNotice(own, { object, reference, paymentId, ...name });
    if (answer === 'applied') return answer;
    if (answer === 'unknown') applied = answer;
  }
  return applied;
}

async function finish(
  session: Session,
  event: DueEvent,
  applied: Awaited<ReturnType<typeof applyNotice>>,
) {
  if (applied === 'unknown') {
    const age = session.now.getTime() - new Date(event.receivedAt).getTime();
    if (age < patienceMilliseconds) return retry(session, event, 'The object is not known yet');
  }
  const status: ProcessorEvent['status'] = applied === 'applied' ? 'done' : 'ignored';
  await session.em.execute(
    'update processor_event set status = ?, due_at = null, error = null where id = ?',
    [status, event.id],
  );
}

/** Tries an event again soon, as if it had not been: the database has failed. */
const leave = ({ em, now }: Session, { id, attempts }: DueEvent) =>
  em.execute('update processor_event set due_at = ?, attempts = ? where id = ?', [
    new Date(now.getTime() + shortestPauseMilliseconds),
    attempts - 1,
    id,
  ]);

/** Tries an event again later: after 10 seconds, then twice the pause before, up to 6 hours. */
async function retry({ em, now }: Session, { id, attempts }: DueEvent, error: string) {
  const pause = Math.min(shortestPauseMilliseconds * 2 ** (attempts - 1), longestPauseMilliseconds);
  await em.execute('update processor_event set due_at = ?, error = ? where id = ?', [
    new Date(now.getTime() + pause),
    error.slice(0, 1_000),
    id,
  ]);
}
