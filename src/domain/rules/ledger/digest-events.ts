import { createHash } from 'node:crypto';
import { decimalText, unitsOf } from '#domain/kernel/decimal.ts';
import type { Session } from '#domain/kernel/session.ts';
import { statement } from '#domain/kernel/statement.ts';
import type { EventsDigest } from '#domain/usage-balances/usage-breakdown.ts';

/** The events of a period and price that a line refers to. */
export interface EventsOfLine {
  readonly subscriptionId: string;
  readonly usageMeterId: string;
  readonly billingPeriodId: string;
  readonly priceId: string;
  readonly lineId: string;
  /** The events that counted when the line was the first to bill them, or those voided since the line before. */
  readonly which: 'billed' | 'corrected';
  /** For a line that was written before: until when its events were recorded. */
  readonly recordedUntil?: string | null;
}

const portion = 10_000;

interface Row {
  readonly id: string;
  readonly amount: string;
  readonly createdAt: string;
  readonly recordedAt: string;
}

/**
 * Digests the events that a line bills or corrects, whatever their present status. Reads them in portions, so that
 * millions of them need not fit into memory.
 */
export async function digestEvents(
  { em, pricingModelId }: Session,
  of: EventsOfLine,
): Promise<EventsDigest> {
  const hash = createHash('sha256');
  let [count, sum] = [0, 0n];
  let first: Row | undefined;
  let last: Row | undefined;
  const recorded: string[] = [];
  for (;;) {
    const rows = await statement<Row>(
      em,
      'usage events in portions',
      `select id, trim_scale(amount)::text as amount, created_at::text as "createdAt",
         to_json(recorded_at at time zone 'UTC') #>> '{}' as "recordedAt" from usage_event
       where pricing_model_id = $1 and subscription_id = $2 and usage_meter_id = $3 and billing_period_id is not distinct from nullif($4, '')
         and price_id = $5 and not after_end and (created_at, id) > ($6::timestamptz, $7)
         and case when $8 then left_out_by = $9 else left_out_by is distinct from $9 end
         and recorded_at <= coalesce($10::timestamp at time zone 'UTC', 'infinity')
       order by created_at, id limit ${portion}`,
      [
        pricingModelId,
        of.subscriptionId,
        of.usageMeterId,
        of.billingPeriodId,
        of.priceId,
        last?.createdAt ?? '-infinity',
        last?.id ?? '',
        of.which === 'corrected',
        of.lineId,
        of.recordedUntil ?? null,
      ],
    );
    for (const { id, amount, recordedAt } of rows) {
      if (recordedAt < (recorded[0] ?? '~')) recorded[0] = recordedAt;
      if (recordedAt > (recorded[1] ?? '')) recorded[1] = recordedAt;
      hash.update(`${id} ${amount}\n`);
      sum += unitsOf(amount);
    }
    first ??= rows[0];
    last = rows.at(-1) ?? last;
    count += rows.length;
    if (rows.length < portion) break;
  }
  const [firstId, lastId] = [first?.id ?? null, last?.id ?? null];
  const [recordedFrom = null, recordedUntil = null] = recorded;
  const sha256 = hash.digest('hex');
  return { count, firstId, lastId, sum: decimalText(sum), sha256, recordedFrom, recordedUntil };
}

/** Records on events that do not count any more the first line that is billed without them. */
export const leaveOut = ({ em, pricingModelId }: Session, of: EventsOfLine) =>
  statement(
    em,
    'leave out voided events',
    `update usage_event set left_out_by = $1
     where pricing_model_id = $2 and subscription_id = $3 and usage_meter_id = $4
       and billing_period_id is not distinct from nullif($5, '') and price_id = $6
       and not after_end and voided_at is not null and left_out_by is null`,
    [of.lineId, pricingModelId, of.subscriptionId, of.usageMeterId, of.billingPeriodId, of.priceId],
  );
