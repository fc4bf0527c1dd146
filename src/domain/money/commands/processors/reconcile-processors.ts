import type { EntityManager } from '@mikro-orm/postgresql';
import { later } from '#domain/kernel/columns.ts';
import type { OnFailure } from '#domain/kernel/failures.ts';
import { type DueRow, forEachDue } from '#domain/kernel/for-each-due.ts';
import type { Session } from '#domain/kernel/session.ts';
import { ProcessorAccount } from '#domain/model/money/processor-account.ts';
import { processorOfAccount } from '#domain/money/processing/connected-account.ts';
import type { PaymentProcessor } from '#domain/money/processing/port/payment-processor.ts';
import { compareCharges } from './compare-charges.ts';
import { storeNotices } from './store-notices.ts';

/** Events and charges may be listed later than others that are newer. */
const overlapMilliseconds = 10 * 60_000;

/**
 * Reconciles every connected account: lists the events since the last run, which finds those that no webhook brought,
 * and compares the charges with the payments. Returns the numbers of accounts and of open differences.
 */
export async function reconcileProcessors(
  em: EntityManager,
  now: Date,
  causeId: string,
  onFailure: OnFailure,
): Promise<{ readonly accounts: number; readonly differences: number }> {
  const page = () =>
    em.execute<DueRow[]>(
      `select a.id, a.organization_id as "organizationId", a.livemode, (
         select m.id from pricing_model m where m.organization_id = a.organization_id and m.livemode = a.livemode
         order by m.is_default desc, m.created_at limit 1) as "pricingModelId"
       from processor_account a where a.disconnected_at is null order by a.id`,
    );
  const accounts = await forEachDue({ em, now, causeId, onFailure }, { page }, reconcile);
  const [open] = await em.execute<{ count: number }[]>(
    'select count(*)::int as count from processor_difference where resolved_at is null',
  );
  return { accounts, differences: open?.count ?? 0 };
}

/** Reconciles one account up to the instant of the session. */
async function reconcile(session: Session, { id }: DueRow) {
  const account = await session.em.findOneOrFail(ProcessorAccount, id);
  const processor = processorOfAccount(account);
  await listMissedEvents(session, account, processor);
  await compareCharges(session, account, processor);
}

async function listMissedEvents(
  session: Session,
  { id, createdAt, eventsSeenUntil }: ProcessorAccount,
  processor: PaymentProcessor,
) {
  const { em, now, organizationId } = session;
  const from = eventsSeenUntil ?? createdAt;
  const since = new Date(from.getTime() - overlapMilliseconds);
  let newest = from;
  for (let after: string | null = null, more = true; more; ) {
    const page = await processor.listEvents(session, { since, after });
    const notices = page.events.filter(({ object }) => object !== 'other');
    await storeNotices(em, { id }, notices, 'reconciliation', now);
    for (const { createdAt } of page.events) newest = later(newest, createdAt);
    more = page.more;
    after = page.events.at(-1)?.id ?? null;
  }
  // By the processor's clock: that of the database may be set, and events between both would never be listed.
  await em.execute(
    'update processor_account set events_seen_until = ? where id = ? and organization_id = ?',
    [newest, id, organizationId],
  );
}
