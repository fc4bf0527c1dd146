import { payInvoice } from '#domain/invoicing/commands/invoices/pay-invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import { ConsolidatedInvoice } from '#domain/model/invoicing/consolidated-invoice.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { updateCustomer } from '#domain/platform/commands/customers/update-customer.ts';
import type { CreateSubscriptionInput } from '#domain/subscriptions/commands/subscriptions/create-subscription-input.ts';
import { aCustomer, allowSeveral, aPaymentMethod, aSubscription } from '../factories.ts';
import { at } from '../instants.ts';
import { aTimeline } from '../money-timeline.ts';

export type Timeline = Awaited<ReturnType<typeof aTimeline>>;
type Terms = Partial<CreateSubscriptionInput> & { unitPrice?: number };

/**
 * A customer with consolidated invoices, and with subscriptions whose first invoices are paid. From then on it pays with
 * a token.
 */
export async function aConsolidatingCustomer(
  session: Session,
  token: string,
  subscriptions: readonly Terms[],
) {
  await allowSeveral(session);
  const timeline = await aTimeline(session);
  await consolidates(timeline, true);
  await timeline.pays('sandbox_success', { default: true });
  const ids: string[] = [];
  for (const terms of subscriptions) ids.push((await timeline.subscribes(terms)).id);
  for (const { id, status } of await timeline.invoices()) {
    if (status === 'open') await payInvoice(timeline.fresh(), { id });
  }
  if (token !== 'sandbox_success') await timeline.pays(token, { default: true });
  return { timeline, ids };
}

/** Switches the consolidation of a customer. */
export const consolidates = (timeline: Timeline, consolidatesInvoices: boolean | null) =>
  updateCustomer(timeline.fresh(), {
    externalId: timeline.customer.externalId,
    customer: { consolidatesInvoices },
  });

/** The documents of a customer, the oldest first. */
export const documentsOf = ({ fresh, customer }: Timeline) =>
  fresh().em.find(ConsolidatedInvoice, { customer: customer.id }, { orderBy: { position: 'asc' } });

/** A customer without a test clock, whose subscriptions renew at the same instant. */
export async function renewing(session: Session, count: number, priced: readonly number[] = []) {
  await allowSeveral(session);
  const customer = await aCustomer(session);
  await updateCustomer(at(session, session.now), {
    externalId: customer.externalId,
    customer: { consolidatesInvoices: true },
  });
  await aPaymentMethod(session, customer.id, { token: 'sandbox_success', default: true });
  const ids: string[] = [];
  for (let place = 0; place < count; place++) {
    const unitPrice = priced[place];
    const terms = { customerId: customer.id, ...(unitPrice !== undefined && { unitPrice }) };
    ids.push((await aSubscription(session, terms)).id);
  }
  const { transitionDueAt } = await at(session, session.now).em.findOneOrFail(
    Subscription,
    ids[0] ?? '',
  );
  return { customer, ids, start: transitionDueAt as Date };
}
