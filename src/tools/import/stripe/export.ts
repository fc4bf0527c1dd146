import { unreadProblems } from '../source/known-fields.ts';
import { checkRecords, type Raw, type Records } from '../source/read-lists.ts';
import type { Problem, Source, SourceCustomer } from '../source/source.ts';
import { catalogOf, usagePricesOf } from './catalog.ts';
import {
  couponFields,
  meterFields,
  priceFields,
  productFields,
  promotionFields,
} from './catalog-fields.ts';
import { discountsOf } from './coupons.ts';
import { customerFields, methodFields } from './customer-fields.ts';
import { customerOf, isChargeable } from './customers.ts';
import type { DiscountPlace } from './discounts.ts';
import { scheduledIn, withSchedules } from './schedules.ts';
import {
  type StripeCoupon,
  type StripeCustomer,
  type StripeDiscount,
  type StripeMeter,
  type StripeMethod,
  type StripePrice,
  type StripeProduct,
  type StripePromotion,
  type StripeSchedule,
  type StripeSubscription,
  stripeSchedule,
} from './shapes.ts';
import { subscriptionFields } from './subscription-fields.ts';
import {
  hasEnded,
  type NamedPrice,
  type SubscriptionPlace,
  subscriptionOf,
  type Tell,
} from './subscriptions.ts';
import { type TaxSituation, taxOf } from './taxes.ts';

/** The lists of an export. */
export interface StripeExport {
  readonly customers: Records<StripeCustomer>;
  readonly methods: Records<StripeMethod>;
  readonly products: Records<StripeProduct>;
  readonly prices: Records<StripePrice>;
  readonly coupons: Records<StripeCoupon>;
  readonly promotions: Records<StripePromotion>;
  readonly meters: Records<StripeMeter>;
  readonly subscriptions: Records<StripeSubscription>;
  readonly schedules: Records<StripeSchedule>;
}

/** The records that are here before the import. */
export interface Situation {
  /** The prices, by their slugs. */
  readonly known: ReadonlyMap<string, NamedPrice & { readonly isDefault: boolean }>;
  /** The slugs of the usage meters. */
  readonly meters: ReadonlySet<string>;
  readonly tax: TaxSituation;
}

/** The records of an export in the words of this service, with the problems of all fields that are not carried over. */
export function sourceOf(read: StripeExport, { known, meters, tax }: Situation): Source {
  const { customers, methods, products, prices, coupons, subscriptions } = read;
  const schedules = withExpanded(read);
  const all = { ...read, schedules };
  const problems = Object.values(all).flatMap((list: Records<unknown>) => list.problems);
  const catalog = catalogOf(
    { products: products.records, prices: prices.records, meters: read.meters.records },
    meters,
    tax,
  );
  const embedded = embeddedOf(all);
  const discounts = discountsOf(coupons.records, embedded.coupons, read.promotions.records);
  const chargeable = methodsIn(methods.records, customers, problems);
  const place: SubscriptionPlace = {
    // One that is here stays as it is, so its currency and its interval are those of the subscription.
    prices: new Map<string, NamedPrice>([...catalog.prices, ...known]),
    products: new Map(prices.records.map(({ id, product }) => [id, product])),
    usagePrices: usagePricesOf(catalog.meters, known),
    customers: new Map(customers.records.map((one) => [one.id, one])),
    tokens: new Map(
      [...chargeable].map(([id, list]) => [id, new Set(list.map((method) => method.id))]),
    ),
    discounts: { coupons: discounts.coupons, shown: embedded.discounts } satisfies DiscountPlace,
    scheduled: scheduledIn(schedules.records),
  };
  const later: Problem[] = [];
  const tellOf = (record: string): Tell => ({
    lose: (message) => later.push({ record, message, isLeftOut: true }),
    note: (message) => later.push({ record, message, isLeftOut: false }),
  });
  const current = subscriptions.records.map((one) => ({
    one,
    tell: tellOf(`subscription ${one.id}`),
  }));
  const bySubscriber = Map.groupBy(current, ({ one }) => one.customer);
  const people = customers.records.flatMap((one): SourceCustomer[] => {
    if (one.deleted) return [];
    const tell = tellOf(`customer ${one.id}`);
    const own = bySubscriber.get(one.id) ?? [];
    const at = {
      methods: chargeable.get(one.id) ?? [],
      tax: taxOf(own, tax),
      currency: own.find(({ one }) => !hasEnded(one) && one.currency)?.one.currency ?? undefined,
    };
    const customer = customerOf(one, at, tell);
    if (typeof customer !== 'string') return [customer];
    tell.lose(customer);
    return [];
  });
  const bought = onceFromCustomer(
    current.flatMap(({ one, tell }) => {
      if (hasEnded(one)) return [];
      const source = subscriptionOf(one, place, tell);
      if (typeof source !== 'string') return [{ one, source }];
      tell.lose(source);
      return [];
    }),
    place,
  );
  const scheduled = withSchedules(
    bought,
    schedules.records.map((one, at) => ({ one, raw: schedules.raw[at] as Raw })),
    place,
    new Set([
      ...subscriptions.records.map(({ id }) => id),
      ...subscriptions.refused.map(({ id }) => String(id)),
    ]),
  );
  return {
    products: catalog.products,
    meters: catalog.meters,
    discounts: discounts.discounts,
    customers: people,
    subscriptions: scheduled.subscriptions,
    problems: [
      ...problems,
      ...catalog.problems,
      ...discounts.problems,
      ...unreadFields(read),
      ...later,
      ...scheduled.problems,
    ],
  };
}

