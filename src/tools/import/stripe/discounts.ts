import { UnfitAmount } from '#domain/money/processing/stripe/amounts.ts';
import { addMonths } from '#domain/subscriptions/periods/utc-calendar.ts';
import type { SourceMonths, SourceRedemption } from '../source/source.ts';
import { minorUnitsOf } from './amounts.ts';
import type { Coupons } from './coupons.ts';
import { type ItemReduction, reductionOf } from './item-reduction.ts';
import type { StripeCoupon, StripeDiscount } from './shapes.ts';

type Named = string | StripeDiscount;

/** A discount of a subscription from its next payment on. */
export interface Reduction {
  /** The field of the source that has it. */
  readonly path: string;
  readonly coupon: StripeCoupon;
  /** The payments that it still reduces; undefined without an end, and where months count. */
  readonly payments?: number | undefined;
  readonly months?: SourceMonths | undefined;
}

/** The parts of an export that discounts refer to. */
export interface DiscountPlace {
  readonly coupons: Coupons;
  /** Discounts that the export shows in full somewhere, by their ids. */
  readonly shown: ReadonlyMap<string, StripeDiscount>;
}

/** A subscription or a phase as its discounts see it. */
export interface Discounted {
  readonly currency: string;
  /** The products of its licensed items, in their order. */
  readonly products: readonly (string | undefined)[];
  /** The products of its metered items. */
  readonly meteredProducts: readonly (string | undefined)[];
  /** Whether percentages without an end are those of items, since they may end with a phase. */
  readonly hasPhases: boolean;
}

/** The discounts that are carried over: one of the whole payment, and percentages of items. */
export interface CarriedDiscounts {
  readonly redemption?: SourceRedemption | undefined;
  readonly items: readonly ItemReduction[];
}

type Report = (message: string) => void;

/**
 * The discounts of a list that reduce payments from `next` on. `countUntil` tells the number of payments from then on
 * before an instant. Those that are not understood are reported.
 */
export function reductionsIn(
  list: readonly Named[],
  path: string,
  { coupons, shown }: DiscountPlace,
  { next, countUntil }: { readonly next: Date; readonly countUntil: (end: Date) => number },
  report: Report,
): Reduction[] {
  return list.flatMap((named, place): Reduction[] => {
    const at = list.length > 1 ? `${path}[${place}]` : path;
    const lose = (why: string) => {
      report(`${at} is not carried over: ${why}`);
      return [];
    };
    const discount = typeof named === 'string' ? shown.get(named) : named;
    if (!discount)
      return lose(
        `the export names ${named as string} by its id only: list with expand[]=data.discounts`,
      );
    const found = couponOf(discount, coupons);
    if (!found) return lose('it has no coupon');
    if (typeof found === 'string') return lose(`its coupon ${found} is not in coupons.json`);
    const { end, start } = discount;
    const { duration, duration_in_months: months } = found;
    if (duration === 'once') {
      return end && end <= next ? [] : [{ path: at, coupon: found, payments: 1 }];
    }
    const until =
      end ?? (duration === 'repeating' && start && months ? addMonths(start, months) : undefined);
    if (duration === 'repeating') {
      if (!until) return lose('it has neither an end nor a start');
      if (until <= next) return [];
      return [{ path: at, coupon: found, months: { count: months ?? 1, end: until } }];
    }
    if (!until) return [{ path: at, coupon: found }];
    const payments = countUntil(until);
    return payments > 0 ? [{ path: at, coupon: found, payments }] : [];
  });
}

/** The coupon of a discount, or its id where the export does not have it. */
function couponOf(
  { coupon }: StripeDiscount,
  { byId }: Coupons,
): StripeCoupon | string | undefined {
  if (coupon == null) return undefined;
  return typeof coupon === 'string' ? (byId.get(coupon) ?? coupon) : coupon;
}

/**
 * Divides discounts among what a subscription here has: one discount of its payments, and a percentage of each item.
 * `own` are the discounts of each licensed item, which apply first. The others are reported.
 */
