import { countFrom } from '../source/count-from.ts';
import type { SourcePrice, SourceSubscription } from '../source/source.ts';
import { carryDiscounts, type DiscountPlace, reductionsIn } from './discounts.ts';
import { endOf, paymentsUntil, type Timeline } from './ends.ts';
import { pauseOf } from './pauses.ts';
import { slugIn } from './prices.ts';
import type { StripeCustomer, StripeSubscription } from './shapes.ts';

type Item = StripeSubscription['items']['data'][number];

/** A price here, as subscriptions of the other system name it. */
export type NamedPrice = Pick<SourcePrice, 'currency' | 'type' | 'intervalUnit' | 'intervalCount'>;

/** The parts of an export that subscriptions refer to. */
export interface SubscriptionPlace {
  /** The prices that are imported or here, by their slugs. */
  readonly prices: ReadonlyMap<string, NamedPrice>;
  /** The products of prices, by the ids of the prices. */
  readonly products: ReadonlyMap<string, string>;
  /** The slugs of the prices at which usage is billed. */
  readonly usagePrices: ReadonlySet<string>;
  readonly customers: ReadonlyMap<string, StripeCustomer>;
  /** The payment methods of customers, by the ids of the customers. */
  readonly tokens: ReadonlyMap<string, ReadonlySet<string>>;
  readonly discounts: DiscountPlace;
  /** The ids of the subscriptions that follow a schedule. */
  readonly scheduled: ReadonlySet<string>;
}

/** Reports a part of a record. */
export interface Tell {
  /** A part that changes what is charged, and is not carried over. */
  readonly lose: (message: string) => void;
  readonly note: (message: string) => void;
}

const ended = new Set(['canceled', 'incomplete_expired']);

/** The statuses in which nothing is to be charged, with the reason. */
const uncharged: Readonly<Record<string, string>> = {
  incomplete: 'is incomplete: its first payment is pending there. Export it again after that',
  paused: 'is paused there, so nothing is billed: create it here when the customer resumes it',
  unpaid:
    'is unpaid there, so nothing more is charged: settle or cancel it there, and export it again',
};

const charged = new Set(['active', 'trialing', 'past_due']);

/** Whether a subscription has ended, so that nothing of it is imported. */
export const hasEnded = ({ status }: Pick<StripeSubscription, 'status'>) => ended.has(status);

/** The subscription in the words of this service, with the period that Stripe has billed; or why it is left out. */
export function subscriptionOf(
  one: StripeSubscription,
  place: SubscriptionPlace,
  tell: Tell,
): SourceSubscription | string {
  const { status } = one;
  if (!charged.has(status))
    return uncharged[status] ?? `has the status ${status}, which this import does not know`;
  if (one.items.has_more)
    return 'is incomplete: its list of items ends with has_more: true. Retrieve all of its items';
  const currency = currencyOf(one, place);
  const found = pricedItems(one, currency, place);
  if (typeof found === 'string') return found;
  const { licensed, metered } = found;
  const times = timesOf(one, licensed, metered);
  if (typeof times === 'string') return times;
  const ends = endOf(one, times);
  const pause = pauseOf(one, times, { isMetered: metered.length > 0, ...ends }, tell);
  if (typeof pause === 'string') return pause;
  tellUsage(metered, currency, place, tell);
  tellState(one, place, tell);
  const productOf = ({ item }: Priced) => place.products.get(item.price);
  const reduced = carryDiscounts(
    {
      currency,
      products: licensed.map(productOf),
      meteredProducts: metered.map(productOf),
      hasPhases: place.scheduled.has(one.id),
    },
    wholeReductions(one, times, place, tell),
    licensed.map(({ item, field }) => itemReductions(item, field, times, place, tell)),
    place.discounts,
    tell.lose,
  );
  for (const { item, field } of metered)
    for (const { path } of itemReductions(item, field, times, place, tell))
      tell.lose(`${path} is not carried over: usage has the discount of its subscription only`);
  const { startDate, paidUntil, trialEnd, billingCycleAnchorDate } = times;
  return {
    externalId: one.id,
    customerExternalId: one.customer,
    items: licensed.map(({ slug, item }, place) => ({
      priceSlug: slug,
      quantity: item.quantity,
      ...reduced.items[place],
    })),
    startDate,
    paidUntil,
    trialEnd,
    billingCycleAnchorDate,
    ...ends,
    pause,
    paymentToken: paymentTokenOf(one, place, tell),
    collectionMethod: one.collection_method,
    daysUntilDue:
      one.collection_method === 'send_invoice' ? (one.days_until_due ?? undefined) : undefined,
    redemption: reduced.redemption,
    metadata: one.metadata ?? undefined,
  };
}

/** An item with its price here. */
interface Priced {
  readonly item: Item;
  /** Its field in the source. */
  readonly field: string;
  readonly slug: string;
  readonly price: NamedPrice;
}

/** The currency of a subscription; former versions of the API have that of its price only. */
const currencyOf = ({ currency, items }: StripeSubscription, { prices }: SubscriptionPlace) =>
  currency ?? prices.get(items.data[0]?.price ?? '')?.currency ?? '';