/**
 * The schedules, also those that only their subscriptions show in full. A problem names each other one that a subscription
 * follows.
 */
function withExpanded({ subscriptions, schedules }: StripeExport): Records<StripeSchedule> {
  const listed = new Set([...schedules.records, ...schedules.refused].map(({ id }) => id));
  const problems: Problem[] = [];
  const expanded: Raw[] = [];
  for (const { id, status, schedule } of subscriptions.raw) {
    if (!schedule || hasEnded({ status: String(status) })) continue;
    const isShown = typeof schedule === 'object';
    const own = isShown ? (schedule as Raw) : { id: schedule };
    if (listed.has(own.id)) continue;
    if (isShown && Array.isArray(own.phases)) expanded.push({ ...own, subscription: id });
    else
      problems.push({
        record: `subscription ${id}`,
        message: `schedule is not carried over: ${own.id} is not in subscription_schedules.json, so its later phases are not known`,
        isLeftOut: true,
      });
  }
  const shown = checkRecords(expanded, 'subscription schedule', stripeSchedule);
  return {
    records: [...schedules.records, ...shown.records],
    raw: [...schedules.raw, ...shown.raw],
    refused: [...schedules.refused, ...shown.refused],
    problems: [...schedules.problems, ...problems, ...shown.problems],
  };
}

/** The fields of all records that are set and not carried over. */
function unreadFields({
  customers,
  methods,
  products,
  prices,
  coupons,
  promotions,
  meters,
  subscriptions,
}: StripeExport): Problem[] {
  const each = (kind: string, raw: readonly Raw[], fields: Parameters<typeof unreadProblems>[2]) =>
    raw.flatMap((one) => unreadProblems(`${kind} ${one.id}`, one, fields));
  return [
    ...each('product', products.raw, productFields),
    ...each('price', prices.raw, priceFields),
    ...each('coupon', coupons.raw, couponFields),
    ...each('promotion code', promotions.raw, promotionFields),
    ...each('usage meter', meters.raw, meterFields),
    ...each(
      'customer',
      customers.raw.filter(({ deleted }) => !deleted),
      customerFields,
    ),
    ...each('payment method', methods.raw, methodFields),
    ...each(
      'subscription',
      subscriptions.raw.filter((one) => !hasEnded(one as { status: string })),
      subscriptionFields,
    ),
  ];
}

/** The payment methods that can be charged, by their customers. */
function methodsIn(
  list: readonly StripeMethod[],
  customers: Records<StripeCustomer>,
  problems: Problem[],
): ReadonlyMap<string, readonly StripeMethod[]> {
  const named = new Set(customers.records.map(({ id }) => id));
  const usable = list.filter((method) => {
    const { id, customer, type } = method;
    const refuse = (message: string) => {
      problems.push({ record: `payment method ${id}`, message, isLeftOut: true });
      return false;
    };
    if (customer == null) return false;
    if (!named.has(customer))
      return refuse(`has the customer ${customer}, which customers.json lacks`);
    return isChargeable(method) || refuse(`is of the type ${type}, which is not charged here`);
  });
  return Map.groupBy(usable, ({ customer }) => customer ?? '');
}

/** The coupons and discounts that records show in full. */
function embeddedOf({ customers, subscriptions, schedules }: StripeExport) {
  const coupons: StripeCoupon[] = [];
  const discounts = new Map<string, StripeDiscount>();
  const add = (named: string | StripeDiscount | null | undefined) => {
    if (!named || typeof named === 'string') return;
    if (named.id !== undefined) discounts.set(named.id, named);
    if (named.coupon && typeof named.coupon !== 'string') coupons.push(named.coupon);
  };
  for (const { discount } of customers.records) add(discount);
  for (const { discount, discounts: own, items } of subscriptions.records) {
    add(discount);
    own?.forEach(add);
    for (const item of items.data) item.discounts?.forEach(add);
  }
  for (const phase of schedules.records.flatMap(({ phases }) => phases)) {
    for (const one of [phase, ...phase.items].flatMap(({ discounts }) => discounts ?? [])) {
      add(one.discount);
      if (one.coupon && typeof one.coupon !== 'string') coupons.push(one.coupon);
    }
  }
  return { coupons, discounts };
}

/** Leaves a coupon of a customer for one payment to the subscription that is paid first. */
function onceFromCustomer<
  T extends { one: StripeSubscription; source: Source['subscriptions'][number] },
>(bought: readonly T[], { customers, discounts }: SubscriptionPlace): T[] {
  const nextOf = ({ source }: T) =>
    (source.trialEnd ?? source.paidUntil ?? source.startDate).getTime();
  const isOfCustomer = ({ one }: T) => !one.discounts?.length && !one.discount;
  const firstOf = new Map<string, T>();
  for (const each of bought.filter(isOfCustomer)) {
    const first = firstOf.get(each.one.customer);
    if (!first || nextOf(each) < nextOf(first)) firstOf.set(each.one.customer, each);
  }
  return bought.map((each) => {
    const coupon = customers.get(each.one.customer)?.discount?.coupon;
    const found = typeof coupon === 'string' ? discounts.coupons.byId.get(coupon) : coupon;
    const isOther = isOfCustomer(each) && firstOf.get(each.one.customer) !== each;
    if (found?.duration !== 'once' || !isOther) return each;
    return { ...each, source: { ...each.source, redemption: undefined } };
  });
}
