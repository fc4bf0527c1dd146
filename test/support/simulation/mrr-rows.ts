import { type Buckets, spansOf } from '#domain/kernel/buckets.ts';
import type { Session } from '#domain/kernel/session.ts';
import { halfUp } from '#domain/kernel/values/decimal.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { type MrrKind, mrrKinds } from '#domain/model/money/mrr-movement.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { SubscriptionItem } from '#domain/model/subscriptions/subscription-item.ts';
import { payingStatuses } from '#domain/model/subscriptions/subscription-statuses.ts';
import { fresh } from '../timeline.ts';

/** A level of MRR in parts of a minor unit that are whole numbers for every interval of these tests. */
const whole = 84n * 6n;
const parts = { day: 2_555n, week: 365n, month: 84n, year: 7n } as const;

/** The content of the rows at an instant. */
export interface Snapshot {
  readonly at: number;
  /** By customer and product. */
  readonly levels: ReadonlyMap<string, ReadonlyMap<string, bigint>>;
  /** In minor units, of every subscription. */
  readonly bySubscription: ReadonlyMap<string, number>;
  readonly statuses: readonly string[];
}

/** The levels and statuses that the rows show now. */
export async function snapshot(session: Session, now: Date): Promise<Snapshot> {
  const { em } = fresh(session);
  const subscriptions = await em.find(Subscription, {});
  const prices = new Map((await em.find(Price, {})).map((price) => [price.id, price.productId]));
  const levels = new Map<string, Map<string, bigint>>();
  const items = await em.find(SubscriptionItem, {});
  const bySubscription = new Map(subscriptions.map(({ id }) => [id, 0]));
  for (const one of subscriptions) {
    let total = 0n;
    const { status, trialEnd, isCharged, interval, intervalCount } = one;
    const pays = (payingStatuses as readonly string[]).includes(status) && isCharged;
    if (!pays || (trialEnd && trialEnd > now) || !interval) continue;
    const own = levels.get(one.customerId) ?? new Map<string, bigint>();
    levels.set(one.customerId, own);
    for (const item of items) {
      if (item.subscriptionId !== one.id || !item.isActive(now)) continue;
      const amount =
        (BigInt(item.unitPrice * item.quantity) * parts[interval] * 6n) /
        BigInt(intervalCount ?? 1);
      total += amount;
      for (const product of [prices.get(item.priceId ?? '') ?? '?', '']) {
        if (amount > 0n) own.set(product, (own.get(product) ?? 0n) + amount);
      }
    }
    bySubscription.set(one.id, halfUp(total, whole));
  }
  const statuses = subscriptions.map(({ status }) => status);
  return { at: now.getTime(), levels, bySubscription, statuses };
}

type Totals = Record<MrrKind, bigint> & Record<`${MrrKind}Count`, number>;

/** The expected points of each product; the empty text is all of them together. */
export function movementsOf(seen: readonly Snapshot[], buckets: Buckets, byProduct: boolean) {
  const products = new Set(['']);
  const customers = new Set<string>();
  for (const { levels } of seen) {
    for (const [customer, own] of levels) {
      customers.add(customer);
      for (const product of own.keys()) products.add(product);
    }
  }
  const wanted = byProduct ? [...products].filter((product) => product !== '') : [''];
  return new Map(
    wanted.map((product) => {
      const level = new Map<string, bigint>();
      const known = new Set<string>();
      let [place, mrr, paying] = [0, 0n, 0];
      const points = spansOf(buckets).map(({ end }) => {
        const totals = Object.fromEntries(
          mrrKinds.flatMap((kind) => [
            [kind, 0n],
            [`${kind}Count`, 0],
          ]),
        ) as Totals;
        const [mrrAtStart, customersAtStart] = [mrr, paying];
        for (; place < seen.length && (seen[place]?.at ?? 0) < end; place++) {
          for (const customer of customers) {
            const before = level.get(customer) ?? 0n;
            const after = seen[place]?.levels.get(customer)?.get(product) ?? 0n;
            if (before === after) continue;
            const kind = kindOf(before, after, known.has(customer));
            totals[kind] += after > before ? after - before : before - after;
            totals[`${kind}Count`] += 1;
            known.add(customer);
            level.set(customer, after);
            mrr += after - before;
            paying += Number(after > 0n) - Number(before > 0n);
          }
        }
        return {
          ...(Object.fromEntries(mrrKinds.map((kind) => [kind, minor(totals[kind])])) as Record<
            MrrKind,
            number
          >),
          mrrAtStart: minor(mrrAtStart),
          mrrAtEnd: minor(mrr),
          customersAtStart,
          customersAtEnd: paying,
          newCustomers: totals.newCount,
          reactivatedCustomers: totals.reactivationCount,
          churnedCustomers: totals.churnCount,
        };
      });
      return [product, points] as const;
    }),
  );
}

const minor = (level: bigint) => halfUp(level, whole);

function kindOf(before: bigint, after: bigint, isKnown: boolean): MrrKind {
  if (after === 0n) return 'churn';
  if (before > 0n) return after > before ? 'expansion' : 'contraction';
  return isKnown ? 'reactivation' : 'new';
}

/** The number of subscriptions of each status at the end of each bucket. */
export function statusesAt(seen: readonly Snapshot[], buckets: Buckets) {
  return spansOf(buckets).map(({ end }) => {
    const last = seen.findLast(({ at }) => at < end);
    const counts: Record<string, number> = {};
    for (const status of last?.statuses ?? []) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  });
}

/** The same from payments and invoices, one after the other. */
export async function recoveriesOf({ em, pricingModelId }: Session, buckets: Buckets) {
  const payments = await em
    .fork()
    .execute<{ invoice: string; amount: number; at: number; status: string }[]>(
      `select p.invoice_id as invoice, p.amount::int, (extract(epoch from p.charge_date) * 1000)::float8 as at, i.status
     from payment p join invoice i on i.id = p.invoice_id
     where p.pricing_model_id = ? and p.status = 'failed' order by p.charge_date, p.position`,
      [pricingModelId],
    );
  const first = [...new Map(payments.toReversed().map((one) => [one.invoice, one])).values()];
  return spansOf(buckets).map(({ start, end }) => {
    const own = first.filter(({ at }) => at >= start && at < end);
    const of = (is: (status: string) => boolean) => {
      const found = own.filter(({ status }) => is(status));
      return { count: found.length, amount: found.reduce((sum, { amount }) => sum + amount, 0) };
    };
    return {
      failed: of(() => true),
      recovered: of((status) => status === 'paid'),
      open: of((status) => status === 'open' || status === 'awaiting_payment_confirmation'),
      lost: of((status) => status === 'void' || status === 'uncollectible'),
    };
  });
}

/** The series that do not sum to 0 on their days. */
export const daysOf = ({ em, pricingModelId }: Session) =>
  em.fork().execute(
    `select series, day, sum(count) from statistic_day where pricing_model_id = ?
     group by 1, 2 having sum(count) <> 0 or sum(amount) <> 0`,
    [pricingModelId],
  );
