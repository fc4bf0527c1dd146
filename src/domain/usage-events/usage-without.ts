import { unitsOf } from '../decimal.ts';
import type { Session } from '../session.ts';
import { statement } from '../statement.ts';
import { type Book, totalOf } from '../usage-balances/book.ts';
import { UsageMeter } from '../usage-meters/usage-meter.ts';
import type { UsageEvent } from './usage-event.ts';
import { propertiesDigest } from './usage-event-id.ts';

/**
 * By how much the usage of its period changes when an event that has just been voided does not count: what its
 * meter makes of the others, less what it made of all. Notes on the ledger that there is one event less.
 */
export async function fallWithout(
  session: Session,
  book: Book,
  event: UsageEvent,
): Promise<bigint> {
  const meter = await session.em.findOneOrFail(UsageMeter, event.usageMeterId);
  const total = totalOf(book, event.billingPeriodId ?? '', event.priceId);
  total.events -= 1;
  book.changedTotals.add(total);
  switch (meter.aggregationType) {
    case 'count':
      return -unitsOf('1');
    case 'count_distinct_properties':
      return (await nextDistinct(session, event)) ?? 0n;
    case 'max': {
      const [largest] = await others(session, event, 'amount desc');
      return unitsOf(largest?.amount ?? '0') - total.usage;
    }
    case 'last': {
      const order = 'usage_date desc, recorded_at desc, created_at desc, id desc';
      const [last] = await others(session, event, order);
      total.lastUsageDate = last ? Number(last.usageDate) : null;
      total.lastEventId = last?.id ?? null;
      return unitsOf(last?.amount ?? '0') - total.usage;
    }
    default:
      return -unitsOf(event.amount);
  }
}

interface Other {
  readonly id: string;
  readonly amount: string;
  readonly usageDate: number;
}

/** The first, in some order, of the other events that count for the same period and price. */
function others(
  { em, pricingModelId }: Session,
  event: UsageEvent,
  order: string,
  sameProperties = false,
): Promise<Other[]> {
  const { subscriptionId, usageMeterId, billingPeriodId, priceId, properties } = event;
  const alike = sameProperties ? 'properties = $6::jsonb' : 'price_id = $6';
  return statement<Other>(
    em,
    `other usage events by ${order} of ${alike}`,
    `select id, amount::text, (extract(epoch from usage_date) * 1000)::float8 as "usageDate" from usage_event
     where pricing_model_id = $1 and subscription_id = $2 and usage_meter_id = $3
       and billing_period_id is not distinct from $4 and id <> $5 and voided_at is null and ${alike}
     order by ${order} limit 1`,
    [
      pricingModelId,
      subscriptionId,
      usageMeterId,
      billingPeriodId,
      event.id,
      sameProperties ? JSON.stringify(properties) : priceId,
    ],
  );
}

/** Where the event was the one that counted for its properties, the next one counts; undefined where it was not. */
async function nextDistinct(session: Session, event: UsageEvent): Promise<bigint | undefined> {
  const { em } = session;
  const of = [event.subscriptionId, event.usageMeterId, event.billingPeriodId ?? ''];
  const digest = propertiesDigest(of, event.properties ?? {});
  const [next] = await others(session, event, 'created_at, recorded_at, id', true);
  const counted = await statement(
    em,
    next ? 'pass distinct on' : 'forget distinct',
    next
      ? 'update usage_event_distinct set event_id = $3 where digest = $1 and event_id = $2 returning digest'
      : 'delete from usage_event_distinct where digest = $1 and event_id = $2 returning digest',
    next ? [digest, event.id, next.id] : [digest, event.id],
  );
  if (counted.length === 0) return undefined;
  return unitsOf(next?.amount ?? '0') - unitsOf(event.amount);
}
