import { type Buckets, daysOf, spansOf } from '#domain/kernel/buckets.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Product } from '#domain/model/catalog/product.ts';
import { type MrrKind, mrrKinds } from '#domain/model/money/mrr-movement.ts';
import { Organization } from '#domain/model/platform/organization.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { type Mrr, minorUnits, mrrOf, share } from './mrr-amounts.ts';
import { largestFirst } from './others.ts';
import { type StatisticInput, statisticBuckets } from './statistic-input.ts';

export interface MrrInput extends StatisticInput {
  /** Whether each product has a series of its own; otherwise all products have one together. */
  readonly byProduct?: boolean | null | undefined;
  /** The only product. */
  readonly product?: string | null | undefined;
}

/** The movements of a bucket. Amounts are positive minor units for a month; rates are decimals. */
export interface MrrPoint extends Readonly<Record<MrrKind, number>> {
  readonly start: Date;
  readonly end: Date;
  readonly mrrAtStart: number;
  readonly mrrAtEnd: number;
  readonly customersAtStart: number;
  readonly newCustomers: number;
  readonly reactivatedCustomers: number;
  readonly churnedCustomers: number;
  readonly customersAtEnd: number;
  /** Null where there are no customers, or no MRR, at the start. */
  readonly customerChurnRate: string | null;
  readonly revenueChurnRate: string | null;
}

export interface MrrSeries {
  readonly currency: string;
  /** Null for all products, and for the others. */
  readonly productId: string | null;
  /** Whether it is the rest beyond the 100 products that move most. */
  readonly isOthers: boolean;
  readonly points: readonly MrrPoint[];
}

/** The movements of one kind, as a count and an amount. */
type Moved = { count: number; amount: Mrr };
type Movements = Map<MrrKind, Moved>;

/**
 * The movements of the MRR of the key's pricing model in each bucket, for each currency. Errors: NOT_FOUND; BAD_REQUEST for an
 * empty time span and for more than 1,000 buckets.
 */
export async function mrrMovements(session: Session, input: MrrInput): Promise<MrrSeries[]> {
  const buckets = statisticBuckets(input);
  if (input.product != null) await session.em.findOneOrFail(Product, input.product);
  const { currency } = await session.em.findOneOrFail(Organization, session.organizationId);
  const rows = await movementsOf(session, buckets, input);
  const products = input.byProduct ? rows.map(({ productId }) => productId) : [];
  const kept = largestFirst(rows, ({ productId, amount }) => [productId, magnitude(mrrOf(amount))]);
  const isOther = (id: string) => products.length > 0 && !kept.has(id);
  const series = new Map<string, SeriesMoves>();
  if (!input.byProduct) series.set(`${currency} `, { currency, productId: '', buckets: new Map() });
  for (const row of rows) {
    const productId = input.byProduct && !isOther(row.productId) ? row.productId : '';
    const key = `${row.currency} ${productId}`;
    const one = series.get(key) ?? { currency: row.currency, productId, buckets: new Map() };
    series.set(key, one);
    add(one.buckets, row);
  }
  return [...series.keys()].toSorted().map((key) => {
    const { currency, productId, buckets: moves } = series.get(key) as SeriesMoves;
    return {
      currency,
      productId: productId || input.product || null,
      isOthers: Boolean(input.byProduct) && productId === '',
      points: pointsOf(buckets, moves),
    };
  });
}

interface SeriesMoves {
  readonly currency: string;
  readonly productId: string;
  /** By the start of the bucket; the empty text is the time before. */
  readonly buckets: Map<string, Movements>;
}

function add(buckets: Map<string, Movements>, { start, kind, count, amount }: Row) {
  const moves: Movements = buckets.get(start ?? '') ?? new Map();
  buckets.set(start ?? '', moves);
  const moved = moves.get(kind) ?? { count: 0, amount: 0n };
  moves.set(kind, { count: moved.count + count, amount: moved.amount + mrrOf(amount) });
}

