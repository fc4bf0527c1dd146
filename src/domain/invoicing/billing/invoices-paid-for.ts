import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';

/** The invoices of a period, then the earlier ones of its subscription, the newest first. */
export async function invoicesPaidFor({ em }: Session, { id, subscriptionId }: BillingPeriod) {
  const invoices = await em.find(
    Invoice,
    { subscription: subscriptionId, status: { $nin: ['draft', 'void', 'uncollectible'] } },
    { orderBy: { createdAt: 'desc', position: 'desc' } },
  );
  const [own, others] = [true, false].map((isOwn) =>
    invoices.filter(({ billingPeriodId }) => (billingPeriodId === id) === isOwn),
  );
  return [...(own ?? []), ...(others ?? [])];
}