export function carryDiscounts(
  subject: Discounted,
  whole: readonly Reduction[],
  own: readonly (readonly Reduction[])[],
  { coupons }: DiscountPlace,
  report: Report,
): CarriedDiscounts {
  const lose = ({ path, coupon }: Reduction, why: string) =>
    report(`${path} is not carried over: its coupon ${coupon.id} ${why}`);
  const isOnly = subject.products.length === 1 && subject.meteredProducts.length === 0;
  const ofItems: Reduction[][] = subject.products.map(() => []);
  const ofAll: Reduction[] = [];
  for (const [item, list] of own.entries()) {
    for (const one of list) {
      if (!appliesTo(one.coupon, subject.products[item])) continue;
      if (isPlain(one)) ofItems[item]?.push(one);
      else if (isOnly) ofAll.push(one);
      else lose(one, 'is for one item: an item here has a percentage without an end');
    }
  }
  const products = [...subject.products, ...subject.meteredProducts];
  const present = whole.filter(({ coupon }) => products.some((one) => appliesTo(coupon, one)));
  const isForAll = ({ coupon }: Reduction) => products.every((one) => appliesTo(coupon, one));
  const canBeItems = (one: Reduction) =>
    isPlain(one) && !subject.meteredProducts.some((product) => appliesTo(one.coupon, product));
  // Those that an item cannot have come first: there is one discount of the whole payment.
  const candidates = [...ofAll, ...present];
  const canRedeem = (one: Reduction) => isForAll(one) && coupons.codes.has(one.coupon.id);
  const chosen =
    candidates.find((one) => canRedeem(one) && !canBeItems(one)) ??
    (subject.hasPhases ? undefined : candidates.find(canRedeem));
  const redemption = chosen && redemptionOf(chosen, subject.currency, coupons);
  if (chosen && typeof redemption === 'string') lose(chosen, redemption);
  const chosenPlace = chosen ? candidates.indexOf(chosen) : -1;
  for (const [place, one] of candidates.entries()) {
    if (one === chosen) continue;
    // Percentages of items apply before an amount, so one that follows it would give another sum.
    const isInOrder = chosen?.coupon.percent_off != null || place < chosenPlace || chosenPlace < 0;
    if (!canBeItems(one) || !isInOrder) {
      lose(one, reasonFor(one, { isForAll: isForAll(one), hasOther: chosen !== undefined }));
      continue;
    }
    for (const [item, product] of subject.products.entries())
      if (appliesTo(one.coupon, product)) ofItems[item]?.push(one);
  }
  const items = ofItems.map((list): ItemReduction => {
    const reduction = reductionOf(list.map(({ coupon }) => coupon.percent_off ?? 0));
    if (reduction !== undefined) return reduction;
    for (const one of list) lose(one, 'results in a percentage of more than 4 places');
    return {};
  });
  return { redemption: typeof redemption === 'object' ? redemption : undefined, items };
}

/** Whether a discount is a percentage without an end, which an item can have. */
const isPlain = ({ coupon, payments, months }: Reduction) =>
  coupon.percent_off != null && payments === undefined && !months;

const appliesTo = ({ applies_to }: StripeCoupon, product: string | undefined) =>
  applies_to == null || (product !== undefined && applies_to.products.includes(product));

function reasonFor(
  { coupon }: Reduction,
  { isForAll, hasOther }: { readonly isForAll: boolean; readonly hasOther: boolean },
): string {
  if (!isForAll) return 'is for some products only';
  return hasOther
    ? 'is one of several: a subscription has one discount'
    : `is not here: ${coupon.percent_off == null ? 'its amount' : 'a percentage with an end'} needs a discount`;
}

/** The rest of a redeemed coupon, or the reason why it cannot be carried over. */
function redemptionOf(
  { coupon, payments, months }: Reduction,
  currency: string,
  { codes }: Coupons,
): SourceRedemption | string {
  const code = codes.get(coupon.id) ?? '';
  const redeemed = { code, payments, months };
  if (coupon.percent_off != null)
    return { ...redeemed, size: { amountType: 'percent', amount: coupon.percent_off } };
  const amount =
    coupon.currency === currency
      ? coupon.amount_off
      : coupon.currency_options?.[currency.toLowerCase()]?.amount_off;
  if (amount == null)
    return `has no amount in ${currency}: list coupons with expand[]=data.currency_options`;
  try {
    const size = { amountType: 'fixed', amount: minorUnitsOf(amount, currency), currency } as const;
    return { ...redeemed, size };
  } catch (error) {
    if (error instanceof UnfitAmount) return `has an amount that does not fit: ${error.message}`;
    throw error;
  }
}
