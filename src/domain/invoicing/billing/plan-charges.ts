import type { Session } from '#domain/kernel/session.ts';
import { proportion } from '#domain/kernel/values/decimal.ts';
import { unusedReasons } from '#domain/model/invoicing/credit-note.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { planTotal } from '#domain/model/subscriptions/planned-item.ts';
import { statement } from '#engines/lockstep/statement.ts';

/**
 * The listed charges for the plan in periods, on invoices that are not void, and the rests after trials of items. The
 * part that is returned for unused time does not count, also where its credit waits for the payment. The price of a
 * period that a change of the interval began, which the invoice of the period before charges, counts for that period.
 */
export async function planCharges(
  { em }: Session,
  periods: readonly BillingPeriod[],
): Promise<ReadonlyMap<string, number>> {
  const all = await withPaidTogether(em, periods);
  const ids = all.map(({ id }) => id);
  const [charges, rests] = [await chargesIn(em, ids), await restsIn(em, ids)];
  const amounts = new Map<string, number>();
  let before: BillingPeriod | null = null;
  for (const period of all) {
    const own = charges.filter(({ periodId }) => periodId === period.id);
    const parts = own.map((charge) => countedPart(period, charge));
    if (before && period.prepaid) {
      const listed = pricePaidIn(before, amounts.get(before.id) ?? 0, period);
      amounts.set(before.id, (amounts.get(before.id) ?? 0) - listed);
      parts.push({ left: listed, listed, worth: period.worthOf(listed) });
    }
    amounts.set(period.id, leftOf(period, parts));
    before = period;
  }
  for (const chain of paidTogether(all)) shiftReturned(chain, charges, amounts);
  for (const { periodId, amount } of rests) {
    amounts.set(periodId, (amounts.get(periodId) ?? 0) + Number(amount));
  }
  return new Map(periods.map(({ id }) => [id, amounts.get(id) ?? 0]));
}

/** Periods of one subscription with all that one payment covers together with another one, the earliest first. */
async function withPaidTogether(
  em: Session['em'],
  periods: readonly BillingPeriod[],
): Promise<readonly BillingPeriod[]> {
  const [first] = periods;
  if (!first) return periods;
  const of = { subscription: first.subscriptionId };
  const populate = ['items'] as const;
  const prepaid = await em.find(BillingPeriod, { ...of, prepaid: true }, { populate });
  if (prepaid.length === 0) return periods;
  const ends = { endDate: { $in: prepaid.map(({ startDate }) => startDate) } };
  const before = await em.find(BillingPeriod, { ...of, ...ends });
  const all = new Set([...periods, ...prepaid, ...before]);
  return [...all].sort((a, b) => a.startDate.getTime() - b.startDate.getTime());
}

/** Periods in their order, each with those that follow it and that its payments cover as well. */
const paidTogether = (periods: readonly BillingPeriod[]): readonly BillingPeriod[][] =>
  periods.reduce<BillingPeriod[][]>((chains, period) => {
    if (period.prepaid && chains.length > 0) chains.at(-1)?.push(period);
    else chains.push([period]);
    return chains;
  }, []);

/**
 * Notes for unused time may return the charge of an earlier period, while a later charge of the chain has money left. The
 * used part of the earlier period counts from there.
 */
function shiftReturned(
  chain: readonly BillingPeriod[],
  charges: readonly Charge[],
  amounts: Map<string, number>,
) {
  const amountOf = ({ id }: BillingPeriod) => amounts.get(id) ?? 0;
  let returned = 0;
  for (const [place, period] of chain.entries()) {
    for (const charge of charges.filter(({ periodId }) => periodId === period.id)) {
      returned += charge.listed - countedPart(period, charge).left;
    }
    const later = chain.slice(place + 1);
    const used = later.length > 0 ? usedIn(period) : 0;
    for (const other of later.reverse()) {
      const short = Math.max(0, Math.min(used - amountOf(period), returned));
      const part = Math.min(short, amountOf(other));
      amounts.set(period.id, amountOf(period) + part);
      amounts.set(other.id, amountOf(other) - part);
      returned -= part;
    }
  }
}

/** The listed worth of the part of a period before its present plan. */
const usedIn = ({ proration }: BillingPeriod): number =>
  Math.max(0, (proration?.listed ?? proration)?.used ?? 0);

interface CountedPart {
  readonly left: number;
  readonly worth: number;
  readonly listed: number;
}

/** The part of a charge that counts: after discounts, it is worth less than it lists. */
function countedPart(
  period: BillingPeriod,
  { status, subtotal, listed, isPlan, returned }: Charge,
): CountedPart {
  const worth = isPlan ? subtotal : period.worthOf(listed);
  const left = listed - Math.min(listed, proportion(returned, listed, worth));
  return status === 'uncollectible' ? { left, worth: 0, listed: 0 } : { left, worth, listed };
}

/** The listed price of a period, as far as what counts for the period before it exceeds what that one has used. */
function pricePaidIn(before: BillingPeriod, counted: number, next: BillingPeriod): number {
  const room = Math.max(0, counted - usedIn(before));
  return Math.min(planTotal(next.items.getItems()), room);
}

/** The amount that counts for the plan of a period, less the credit that waits for its payment. */
function leftOf({ proration }: BillingPeriod, parts: readonly CountedPart[]): number {
  const sumOf = (of: keyof CountedPart) => parts.reduce((sum, part) => sum + part[of], 0);
  const { amount: awaited = 0 } = proration?.awaitedCredit ?? {};
  const coming = proportion(awaited, sumOf('listed'), sumOf('worth'));
  return Math.max(0, sumOf('left') - coming);
}

type Charge = Awaited<ReturnType<typeof chargesIn>>[number];

/** The invoices for the plan in periods, with their listed charges and what credit notes returned for unused time. */
async function chargesIn(em: Session['em'], periodIds: readonly string[]) {
  const rows = await statement<{
    periodId: string;
    status: Invoice['status'];
    subtotal: string;
    listed: string;
    isPlan: boolean;
    returned: string;
  }>(
    em,
    'charges of terms',
    `select i.billing_period_id as "periodId", i.status, i.subtotal::text as subtotal, line.listed::text as listed,
       line.is_plan as "isPlan", note.returned::text as returned
     from invoice i, lateral (
       select sum(amount) filter (where type = 'static') as listed,
         not bool_or(type in ('usage', 'commitment', 'one_off')) as is_plan
       from invoice_line_item where invoice_id = i.id) line, lateral (
       select coalesce(sum(subtotal), 0) as returned from credit_note
       where invoice_id = i.id and reason = any($2::text[]) and status <> 'failed') note
     where i.billing_period_id = any($1::text[]) and i.purpose in ('period', 'adjustment') and i.status <> 'void'
       and line.listed is not null`,
    [periodIds, unusedReasons],
  );
  return rows.map(({ subtotal, listed, returned, ...row }) => ({
    ...row,
    subtotal: Number(subtotal),
    listed: Number(listed),
    returned: Number(returned),
  }));
}

/** The listed rests of items after their trials in periods. */
const restsIn = (em: Session['em'], periodIds: readonly string[]) =>
  statement<{ periodId: string; amount: string }>(
    em,
    'rests of terms',
    `select c.billing_period_id as "periodId", sum(round(c.quantity * c.unit_price
       * (c.trial_rest->>'listed')::numeric / (c.trial_rest->>'worth')::numeric))::bigint::text as amount
     from one_off_charge c left join invoice i on i.id = c.invoice_id
     where c.billing_period_id = any($1::text[]) and i.status is distinct from 'void'
     group by 1`,
    [periodIds],
  );
