import { discountFields } from '#domain/catalog/commands/discounts/discount-input.ts';
import { UnfitAmount } from '#domain/money/processing/stripe/amounts.ts';
import type { Problem, SourceDiscount } from '../source/source.ts';
import { minorUnitsOf } from './amounts.ts';
import type { StripeCoupon, StripePromotion } from './shapes.ts';

/** The coupons of an export, by their ids, with the codes that they have here. */
export interface Coupons {
  readonly byId: ReadonlyMap<string, StripeCoupon>;
  /** The codes of the coupons that can be imported. */
  readonly codes: ReadonlyMap<string, string>;
}

/** The form of a code here. */
const codeForm = 'a code has 2 to 64 letters, digits, hyphens and underscores';

/** The id of a coupon without the characters that no code here has. */
const plainId = ({ id }: StripeCoupon) => id.replaceAll(/[^A-Za-z0-9_-]/g, '');

/**
 * The discounts of coupons. Those that cannot be redeemed any more, or that have terms which no discount here has, are
 * inactive: they are here for the subscriptions that have redeemed them. `embedded` are the coupons that only such
 * subscriptions name.
 */
export function discountsOf(
  listed: readonly StripeCoupon[],
  embedded: readonly StripeCoupon[],
  promotions: readonly StripePromotion[],
) {
  const problems: Problem[] = [];
  const own = new Map<string, string>();
  const byId = new Map<string, StripeCoupon>();
  const discounts: SourceDiscount[] = [];
  const add = (coupon: StripeCoupon, isListed: boolean) => {
    if (byId.has(coupon.id)) return;
    byId.set(coupon.id, coupon);
    const record = `coupon ${coupon.id}`;
    const tell = (message: string) => problems.push({ record, message, isLeftOut: true });
    const { data: code } = discountFields.code.safeParse(plainId(coupon));
    const reason =
      refusalOf(coupon) ??
      (code === undefined ? `has an id that is no code here: ${codeForm}` : undefined) ??
      ([...own.values()].includes(code ?? '')
        ? `has the code ${code} of another coupon here`
        : undefined);
    if (reason || code === undefined) {
      tell(reason ?? '');
      return;
    }
    own.set(coupon.id, code);
    if (plainId(coupon) !== coupon.id) {
      const message = `has the code ${code} here: ${codeForm}`;
      problems.push({ record, message, isLeftOut: false });
    }
    discounts.push(discountOf(coupon, code, isListed, tell));
  };
  // Those whose id is a code keep it.
  const isCode = (coupon: StripeCoupon) => Number(plainId(coupon) === coupon.id);
  for (const coupon of listed.toSorted((a, b) => isCode(b) - isCode(a))) add(coupon, true);
  for (const coupon of embedded) add(coupon, false);
  for (const promotion of promotions) {
    const record = `promotion code ${promotion.id}`;
    const lose = (message: string) => problems.push({ record, message, isLeftOut: true });
    const taken = new Set(discounts.map(({ code }) => code));
    const discount = promotedDiscount(promotion, { discounts, byId, codes: own, taken }, lose);
    if (discount) discounts.push(discount);
  }
  return { discounts, coupons: { byId, codes: own } satisfies Coupons, problems };
}

function refusalOf(coupon: StripeCoupon): string | undefined {
  const { percent_off, amount_off, currency, duration, duration_in_months: months } = coupon;
  if (duration === 'repeating' && !discountFields.numberOfMonths.safeParse(months).success)
    return `has a duration_in_months that no discount here has: ${months ?? null}`;
  if (percent_off == null && amount_off == null) return 'has neither a percentage nor an amount';
  if (percent_off != null && !discountFields.amount.safeParse(percent_off).success)
    return `has the percentage ${percent_off}: a discount has one above 0 with at most 4 places`;
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
  report: (message: string) => void,
): SourceDiscount {
  const { id, name, percent_off, amount_off, duration, duration_in_months } = coupon;
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
  const { max_redemptions, times_redeemed, redeem_by } = coupon;
  const left = max_redemptions == null ? undefined : max_redemptions - times_redeemed;
  const isOpen = isListed && coupon.valid && !coupon.deleted && (left === undefined || left > 0);
  return {
    code,
    name: name ?? id,
    amountType: percent_off == null ? 'fixed' : 'percent',
    amount: percent_off ?? minorUnitsOf(amount_off ?? 0, currency ?? ''),
    currency,
    duration: duration === 'repeating' ? 'number_of_months' : duration,
    numberOfMonths: duration === 'repeating' ? (duration_in_months ?? undefined) : undefined,
    active: isOpen && !isLimited,
    redemptionLimit: left !== undefined && left > 0 ? left : undefined,
    expiresAt: redeem_by ?? undefined,
  };
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
    lose(`has the code ${typed}, which is no code here: ${codeForm}`);
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
