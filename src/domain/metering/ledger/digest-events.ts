import { createHash } from 'node:crypto';
import type { Session } from '#domain/kernel/session.ts';
import { historyFilesOf } from '#domain/metering/history/history-file.ts';
import { type DigestedRow, historyPortion } from '#domain/metering/history/history-portion.ts';
import type { EventsDigest } from '#domain/model/invoicing/usage-breakdown.ts';
import type { EventPlace } from '#domain/model/metering/usage-total.ts';
import type { UsageEvent } from '#domain/model/recording/usage-event.ts';
import { Slices } from '#engines/lockstep/slices.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { addEvent, emptyDigest, eventsDigest, isBefore } from './running-digest.ts';

/** The events of a period and price that a line refers to. */
export interface EventsOfLine {
  readonly subscriptionId: string;
  readonly usageMeterId: string;
  readonly billingPeriodId: string;
  readonly priceId: string;
  readonly lineId: string;
  /** The events that counted when the line billed them, or those voided since the line before. */
  readonly which: 'billed' | 'corrected';
  /** For a line that was written before: until when its events were recorded. */
  readonly recordedUntil?: string | null;
}

const portion = 10_000;

/** The condition of the events of a line; the sixth parameter is the line. */
const conditions = {
  billed: '(left_out_by is null or left_out_by <> all($6::text[]))',
  corrected: 'voided_at is not null and left_out_by = any($6::text[])',
} as const;

/**
 * Digests the events that a line bills or corrects, whatever their present status, in both ways. Reads them in
 * portions, so that millions of them need not fit into memory.
 */
export async function digestEvents(
  session: Session,
  of: EventsOfLine,
): Promise<Required<EventsDigest>> {
  const hash = createHash('sha256');
  const digest = emptyDigest();
  const slices = new Slices();
  const files = await historyFilesOf(session);
  const lineIds = of.which === 'billed' ? await linesUntil(session, of) : [of.lineId];
  const those = { ...of, lineIds };
  const old = inPortions((last) => historyPortion(session, files, those, last, portion));
  const stored = inPortions((last) => storedPortion(session, those, last));
  for await (const { id, amount, createdAt, recordedAt } of inOrder(old, stored)) {
    addEvent(digest, { id, amount, createdAt: new Date(createdAt) }, recordedAt);
    hash.update(`${id} ${amount}\n`);
    if (slices.isOver) await slices.turn();
  }
  return { ...eventsDigest(digest), sha256: hash.digest('hex') };
}

/** A line with the earlier ones of its ledger and price, which may have left out events of the same period. */
async function linesUntil(
  { em, pricingModelId }: Session,
  { lineId }: EventsOfLine,
): Promise<string[]> {
  const rows = await statement<{ id: string }>(
    em,
    'lines until one',
    `select earlier.id from invoice_line_item line
     join invoice_line_item earlier on earlier.balance_id = line.balance_id and earlier.price_id = line.price_id
       and earlier.type = 'usage' and earlier.position <= line.position
     where line.id = $1 and line.pricing_model_id = $2`,
    [lineId, pricingModelId],
  );
  return [...new Set([lineId, ...rows.map(({ id }) => id)])];
}

/** The events of a line that are in the database, in the order of creation after a place. */
const storedPortion = (
  { em, pricingModelId }: Session,
  of: EventsOfLine & { readonly lineIds: readonly string[] },
  last: DigestedRow | undefined,
) =>
  statement<DigestedRow>(
    em,
    `${of.which} usage events in portions`,
    `select id, trim_scale(amount)::text as amount, (extract(epoch from created_at) * 1000)::float8 as "createdAt",
       (extract(epoch from recorded_at) * 1000)::float8 as "recordedAt" from usage_event
     where pricing_model_id = $1 and subscription_id = $2 and usage_meter_id = $3
       and billing_period_id is not distinct from nullif($4, '') and price_id = $5 and not after_end
       and ${conditions[of.which]} and (created_at, id) > ($7::timestamptz, $8)
       and recorded_at <= coalesce($9::timestamp at time zone 'UTC', 'infinity')
     order by created_at, id limit ${portion}`,
    [
      pricingModelId,
      of.subscriptionId,
      of.usageMeterId,
      of.billingPeriodId,
      of.priceId,
      of.lineIds,
      last ? new Date(last.createdAt) : '-infinity',
      last?.id ?? '',
      of.recordedUntil ?? null,
    ],
  );

async function* inPortions(read: (last: DigestedRow | undefined) => Promise<DigestedRow[]>) {
  let last: DigestedRow | undefined;
  for (;;) {
    const rows = await read(last);
    yield* rows;
    last = rows.at(-1);
    if (rows.length < portion) return;
  }
}

/** Two sequences in the order of creation as one. */
async function* inOrder(...both: AsyncGenerator<DigestedRow>[]) {
  const next = await Promise.all(both.map((each) => each.next()));
  for (;;) {
    const [one, other] = next as [IteratorResult<DigestedRow>, IteratorResult<DigestedRow>];
    if (one.done && other.done) return;
    const first = other.done || (!one.done && isBefore(one.value, other.value)) ? 0 : 1;
    yield next[first]?.value as DigestedRow;
    next[first] = await (both[first] as AsyncGenerator<DigestedRow>).next();
  }
}

/** Records on events that do not count any more the first line that is billed without them. */
export const leaveOut = ({ em, pricingModelId }: Session, of: EventsOfLine) =>
  statement(
    em,
    'leave out voided events',
    `update "usage_event" set left_out_by = $1
     where pricing_model_id = $2 and subscription_id = $3 and usage_meter_id = $4
       and coalesce(billing_period_id, '') = $5 and price_id = $6
       and not after_end and voided_at is not null and left_out_by is null`,
    [of.lineId, pricingModelId, of.subscriptionId, of.usageMeterId, of.billingPeriodId, of.priceId],
  );

const sides = {
  before: ['<=', 'desc'],
  after: ['>=', 'asc'],
} as const;

/** The next event before or after a voided one that counts for its period and price; null without any. */
export async function nextEvent(
  { em, pricingModelId }: Session,
  event: UsageEvent,
  side: keyof typeof sides,
): Promise<EventPlace | null> {
  const [comparison, order] = sides[side];
  const [next] = await statement<EventPlace>(
    em,
    `next usage event ${side}`,
    `select id, (extract(epoch from created_at) * 1000)::float8 as "createdAt" from usage_event
     where pricing_model_id = $1 and subscription_id = $2 and usage_meter_id = $3
       and billing_period_id is not distinct from $4 and price_id = $5 and after_end = $6
       and voided_at is null and created_at ${comparison} $7
     order by created_at ${order}, id collate "C" ${order} limit 1`,
    [
      pricingModelId,
      event.subscriptionId,
      event.usageMeterId,
      event.billingPeriodId,
      event.priceId,
      event.afterEnd,
      event.createdAt,
    ],
  );
  return next ?? null;
}
