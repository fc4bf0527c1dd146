import { countFrom } from './count-from.ts';
import type { Problem, SourcePrice, SourceSubscription } from './source.ts';
import type { StripeSubscription } from './stripe-shapes.ts';

const ended = new Set(['canceled', 'incomplete', 'incomplete_expired']);

/** The subscriptions that are current, with the period that Stripe has billed as paid elsewhere. */
export function subscriptionsOf(
  list: readonly StripeSubscription[],
  prices: ReadonlyMap<string, SourcePrice>,
  known: ReadonlySet<string>,
) {
  const problems: Problem[] = [];
  const subscriptions = list
    .filter(({ status }) => !ended.has(status))
    .flatMap((one): SourceSubscription[] => {
      const note = (message: string, isLeftOut: boolean) =>
        problems.push({ record: `subscription ${one.id}`, message, isLeftOut });
      const mapped = mapOne(one, prices, known, (message) => note(message, false));
      if (typeof mapped !== 'string') return [mapped];
      note(mapped, true);
      return [];
    });
  return { subscriptions, problems };
}

/** The subscription, or the reason why it is left out. */
function mapOne(
  one: StripeSubscription,
  prices: ReadonlyMap<string, SourcePrice>,
  known: ReadonlySet<string>,
  warn: (message: string) => void,
): SourceSubscription | string {
  const { status } = one;
  const isUsage = ({ price }: { readonly price: string }) => prices.get(price)?.type === 'usage';
  const items = one.items.data.filter((item) => !isUsage(item));
  const [first] = items;
  if (one.items.data.length === 0) return 'has no item';
  if (!first) return 'has usage only: create it here with a price of 0, and report its usage';
  const unknown = items.find(({ price }) => !prices.has(price) && !known.has(price));
  if (unknown) return `has the price ${unknown.price}, which is neither imported nor a slug here`;
  if (one.pause_collection)
    return 'pauses its collection: resume it there, or create it here by hand';
  for (const { price } of one.items.data.filter(isUsage)) {
    warn(
      `has the metered price ${price}: its usage until the renewal is billed there, and from then on by its usage meter here`,
    );
  }
  const terms = termsOf({ ...one, items: { data: items } }, warn);
  if (status === 'trialing' && one.trial_end) {
    return { ...terms, startDate: one.trial_start ?? one.trial_end, trialEnd: one.trial_end };
  }
  const start = one.current_period_start ?? first.current_period_start;
  const end = one.current_period_end ?? first.current_period_end;
  if (!start || !end) return 'has no current period';
  const price = prices.get(first.price);
  const interval = {
    intervalUnit: price?.intervalUnit ?? ('month' as const),
    intervalCount: price?.intervalCount ?? 1,
  };
  const from = countFrom({ start, end }, one.billing_cycle_anchor, interval);
  if (!from)
    return `has a period from ${start.toISOString()} to ${end.toISOString()} that is not an interval of its price`;
  if (status === 'past_due' || status === 'unpaid') {
    warn(
      'has an invoice that is not paid there: it stays there, and this period is not charged here',
    );
  }
  return { ...terms, startDate: from, paidUntil: end };
}

function termsOf(one: StripeSubscription, warn: (message: string) => void) {
  const coupon = one.discount?.coupon;
  const isForever = one.discount && !one.discount.end;
  if (coupon && !isForever)
    warn(`has the coupon ${coupon} for a while only: add a discount for the rest by hand`);
  if (one.cancel_at && !one.cancel_at_period_end) {
    warn(`ends on ${one.cancel_at.toISOString()}: cancel it here at that time`);
  }
  return {
    externalId: one.id,
    customerExternalId: one.customer,
    items: one.items.data.map(({ price, quantity }) => ({ priceSlug: price, quantity })),
    endsWithPeriod: one.cancel_at_period_end,
    collectionMethod: one.collection_method,
    daysUntilDue: one.days_until_due ?? undefined,
    discountCode: coupon && isForever ? coupon : undefined,
    metadata: one.metadata ?? undefined,
  };
}
