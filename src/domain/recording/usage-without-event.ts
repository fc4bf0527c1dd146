import type { Session } from '#domain/kernel/session.ts';
import { unitsOf } from '#domain/kernel/values/decimal.ts';
import { nextEvent } from '#domain/metering/ledger/digest-events.ts';
import { type Ledger, totalOf } from '#domain/metering/ledger/ledger.ts';
import { type RunningDigest, removeEvent } from '#domain/metering/ledger/running-digest.ts';
import { cellOf } from '#domain/model/catalog/matrix-charges.ts';
import type { PriceMatrix } from '#domain/model/catalog/pricing.ts';
import type { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import {
  eventOrder,
  latestEventFirst,
  type UsageEvent,
} from '#domain/model/recording/usage-event.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { periodIdOf } from './period-of-event.ts';
import { propertiesDigest } from './usage-event-id.ts';

/** The change of usage at a price. */
export interface Fall {
  readonly priceId: string;
  readonly by: bigint;
  /** For a price with a matrix: the change of the cell of the event. */
  readonly cells?: ReadonlyMap<string, bigint>;
}

/**
 * The change of a period's usage when an event that has just been voided does not count, at each price. It is the
 * aggregate of the other events without that of all. Also removes one event from the ledger's count.
 */
export async function fallWithout(
  session: Session,
  ledger: Ledger,
  event: UsageEvent,
  { aggregationType }: Pick<UsageMeter, 'aggregationType'>,
  matrix: PriceMatrix | null,
): Promise<Fall[]> {
  const { priceId } = event;
  const total = totalOf(ledger, periodIdOf(event), event.priceId);
  total.events -= 1;
  if (total.digest) await removeFrom(total.digest, session, event);
  ledger.changedTotals.add(total);
  switch (aggregationType) {
    case 'count':
      return [fallOf(event, -unitsOf('1'), matrix)];
    case 'count_distinct_properties':
      return nextDistinct(session, event);
    case 'max': {
      // Another event is larger.
      if (unitsOf(event.amount) < total.usage) return [{ priceId, by: 0n }];
      const [largest] = await others(session, event, 'largest');
      return [{ priceId, by: unitsOf(largest?.amount ?? '0') - total.usage }];
    }
    case 'last': {
      if (total.lastEventId !== event.id) return [{ priceId, by: 0n }];
      const [last] = await others(session, event, 'last');
      total.lastUsageDate = last ? Number(last.usageDate) : null;
      total.lastEventId = last?.id ?? null;
      return [{ priceId, by: unitsOf(last?.amount ?? '0') - total.usage }];
    }
    default:
      return [fallOf(event, -unitsOf(event.amount), matrix)];
  }
}

const fallOf = (event: UsageEvent, by: bigint, matrix: PriceMatrix | null): Fall => ({
  priceId: event.priceId,
  by,
  ...(matrix && { cells: new Map([[cellOf(matrix, event.properties), by]]) }),
});

async function removeFrom(digest: RunningDigest, session: Session, event: UsageEvent) {
  removeEvent(digest, event);
  if (digest.first?.id === event.id) digest.first = await nextEvent(session, event, 'after');
  if (digest.last?.id === event.id) digest.last = await nextEvent(session, event, 'before');
}

interface Other {
  readonly id: string;
  readonly amount: string;
  readonly usageDate: number;
  readonly priceId: string;
}

/** The condition for the other events; the sixth parameter is their common value besides the period. */
const choices = {
  largest: 'price_id = $6 order by usage_event.amount desc',
  last: `price_id = $6 order by usage_date desc, ${latestEventFirst()}`,
  'first alike': `properties = $6::jsonb order by ${eventOrder()}`,
} as const;

/** One of the other events that count for the same period; undefined without any. */
function others(
  { em, pricingModelId }: Session,
  event: UsageEvent,
  choice: keyof typeof choices,
): Promise<Other[]> {
  const { subscriptionId, usageMeterId, billingPeriodId, afterEnd } = event;
  const { priceId, properties } = event;
  return statement<Other>(
    em,
    `${choice} other usage event`,
    `select id, amount::text, (extract(epoch from usage_date) * 1000)::float8 as "usageDate",
       price_id as "priceId" from usage_event
     where pricing_model_id = $1 and subscription_id = $2 and usage_meter_id = $3
       and billing_period_id is not distinct from $4 and after_end = $7 and id <> $5 and voided_at is null
       and ${choices[choice]} limit 1`,
    [
      pricingModelId,
      subscriptionId,
      usageMeterId,
      billingPeriodId,
      event.id,
      choice === 'first alike' ? JSON.stringify(properties) : priceId,
      afterEnd,
    ],
  );
}

/** If the event was the one that counted for its properties, the next one counts, at its own price. */
async function nextDistinct(session: Session, event: UsageEvent): Promise<Fall[]> {
  const { em } = session;
  const of = [event.subscriptionId, event.usageMeterId, periodIdOf(event)];
  const digest = propertiesDigest(of, event.properties ?? {});
  const [counted] = await statement(
    em,
    'counted distinct',
    'select digest from usage_event_distinct where digest = $1 and event_id = $2',
    [digest, event.id],
  );
  if (!counted) return [{ priceId: event.priceId, by: 0n }];
  const [next] = await others(session, event, 'first alike');
  await statement(
    em,
    next ? 'pass distinct on' : 'forget distinct',
    next
      ? 'update usage_event_distinct set event_id = $2 where digest = $1'
      : 'delete from usage_event_distinct where digest = $1',
    next ? [digest, next.id] : [digest],
  );
  const fall = { priceId: event.priceId, by: -unitsOf(event.amount) };
  if (!next) return [fall];
  const rise = { priceId: next.priceId, by: unitsOf(next.amount) };
  return rise.priceId === fall.priceId ? [{ ...fall, by: fall.by + rise.by }] : [fall, rise];
}
