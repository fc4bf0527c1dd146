import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { atStep, nextBillingStep } from '#domain/money/collection/billing-steps.ts';
import {
  rehearseBilling,
  type UpcomingInvoice,
} from '#domain/money/collection/rehearse-billing.ts';
import { prepareInvoice } from '#domain/money/outcomes/prepare-invoice.ts';
import { lockSubscription } from '#domain/platform/locks/lock-subscription.ts';
import { countAcceptedUsage } from '#domain/recording/inbox/count-accepted-usage.ts';
import { mostItems } from '#domain/subscriptions/adjusting/adjust-input.ts';
import { mostPhases } from '#domain/subscriptions/adjusting/phase-input.ts';
import { transitionSubscription } from '#domain/subscriptions/lifecycle/transition-subscription.ts';

/** A trial, and two periods after it: then a subscription that bills at all has an invoice. */
const mostBoundaries = 3;

/**
 * The next invoice of a subscription, if nothing changes until then; null where none will follow. The code that bills
 * writes it at its own instant, within a transaction that is rolled back. So it agrees with the invoice that follows.
 * Errors: NOT_FOUND.
 */
export async function upcomingInvoice(
  session: Session,
  subscriptionId: string,
): Promise<UpcomingInvoice | null> {
  const { customerId } = await session.em.findOneOrFail(Subscription, subscriptionId);
  await countAcceptedUsage(session, [subscriptionId]);
  return rehearseBilling(session, { customerId, subscriptionId }, (session) =>
    rehearsed(session, subscriptionId),
  );
}

async function rehearsed(session: Session, id: string): Promise<UpcomingInvoice | null> {
  const { subscription, session: atLock } = await lockSubscription(session, id);
  const { customerId, doNotCharge, isFreePlan, commitment } = subscription;
  // The difference to a commitment may be the first charge.
  const trials = subscription.itemTrialEndAt ? mostItems : 0;
  const phases = subscription.phaseStartAt ? mostPhases : 0;
  const most = mostBoundaries + trials + phases + (commitment?.term?.periods ?? 0);
  if (doNotCharge) return null;
  const known = await invoiceIds(session, id);
  for (let boundaries = 0; boundaries <= (isFreePlan ? 1 : most); ) {
    const step = await nextBillingStep(session, [id]);
    if (!step) return null;
    const due = await atStep(atLock, subscription.testClockId ?? null, step);
    if ('run' in step) await prepareInvoice(due, step.run.id);
    else {
      boundaries++;
      await transitionSubscription(due, id);
    }
    const invoice = await newInvoice(session, id, known);
    if (!invoice) continue;
    const lines = await invoice.lineItems.loadItems({ refresh: true });
    return { subscriptionId: id, customerId, invoice, lines, asOf: atLock.now };
  }
  return null;
}

async function invoiceIds({ em }: Session, subscription: string): Promise<readonly string[]> {
  const rows = await em.find(
    Invoice,
    { subscription },
    { fields: ['id'], disableIdentityMap: true },
  );
  return rows.map(({ id }) => id);
}

/** The first invoice that a step has written. One that only shows corrections is none to pay. */
async function newInvoice({ em }: Session, subscription: string, known: readonly string[]) {
  await em.flush();
  const [invoice] = await em.find(
    Invoice,
    { subscription, id: { $nin: [...known] }, purpose: { $ne: 'usage_correction' } },
    { orderBy: { createdAt: 'asc', position: 'asc' }, refresh: true, limit: 1 },
  );
  return invoice;
}