function pointsOf(buckets: Buckets, moves: Map<string, Movements>): MrrPoint[] {
  const before = moves.get('') ?? new Map();
  let mrr = netOf(before);
  let customers = customersOf(before);
  return spansOf(buckets).map(({ start, end }) => {
    const own: Movements = moves.get(String(start)) ?? new Map();
    const [mrrAtStart, customersAtStart] = [mrr, customers];
    mrr += netOf(own);
    customers += customersOf(own);
    const amount = (kind: MrrKind) => magnitude(own.get(kind)?.amount ?? 0n);
    const count = (kind: MrrKind) => own.get(kind)?.count ?? 0;
    const amounts = Object.fromEntries(mrrKinds.map((kind) => [kind, minorUnits(amount(kind))]));
    return {
      ...(amounts as Record<MrrKind, number>),
      start: new Date(start),
      end: new Date(end),
      mrrAtStart: minorUnits(mrrAtStart),
      mrrAtEnd: minorUnits(mrr),
      customersAtStart,
      newCustomers: count('new'),
      reactivatedCustomers: count('reactivation'),
      churnedCustomers: count('churn'),
      customersAtEnd: customers,
      customerChurnRate: share(BigInt(count('churn')), BigInt(customersAtStart)),
      revenueChurnRate: share(amount('churn') + amount('contraction'), mrrAtStart),
    };
  });
}

const magnitude = (amount: Mrr) => (amount < 0n ? -amount : amount);
const netOf = (moves: Movements) =>
  [...moves.values()].reduce((sum, { amount }) => sum + amount, 0n);
const customersOf = (moves: Movements) =>
  (moves.get('new')?.count ?? 0) +
  (moves.get('reactivation')?.count ?? 0) -
  (moves.get('churn')?.count ?? 0);

interface Row {
  /** The start of the bucket in milliseconds since 1970; null for the time before. */
  readonly start: string | null;
  readonly kind: MrrKind;
  readonly currency: string;
  readonly productId: string;
  readonly count: number;
  readonly amount: string;
}

/**
 * Sums the days until the end of the buckets. Movements that are only planned are in their days; they are subtracted:
 * a customer's own clock decides.
 */
function movementsOf(
  { em, pricingModelId, now }: Session,
  buckets: Buckets,
  { byProduct, product }: MrrInput,
): Promise<Row[]> {
  return statement<Row>(
    em,
    undefined,
    `with counted as (
       select day, substr(series, 5) as kind, currency, product_id, count, amount from statistic_day
       where pricing_model_id = $1 and series = any($2::text[]) and day < date '1970-01-01' + $4::int
         and case when $6::text is not null then product_id = $6 when $7 then product_id <> '' else product_id = '' end
       union all
       select (m.at at time zone 'UTC')::date, m.kind, m.currency, m.product_id, -1, m.amount_before - m.amount_after
       from mrr_movement m join customer c on c.id = m.customer_id left join test_clock t on t.id = c.test_clock_id
       where m.pricing_model_id = $1 and m.at > coalesce(t.frozen_time, $8::timestamptz) and m.at < (date '1970-01-01' + $4::int)::timestamp at time zone 'UTC'
         and m.at > (select least(min(frozen_time), $8::timestamptz) from test_clock where pricing_model_id = $1)
         and case when $6::text is not null then m.product_id = $6 when $7 then m.product_id <> '' else m.product_id = '' end)
     select case when day >= date '1970-01-01' + $3::int then (extract(epoch from date_trunc($5, day::timestamp)) * 1000)::bigint::text end as start,
       kind, currency, product_id as "productId", sum(count)::int as count, sum(amount)::text as amount
     from counted group by 1, 2, 3, 4 having sum(count) <> 0 or sum(amount) <> 0`,
    [
      pricingModelId,
      mrrKinds.map((kind) => `mrr_${kind}`),
      ...daysOf(buckets),
      buckets.interval,
      product ?? null,
      byProduct ?? false,
      now,
    ],
  );
}
