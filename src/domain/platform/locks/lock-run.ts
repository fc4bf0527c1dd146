import { LockMode } from '@mikro-orm/core';
import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { BillingRun } from '#domain/model/money/billing-run.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { lockOwned, type Owner } from './lock-subscription.ts';

/** A locked run with its subscription and customer, and a session at the time of the customer under the lock. */
export type LockedRun = Awaited<ReturnType<typeof lockRun>>;

interface OwnerOfRun extends Owner {
  readonly subscriptionId: string;
}

/**
 * Locks a run and its subscription, with the locks of that. `consolidates` states whether its invoice is or may become a
 * member of a document: then all subscriptions of the customer are locked. It is read under the lock of the customer, so
 * a switch of the customer and a document of another process count. Errors: NOT_FOUND.
 */
export async function lockRun(session: Session, id: string) {
  const [found] = await statement<OwnerOfRun>(
    session.em,
    'owner of a run',
    `select r.subscription_id as "subscriptionId", s.customer_id as "customerId", s.test_clock_id as "testClockId"
     from billing_run r join subscription s on s.id = r.subscription_id where r.id = $1 and r.pricing_model_id = $2`,
    [id, session.pricingModelId],
  );
  if (!found) throw new DomainError('NOT_FOUND', `BillingRun ${id} not found`);
  let consolidates = false;
  const locked = await lockOwned(session, found.subscriptionId, found, async () => {
    consolidates = await isConsolidated(session, id);
    return consolidates;
  });
  const run = await session.em.findOneOrFail(BillingRun, id, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
    refresh: true,
  });
  return { ...locked, run, consolidates };
}

/** Whether the invoice of a run is a member of a document, or may become one. */
async function isConsolidated({ em, pricingModelId }: Session, id: string): Promise<boolean> {
  const [found] = await statement<{ readonly consolidates: boolean }>(
    em,
    'consolidation of a run',
    `select r.purpose = 'period' and (i.consolidated_invoice_id is not null
       or (i.id is null and coalesce(c.consolidates_invoices, o.consolidates_invoices))) as consolidates
     from billing_run r join customer c on c.id = r.customer_id
     join organization_settings o on o.organization_id = r.organization_id and o.livemode = r.livemode
     left join invoice i on i.billing_period_id = r.billing_period_id and i.purpose = 'period'
     where r.id = $1 and r.pricing_model_id = $2`,
    [id, pricingModelId],
  );
  return found?.consolidates ?? false;
}
