import { expect } from 'vitest';
import type { Session } from '#domain/kernel/session.ts';

/** A discount of the simulation of money. */
export interface AgreedDiscount {
  readonly amountType: 'percent' | 'fixed';
  readonly amount: number;
  /** How many payments of a subscription it reduces; null for all. */
  readonly payments: number | null;
}

/** The fields of a discount with the payments that it reduces. */
export const durationOf = (payments: number | null) =>
  payments === null
    ? { duration: 'forever' as const }
    : payments === 1
      ? { duration: 'once' as const }
      : { duration: 'number_of_payments' as const, numberOfPayments: payments };

/** A fraction rounded half up: the largest whole number that is not above it and a half. */
const rounded = (over: bigint, under: bigint): bigint => (2n * over + under) / (2n * under);

/** The discount on an amount by its definition, in exact fractions. */
function off({ amountType, amount }: AgreedDiscount, base: bigint): bigint {
  const whole =
    amountType === 'percent'
      ? rounded(base * BigInt(Math.round(amount * 10_000)), 1_000_000n)
      : BigInt(amount);
  return whole < base ? whole : base;
}

interface Row {
  readonly id: string;
  readonly purpose: string;
  readonly periodId: string;
  /** The lines of the plan, the usage that is due, the discount, and the discount that credited usage returns. */
  readonly plan: string;
  readonly due: string;
  readonly given: string;
  readonly returned: string;
  /** The usage of this invoice that later lines credit. */
  readonly credited: string;
}

interface Subscribed {
  readonly id: string;
  readonly paymentCount: number;
  /** The periods in their order. */
  readonly periods: readonly string[] | null;
  readonly invoices: readonly Row[] | null;
}

const records = `
  select s.id, r.payment_count::int as "paymentCount",
    (select jsonb_agg(b.id order by b.start_date) from billing_period b where b.subscription_id = s.id) as periods,
    (select jsonb_agg(jsonb_build_object('id', i.id, 'purpose', i.purpose, 'periodId', i.billing_period_id,
        'plan', line.plan::text, 'due', line.due::text, 'given', line.given::text, 'returned', line.returned::text,
        'credited', line.credited::text) order by length(i.invoice_number), i.invoice_number)
      from invoice i cross join lateral (
        select coalesce(sum(amount) filter (where type = 'static'), 0) as plan,
          coalesce(-sum(amount) filter (where type = 'discount' and amount < 0), 0) as given,
          coalesce(sum(amount) filter (where type = 'discount' and amount > 0), 0) as returned,
          coalesce(sum(billed.due), 0) as due, coalesce(sum(billed.credited), 0) as credited
        from invoice_line_item l cross join lateral (
          select sum(o.amount) filter (where o.undone_line_item_id is null and o.quantity > 0) as due,
            -sum(o.amount) filter (where o.undone_line_item_id = l.id and not o.is_lost) as credited
          from owed_usage o where o.invoice_line_item_id is not null
            and (o.undone_line_item_id = l.id or o.undone_line_item_id is null and o.invoice_line_item_id = l.id)) billed
        where l.invoice_id = i.id) line
      where i.subscription_id = s.id and i.status <> 'void') as invoices
  from subscription s join discount_redemption r on r.subscription_id = s.id
  where s.pricing_model_id = ? order by s.created_at, s.id`;

/**
 * The discounts of all subscriptions of a tenant are those that a model without the records of discounts expects: the
 * first payments have the discount, each to the minor unit, and credited usage returns its share of it.
 */
export async function expectDiscountsToAgree(
  { em, pricingModelId }: Session,
  discount: AgreedDiscount | null,
) {
  if (!discount) return;
  for (const subscribed of await em.execute<Subscribed[]>(records, [pricingModelId])) {
    const found = (subscribed.invoices ?? []).map(({ id, given }) => ({ id, given }));
    const expected = modelOf(subscribed, discount);
    expect(found).toEqual(expected.invoices);
    expect(subscribed.paymentCount).toBe(expected.paymentCount);
    const returned = (subscribed.invoices ?? []).map((invoice) => BigInt(invoice.returned));
    expect(returned.reduce((sum, amount) => sum + amount, 0n)).toBe(expected.returned);
  }
}

function modelOf({ invoices, ...subscribed }: Subscribed, discount: AgreedDiscount) {
  const most = discount.payments ?? Number.POSITIVE_INFINITY;
  const periods = subscribed.periods ?? [];
  let paymentCount = Math.min(most, periods.length);
  let returned = 0n;
  const expected = (invoices ?? []).map(({ id, purpose, periodId, plan, due, credited }) => {
    const isCorrection = purpose === 'usage_correction';
    const isLast = isCorrection || purpose === 'last_usage';
    const applies = isLast ? paymentCount < most : periods.indexOf(periodId) < most;
    // The other lines of a correction only balance it.
    const charges = isCorrection ? 0n : BigInt(plan);
    const base = charges + BigInt(due);
    const given = applies ? off(discount, base) : 0n;
    if (isLast && given > 0n) paymentCount += 1;
    const ofUsage = given - (applies ? off(discount, charges) : 0n);
    if (BigInt(due) > 0n) returned += rounded(ofUsage * BigInt(credited), BigInt(due));
    return { id, given: String(given) };
  });
  return { invoices: expected, paymentCount, returned };
}
