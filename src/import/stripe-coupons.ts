import { discountFields } from '#domain/discounts/discount-input.ts';
import { UnfitAmount } from '#domain/rules/processing/stripe/amounts.ts';
import type { Problem, SourceDiscount } from './source.ts';
import { minorUnitsOf } from './stripe-amounts.ts';
import type { StripeCoupon, StripePrice, StripePromotion } from './stripe-shapes.ts';

/** The coupons of an export, by their ids, with the codes that they have here. */
export interface Coupons {
  readonly byId: ReadonlyMap<string, StripeCoupon>;
  /** The codes of the coupons that can be imported. */
  readonly codes: ReadonlyMap<string, string>;
}

/** The code of a coupon here: its id, as far as a code can have it. */
function codeOf(id: string): string | undefined {
  const same = discountFields.code.safeParse(id);
  if (same.success) return same.data;
  const near = discountFields.code.safeParse(id.replace(/[^A-Za-z0-9]/g, ''));
  return near.success ? near.data : undefined;
}

/**
 * The discounts of coupons. Those that cannot be redeemed any more, or that have terms which no discount here has, are
 * inactive: they are here for the subscriptions that have redeemed them. `embedded` are the coupons that only such
 * subscriptions name.
 */
export function discountsOf(
  listed: readonly StripeCoupon[],
  embedded: readonly StripeCoupon[],
  promotions: readonly StripePromotion[],
  prices: readonly StripePrice[],
) {
  const problems: Problem[] = [];
  const codes = new Map<string, string>();
  const byId = new Map<string, StripeCoupon>();
  const discounts: SourceDiscount[] = [];
  const add = (coupon: StripeCoupon, isListed: boolean) => {
    if (byId.has(coupon.id)) return;
    byId.set(coupon.id, coupon);
    const tell = (message: string, isLeftOut: boolean) =>
      problems.push({ record: `coupon ${coupon.id}`, message, isLeftOut });
    const code = codeOf(coupon.id);
    const reason =
      refusalOf(coupon) ??
      (code === undefined
        ? 'has an id that is no code here, which has 3 to 20 letters and digits'
        : undefined) ??
      ([...codes.values()].includes(code ?? '')
        ? `has the code ${code} of another coupon here`
        : undefined);
    if (reason || code === undefined) {
      tell(reason ?? '', true);
      return;
    }
    codes.set(coupon.id, code);
    if (code !== coupon.id.toUpperCase()) tell(`has the code ${code} here`, false);
    const discount = discountOf(coupon, code, isListed, prices, (message) => tell(message, true));
    discounts.push(discount);
  };
  for (const coupon of listed) add(coupon, true);
  for (const coupon of embedded) add(coupon, false);
  for (const promotion of promotions) {
    const record = `promotion code ${promotion.id}`;
    const lose = (message: string) => problems.push({ record, message, isLeftOut: true });
    const taken = new Set(discounts.map(({ code }) => code));
    const discount = promotedDiscount(promotion, { discounts, byId, codes, taken }, lose);
    if (discount) discounts.push(discount);
  }
  return { discounts, coupons: { byId, codes } satisfies Coupons, problems };
}

function refusalOf({ percent_off, amount_off, currency }: StripeCoupon): string | undefined {
  if (percent_off == null && amount_off == null) return 'has neither a percentage nor an amount';
  if (percent_off != null && !discountFields.amount.safeParse(percent_off).success)
    return 'has a fraction of a percent: a discount has whole percents';
  if (percent_off != null) return undefined;
  if (currency == null) return 'has an amount without a currency';
  try {
    minorUnitsOf(amount_off ?? 0, currency);
    return undefined;
  } catch (error) {
    if (error instanceof UnfitAmount) return `has an amount that does not fit: ${error.message}`;
    throw error;
  }
}

