import type Stripe from 'stripe';
import type {
  ListedCharges,
  ListedEvents,
  ProcessorCharge,
} from '#domain/money/processing/port/processor-objects.ts';
import { fromStripe, fromStripeCurrency, isCharged } from './amounts.ts';
import { asked, isMissing } from './failures.ts';
import { idOf } from './find.ts';
import { noticeOf } from './notices.ts';

const pageSize = 100;
const seconds = (at: Date) => Math.floor(at.getTime() / 1_000);

/**
 * The events since an instant, the oldest first. Stripe lists the newest first, so the first page is the end of its
 * list; each further one is what follows the last event that was read.
 */
export async function listEvents(
  stripe: Stripe,
  { since, after }: { readonly since: Date; readonly after: string | null },
): Promise<ListedEvents> {
  const page = after === null ? undefined : await eventsAfter(stripe, after);
  if (page) return { events: page.data.map(noticeOf).toReversed(), more: page.has_more };
  const found: Stripe.Event[] = [];
  const created = { gte: seconds(since) };
  const list = stripe.events.list({ created, limit: pageSize });
  await asked(list.autoPagingEach((event) => void found.push(event)));
  return { events: found.map(noticeOf).toReversed(), more: false };
}

/** The events that follow one; undefined when Stripe does not keep that one any more. */
async function eventsAfter(stripe: Stripe, after: string) {
  try {
    return await asked(stripe.events.list({ ending_before: after, limit: pageSize }));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The charges of a period, the newest first; `after` is the `chargeReference` of the last one that was read. */
export async function listCharges(
  stripe: Stripe,
  { from, to, after }: { readonly from: Date; readonly to: Date; readonly after: string | null },
): Promise<ListedCharges> {
  const { data, has_more: more } = await asked(
    stripe.charges.list({
      created: { gte: seconds(from), lt: seconds(to) },
      limit: pageSize,
      ...(after !== null && { starting_after: after }),
    }),
  );
  return { charges: data.map(chargeOf), more };
}

const statuses: Readonly<Record<string, ProcessorCharge['status']>> = {
  succeeded: 'succeeded',
  pending: 'processing',
  failed: 'failed',
};

const chargeOf = (charge: Stripe.Charge): ProcessorCharge => ({
  reference: idOf(charge.payment_intent) ?? charge.id,
  chargeReference: charge.id,
  paymentId: charge.metadata.payment_id ?? null,
  status: statuses[charge.status] ?? 'processing',
  amount: amountOf(charge.amount, charge),
  refundedAmount: amountOf(charge.amount_refunded, charge),
  currency: fromStripeCurrency(charge.currency),
  createdAt: new Date(charge.created * 1_000),
});

/** The charge of another system may have a currency that is not charged here; its amount stays as it is. */
const amountOf = (amount: number, { currency }: Stripe.Charge) =>
  isCharged(currency) ? fromStripe(amount, currency) : amount;