/** The items with their prices in a currency, or the reason why one has none. */
function pricedItems(
  { items }: StripeSubscription,
  currency: string,
  { prices }: SubscriptionPlace,
): { licensed: Priced[]; metered: Priced[] } | string {
  const priced: Priced[] = [];
  for (const [at, item] of items.data.entries()) {
    const { price: id } = item;
    const own = prices.get(id);
    const slug = own && own.currency !== currency ? slugIn(id, currency) : id;
    const price = prices.get(slug);
    if (!own) return `has the price ${id}, which is neither imported nor a slug here`;
    if (!price)
      return `is in ${currency}, and its price ${id} is in ${own.currency}: list prices with expand[]=data.currency_options, or create ${slug} here`;
    priced.push({ item, field: `items.data[${at}]`, slug, price });
  }
  if (priced.length === 0) return 'has no item';
  const licensed = priced.filter(({ price }) => price.type !== 'usage');
  if (licensed.length === 0)
    return 'has usage only: create it here with a price of 0, and report its usage';
  return { licensed, metered: priced.filter(({ price }) => price.type === 'usage') };
}

type Times = Timeline & Pick<SourceSubscription, 'startDate' | 'billingCycleAnchorDate'>;

/** The dates of a subscription, or the reason why they cannot be taken over. */
function timesOf(
  one: StripeSubscription,
  licensed: readonly Priced[],
  metered: readonly Priced[],
): Times | string {
  const [first] = licensed;
  const { intervalUnit = 'month', intervalCount = 1 } = first?.price ?? {};
  const interval = { unit: intervalUnit, count: intervalCount };
  if (one.status === 'trialing' && one.trial_end) {
    const { trial_end: trialEnd, billing_cycle_anchor: anchor } = one;
    return {
      startDate: one.trial_start ?? trialEnd,
      trialEnd,
      from: trialEnd,
      next: trialEnd,
      interval,
      billingCycleAnchorDate: anchor > trialEnd ? anchor : undefined,
    };
  }
  const start = one.current_period_start ?? first?.item.current_period_start;
  const end = one.current_period_end ?? first?.item.current_period_end;
  if (!start || !end) return 'has no current period';
  for (const { item, field } of [...licensed, ...metered]) {
    const { current_period_start: itemStart = start, current_period_end: itemEnd = end } = item;
    if (itemStart.getTime() !== start.getTime() || itemEnd.getTime() !== end.getTime())
      return `has items with several periods: ${field} has another one. Divide it into subscriptions with one period`;
    if (item.billed_until && item.billed_until > end)
      return `has an item that is billed until ${item.billed_until.toISOString()}, after its period: export it again in the last billed period`;
  }
  const from = countFrom({ start, end }, one.billing_cycle_anchor, { intervalUnit, intervalCount });
  if (!from)
    return `has a period from ${start.toISOString()} to ${end.toISOString()} that is not an interval of its price`;
  return { startDate: from, paidUntil: end, from, next: end, interval };
}

/** The discounts of the whole subscription; those of its customer where it has none. */
function wholeReductions(
  one: StripeSubscription,
  times: Times,
  { customers, discounts }: SubscriptionPlace,
  { lose }: Tell,
) {
  const counted = { next: times.next, countUntil: (end: Date) => paymentsUntil(times, end) };
  const own = one.discounts?.length ? one.discounts : one.discount ? [one.discount] : [];
  const path = one.discounts?.length ? 'discounts' : 'discount';
  if (own.length > 0) return reductionsIn(own, path, discounts, counted, lose);
  const { discount } = customers.get(one.customer) ?? {};
  return discount ? reductionsIn([discount], 'customer.discount', discounts, counted, lose) : [];
}

const itemReductions = (
  { discounts: own }: Item,
  field: string,
  times: Times,
  { discounts }: SubscriptionPlace,
  { lose }: Tell,
) =>
  reductionsIn(
    own ?? [],
    `${field}.discounts`,
    discounts,
    { next: times.next, countUntil: (end) => paymentsUntil(times, end) },
    lose,
  );

/** Tells how usage is billed. */
function tellUsage(
  metered: readonly Priced[],
  currency: string,
  { usagePrices }: SubscriptionPlace,
  { lose, note }: Tell,
) {
  for (const { item, slug } of metered) {
    note(
      `has the metered price ${item.price}: its usage until the renewal is billed there, and from then on by its usage meter here`,
    );
    if (!usagePrices.has(slug))
      lose(
        `has the metered price ${item.price}, and usage of its meter has another price in ${currency} here: give the usage events this price`,
      );
  }
}

/** Tells of a state that has an effect on later payments. */
function tellState(one: StripeSubscription, { tokens }: SubscriptionPlace, { lose, note }: Tell) {
  if (one.status === 'past_due')
    note(
      'has an invoice that is not paid there: it stays there, and this period is not charged here',
    );
  const without = one.trial_settings?.end_behavior?.missing_payment_method;
  const isPaying = (tokens.get(one.customer)?.size ?? 0) > 0;
  if (one.status === 'trialing' && without && without !== 'create_invoice' && !isPaying)
    lose(
      `trial_settings is not carried over: without a payment method the end of the trial is ${without} there, and an invoice here`,
    );
}

/** The payment method of its own that a subscription is charged to. */
function paymentTokenOf(
  one: StripeSubscription,
  { tokens }: SubscriptionPlace,
  { lose }: Tell,
): string | undefined {
  const token = one.default_payment_method ?? one.default_source ?? undefined;
  if (token === undefined || tokens.get(one.customer)?.has(token)) return token;
  const field = one.default_payment_method ? 'default_payment_method' : 'default_source';
  if (one.collection_method === 'charge_automatically')
    lose(
      `${field} is not carried over: ${token} is not in payment_methods.json. The default one of the customer is charged`,
    );
  return undefined;
}
