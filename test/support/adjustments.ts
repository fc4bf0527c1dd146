import pg from 'pg';
import type { Session } from '#domain/kernel/session.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import type { Adjustment } from '#domain/subscriptions/adjusting/adjust-input.ts';
import { adjustSubscription } from '#domain/subscriptions/commands/subscription-adjustments/adjust-subscription.ts';
import { cancelScheduledAdjustment } from '#domain/subscriptions/commands/subscription-adjustments/cancel-scheduled-adjustment.ts';
import { previewAdjustment } from '#domain/subscriptions/commands/subscription-adjustments/preview-adjustment.ts';
import type { CreateSubscriptionInput } from '#domain/subscriptions/commands/subscriptions/create-subscription-input.ts';
import { aPriceOf } from './factories.ts';
import { at } from './instants.ts';
import { aTimeline } from './money-timeline.ts';

export type Items = Adjustment['newSubscriptionItems'];

/** Items as `unitPrice×quantity`, in the order of that. */
export const shown = (items: readonly Pick<SubscriptionItem, 'unitPrice' | 'quantity'>[]) =>
  items.map(({ unitPrice, quantity }) => `${unitPrice}×${quantity}`).sort();

/**
 * A paying customer on its own clock from 2026-01-01, and the actions on it. Its subscription has a price of
 * `unitPrice` for each 30 days.
 */
export async function anAdjustable(
  session: Session,
  {
    unitPrice = 1_000,
    quantity = 1,
    token = 'sandbox_success',
    days = 30,
    trialDays,
    ...terms
  }: Partial<CreateSubscriptionInput> & {
    unitPrice?: number;
    quantity?: number;
    token?: string;
    /** The length of a period. */
    days?: number;
    trialDays?: number;
  } = {},
) {
  const timeline = await aTimeline(session);
  await timeline.pays(token);
  const monthly = (unitPrice: number) =>
    aPriceOf(timeline.fresh(), { unitPrice, intervalUnit: 'day', intervalCount: days });
  const { id } = await timeline.subscribes({
    priceId: await monthly(unitPrice),
    quantity,
    trialEnd: trialDays === undefined ? null : timeline.day(trialDays),
    ...terms,
  });
  const input = (newSubscriptionItems: Items, options: Partial<Adjustment> = {}) => ({
    id,
    adjustment: { timing: 'immediately' as const, newSubscriptionItems, ...options },
  });
  return {
    ...timeline,
    id,
    monthly,
    current: () => timeline.subscription(id),
    items: () =>
      timeline
        .fresh()
        .em.find(
          SubscriptionItem,
          { subscription: id },
          { orderBy: { addedDate: 'asc', createdAt: 'asc', unitPrice: 'asc' } },
        ),
    adjust: (items: Items, options: Partial<Adjustment> = {}, signal?: AbortSignal) =>
      adjustSubscription(at(session, session.now), input(items, options), signal),
    preview: (items: Items, options: Partial<Adjustment> = {}) =>
      previewAdjustment(at(session, session.now), input(items, options)),
    cancelScheduled: () => cancelScheduledAdjustment(at(session, session.now), { id }),
  };
}

/** The items, periods and charges of a customer, without voided invoices. */
export async function agreedBy(session: Session, customerId: string) {
  // biome-ignore lint/suspicious/noExplicitAny: rows as the database has them
  const [found] = await at(session, session.now).em.execute<{ agreed: Record<string, any> }[]>(
    `select jsonb_build_object(
       'customer', (select to_jsonb(c) - 'updated_at' - 'version' - 'invoice_count' from customer c where id = ?),
       'subscriptions', (select jsonb_agg(to_jsonb(s) - 'updated_at' - 'version' - 'adjustment_count' order by id) from subscription s where customer_id = ?),
       'items', (select jsonb_agg(to_jsonb(i) - 'updated_at' - 'version' order by id) from subscription_item i where customer_id = ?),
       'features', (select jsonb_agg(to_jsonb(f) - 'updated_at' - 'version' order by id) from subscription_item_feature f where customer_id = ?),
       'periods', (select jsonb_agg(to_jsonb(p) order by id) from billing_period p where customer_id = ?),
       'lines', (select jsonb_agg(to_jsonb(l) order by l.id) from invoice_line_item l
         join invoice on invoice.id = l.invoice_id where l.customer_id = ? and invoice.status <> 'void')) as agreed`,
    Array(6).fill(customerId),
  );
  return found?.agreed ?? {};
}

/** The error of a refused command, with the path of the first issue. */
export const refused = (path: string, message: RegExp) => ({
  code: 'BAD_REQUEST',
  issues: [
    { path: path.split('.'), message: { asymmetricMatch: (text: string) => message.test(text) } },
  ],
});

/** Runs work while the processor is busy with a payment method. */
export async function whileBusy<T>(
  databaseUrl: string,
  method: string,
  work: () => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [method]);
    return await work();
  } finally {
    await client.end();
  }
}
