import { createHash } from 'node:crypto';
import { decimalText, unitsOf } from '../decimal.ts';
import type { Session } from '../session.ts';
import { statement } from '../statement.ts';

/** Which events belong together, so that anybody who has them can check that they are the same. */
export interface EventsDigest {
  readonly count: number;
  readonly firstId: string | null;
  readonly lastId: string | null;
  /** Their amounts together, an exact decimal. */
  readonly sum: string;
  /** Of a line «id amount» for each, in the order of creation, ties by id: SHA-256 in hex. */
  readonly sha256: string;
}

interface Of {
  readonly subscriptionId: string;
  readonly usageMeterId: string;
  readonly billingPeriodId: string;
  readonly priceId: string;
}

const portion = 10_000;

interface Row {
  readonly id: string;
  readonly amount: string;
  readonly createdAt: string;
}

/**
 * The events of a period and price that counted when it was billed, or of those the ones that were taken back
 * since. They are read in portions, so that millions of them do not have to fit into memory.
 */
export async function digestEvents(
  { em, pricingModelId }: Session,
  of: Of,
  which: 'billed' | 'taken back',
): Promise<EventsDigest> {
  const hash = createHash('sha256');
  let [count, sum] = [0, 0n];
  let first: Row | undefined;
  let last: Row | undefined;
  for (;;) {
    const rows = await statement<Row>(
      em,
      'usage events in portions',
      `select id, trim_scale(amount)::text as amount, created_at::text as "createdAt" from usage_event
       where pricing_model_id = $1 and subscription_id = $2 and usage_meter_id = $3 and billing_period_id is not distinct from nullif($4, '')
         and price_id = $5 and (created_at, id) > ($6::timestamptz, $7)
         and (voided_after_billing or (not $8 and voided_at is null))
       order by created_at, id limit ${portion}`,
      [
        pricingModelId,
        of.subscriptionId,
        of.usageMeterId,
        of.billingPeriodId,
        of.priceId,
        last?.createdAt ?? '-infinity',
        last?.id ?? '',
        which === 'taken back',
      ],
    );
    for (const { id, amount } of rows) {
      hash.update(`${id} ${amount}\n`);
      sum += unitsOf(amount);
    }
    first ??= rows[0];
    last = rows.at(-1) ?? last;
    count += rows.length;
    if (rows.length < portion) break;
  }
  const [firstId, lastId] = [first?.id ?? null, last?.id ?? null];
  return { count, firstId, lastId, sum: decimalText(sum), sha256: hash.digest('hex') };
}