function discountOf(
  coupon: StripeCoupon,
  code: string,
  isListed: boolean,
  prices: readonly StripePrice[],
  report: (message: string) => void,
): SourceDiscount {
  const { id, name, percent_off, amount_off, duration } = coupon;
  const currency = percent_off == null ? (coupon.currency ?? undefined) : undefined;
  const others = Object.keys(coupon.currency_options ?? {}).filter(
    (other) => other.toUpperCase() !== coupon.currency,
  );
  if (percent_off == null && others.length > 0)
    report(
      `currency_options is not carried over for ${others.join(', ')}: a discount has one currency. Create a discount for each`,
    );
  const isLimited = coupon.applies_to != null;
  if (isLimited)
    report(
      'applies_to is not carried over: a discount is for all products. It is inactive here, and stays with subscriptions that have only these products',
    );
  const payments = duration === 'repeating' ? paymentsOf(coupon, prices) : undefined;
  if (duration === 'repeating' && payments === undefined)
    report(
      `duration_in_months is not carried over: a discount here counts payments, and the prices have several intervals. It is inactive here`,
    );
  const { max_redemptions, times_redeemed, redeem_by } = coupon;
  const left = max_redemptions == null ? undefined : max_redemptions - times_redeemed;
  const isOpen = isListed && coupon.valid && !coupon.deleted && (left === undefined || left > 0);
  return {
    code,
    name: name ?? id,
    amountType: percent_off == null ? 'fixed' : 'percent',
    amount: percent_off ?? minorUnitsOf(amount_off ?? 0, currency ?? ''),
    currency,
    duration: duration === 'repeating' ? 'number_of_payments' : duration,
    numberOfPayments: duration === 'repeating' ? (payments ?? 1) : undefined,
    active: isOpen && !isLimited && !(duration === 'repeating' && payments === undefined),
    redemptionLimit: left !== undefined && left > 0 ? left : undefined,
    expiresAt: redeem_by ?? undefined,
  };
}

/** The payments that a coupon for some months reduces; undefined where the prices have several intervals. */
function paymentsOf({ duration_in_months }: StripeCoupon, prices: readonly StripePrice[]) {
  const lengths = new Set(
    prices.flatMap(({ recurring }) => {
      if (!recurring) return [];
      const { interval, interval_count } = recurring;
      return interval === 'month' ? interval_count : interval === 'year' ? 12 * interval_count : 0;
    }),
  );
  const [months, ...others] = lengths;
  if (!months || others.length > 0 || !duration_in_months) return undefined;
  return Math.ceil(duration_in_months / months);
}

interface Listed {
  readonly discounts: readonly SourceDiscount[];
  readonly byId: ReadonlyMap<string, StripeCoupon>;
  readonly codes: ReadonlyMap<string, string>;
  readonly taken: ReadonlySet<string>;
}

/** The discount that customers redeem by a promotion code, with the terms of its coupon. */
function promotedDiscount(
  promotion: StripePromotion,
  { discounts, byId, codes, taken }: Listed,
  lose: (message: string) => void,
): SourceDiscount | undefined {
  const { code: typed, active, customer, expires_at, max_redemptions, times_redeemed } = promotion;
  const named = promotion.promotion?.coupon ?? promotion.coupon;
  const id = typeof named === 'object' ? named?.id : named;
  const of = discounts.find(({ code }) => code === codes.get(id ?? ''));
  const code = discountFields.code.safeParse(typed);
  if (!of || !byId.has(id ?? '')) {
    lose(`has the coupon ${id}, which is not imported`);
    return undefined;
  }
  if (!code.success) {
    lose(`has the code ${typed}, which is no code here: it has 3 to 20 letters and digits`);
    return undefined;
  }
  // Where the coupon has the same code, it is redeemed by that.
  if (code.data === of.code) return undefined;
  if (taken.has(code.data)) {
    lose(`has the code ${code.data} of another discount here`);
    return undefined;
  }
  if (customer != null)
    lose(`customer is not carried over: it is for ${customer} only there, and inactive here`);
  const left = max_redemptions == null ? undefined : max_redemptions - times_redeemed;
  const limits = [left, of.redemptionLimit].filter((limit) => limit !== undefined);
  const ends = [expires_at, of.expiresAt].filter((end) => end != null);
  return {
    ...of,
    code: code.data,
    active: active && of.active && customer == null && (left === undefined || left > 0),
    redemptionLimit: limits.some((limit) => limit <= 0)
      ? undefined
      : limits.toSorted((a, b) => a - b)[0],
    expiresAt: ends.toSorted((a, b) => a.getTime() - b.getTime())[0],
  };
}
