import { rangeOf, spansOf } from '#domain/kernel/buckets.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Organization } from '#domain/model/platform/organization.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { share } from './mrr-amounts.ts';
import {
  type StatisticInput,
  type StatisticInterval,
  statisticBuckets,
} from './statistic-input.ts';

/** The present outcomes of an invoice whose payment has failed. */
const recoveryOutcomes = ['recovered', 'open', 'lost'] as const;
type RecoveryOutcome = (typeof recoveryOutcomes)[number];

/** A number of invoices and the amount that was to be paid, in minor units. */
export interface Recovered {
  readonly count: number;
  readonly amount: number;
}

/** The invoices whose first failed payment was in a bucket, and their outcomes. */
export interface PaymentRecoveryPoint extends Readonly<Record<RecoveryOutcome, Recovered>> {
  readonly start: Date;
  readonly end: Date;
  readonly failed: Recovered;
  /** The recovered part of the amount, as a decimal; null without failures. */
  readonly recoveryRate: string | null;
}

export interface PaymentRecoverySeries {
  readonly currency: string;
  readonly points: readonly PaymentRecoveryPoint[];
}

interface Row extends Recovered {
  /** The start of the bucket in milliseconds since 1970. */
  readonly start: string;
  readonly currency: string;
  readonly outcome: RecoveryOutcome;
}

const none: Recovered = { count: 0, amount: 0 };

/**
 * The invoices of the key's pricing model whose payment failed, in the bucket of the first failure, with their present
 * outcomes. Errors: BAD_REQUEST for an empty time span and for more than 1,000 buckets.
 */
export async function paymentRecovery(
  session: Session,
  input: StatisticInput,
): Promise<PaymentRecoverySeries[]> {
  const buckets = statisticBuckets(input);
  const { currency } = await session.em.findOneOrFail(Organization, session.organizationId);
  const rows = await failuresOf(session, ...rangeOf(buckets), buckets.interval);
  const known = new Map(
    rows.map((row) => [`${row.currency} ${row.start} ${row.outcome}`, row] as const),
  );
  const currencies = new Set([currency, ...rows.map(({ currency }) => currency)]);
  return [...currencies].toSorted().map((currency) => ({
    currency,
    points: spansOf(buckets).map(({ start, end }) => {
      const of = (outcome: RecoveryOutcome): Recovered => {
        const { count, amount } = known.get(`${currency} ${start} ${outcome}`) ?? none;
        return { count, amount: Number(amount) };
      };
      const [recovered, open, lost] = [of('recovered'), of('open'), of('lost')];
      const failed = [recovered, open, lost].reduce((sum, one) => ({
        count: sum.count + one.count,
        amount: sum.amount + one.amount,
      }));
      const recoveryRate = share(BigInt(recovered.amount), BigInt(failed.amount));
      return {
        start: new Date(start),
        end: new Date(end),
        failed,
        recovered,
        open,
        lost,
        recoveryRate,
      };
    }),
  }));
}

/** Finds the first failed payment of each invoice by a partial index. */
const failuresOf = (
  { em, pricingModelId }: Session,
  from: Date,
  to: Date,
  interval: StatisticInterval,
): Promise<Row[]> =>
  statement<Row>(
    em,
    'first failures',
    `select (extract(epoch from date_trunc($4, p.charge_date at time zone 'UTC')) * 1000)::bigint::text as start, p.currency,
       case
         when invoice.status in ('paid', 'refunded', 'partially_refunded') then 'recovered'
         when invoice.status in ('void', 'uncollectible') then 'lost'
         else 'open'
       end as outcome, count(*)::int as count, sum(p.amount)::text as amount
     from payment p join invoice on invoice.id = p.invoice_id
     where p.pricing_model_id = $1 and p.status = 'failed' and p.charge_date >= $2 and p.charge_date < $3
       and not exists (
         select from payment earlier
         where earlier.invoice_id = p.invoice_id and earlier.status = 'failed'
           and (earlier.charge_date, earlier.position) < (p.charge_date, p.position))
     group by 1, 2, 3`,
    [pricingModelId, from, to, interval],
  );
