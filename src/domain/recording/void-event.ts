import { DomainError } from '#domain/kernel/errors.ts';
import { newId } from '#domain/kernel/ids.ts';
import type { Session } from '#domain/kernel/session.ts';
import { jsonNumber } from '#domain/kernel/values/decimal.ts';
import { writeLedgers } from '#domain/metering/credits/write-ledgers.ts';
import { changeUsage, expireCredits, type Step } from '#domain/metering/ledger/change-usage.ts';
import { afterEnd, type Ledger, type Period } from '#domain/metering/ledger/ledger.ts';
import { ledgerKeyOf, lockLedgers } from '#domain/metering/ledger/lock-ledgers.ts';
import { recordOwedOfClosed } from '#domain/metering/ledger/record-owed-of-closed.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import type { UsageEvent } from '#domain/model/recording/usage-event.ts';
import { originColumns } from '#domain/platform/feed/origin.ts';
import { writeEvents } from '#domain/platform/feed/write-events.ts';
import { lockSubscription } from '#domain/platform/locks/lock-subscription.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { periodOfEvent } from './period-of-event.ts';
import { readChangeableEvent, readUsageEvent } from './read-usage-events.ts';
import { requireOutsideHistory } from './require-outside-history.ts';
import { correctionOf, firstRecorded } from './usage-before-event.ts';
import { dataOfUsage } from './usage-data.ts';
import { type Fall, fallWithout } from './usage-without-event.ts';

const hourMilliseconds = 3_600_000;

/** Whether the usage without an event depends on the values of the others. */
const comparesEvents = ({ aggregationType }: UsageMeter) =>
  aggregationType !== 'sum' && aggregationType !== 'count';

/** A voided event, the period that it counted for, and the fall of usage there. */
export interface VoidedEvent {
  readonly event: UsageEvent;
  readonly period: Period;
  readonly falls: readonly Fall[];
}

/**
 * Part of a transaction: voids an event and emits it as voided, or as replaced where another one counts. For a
 * replaced event the usage and its coverage stay: they change together with the replacing one.
 */
export async function voidEvent(
  session: Session,
  { id, reason }: { readonly id: string; readonly reason: string },
  replacedById: string | null,
  countsInPlace = false,
): Promise<VoidedEvent> {
  const { subscriptionId } = await readChangeableEvent(session, id);
  const locked = await lockSubscription(session, subscriptionId);
  const { subscription, session: atLock } = locked;
  const event = await readChangeableEvent(atLock, id);
  if (event.voidedAt)
    throw new DomainError('CONFLICT', `Usage event ${id} has already been voided or replaced`, {
      reason: 'INVALID_STATE',
    });
  const { period, isBilled } = event.afterEnd
    ? { period: afterEnd, isBilled: false }
    : await periodOfEvent(atLock, subscription, event);
  const { usageMeterId, customerId } = event;
  const { watched } = subscription;
  const since = firstRecorded(event);
  const wanted = { subscriptionId, usageMeterId, customerId, now: atLock.now, since, watched };
  const ledgers = await lockLedgers(atLock, [{ ...wanted, periodIds: new Set([period.id]) }]);
  const ledger = ledgers.get(ledgerKeyOf(subscriptionId, usageMeterId)) as Ledger;
  expireCredits(ledger);
  await markVoided(atLock, event, { reason, isBilled, replacedById });
  const meter = await atLock.em.findOneOrFail(UsageMeter, usageMeterId);
  if (comparesEvents(meter)) await requireOutsideHistory(atLock, event, period);
  const { matrix } = await atLock.em.findOneOrFail(Price, event.priceId);
  const falls = await fallWithout(atLock, ledger, event, meter, matrix ?? null);
  if (!countsInPlace) {
    const correction = await correctionOf(atLock, ledger, period, event, meter);
    const [first, ...together] = stepsOf(event, falls);
    if (first) changeUsage(ledger, { ...first, period, together, correction });
    await recordOwedOfClosed(atLock, [{ ledger, period }]);
  }
  const hour = Math.floor(event.usageDate.getTime() / hourMilliseconds) * hourMilliseconds;
  const usage = falls.reduce((sum, { by }) => sum + by, 0n);
  await writeLedgers(atLock, [ledger], {
    hours: [{ balanceId: ledger.balanceId, hour, usage, events: -1, firstAt: null, lastAt: null }],
  });
  const voided = await readUsageEvent(atLock, id);
  await tell(atLock, voided);
  return { event: voided, period, falls };
}

/** The ledger steps of a voided event. */
export const stepsOf = ({ id }: UsageEvent, falls: readonly Fall[]): Step[] =>
  falls.map((fall) => ({ source: { type: 'usage_voided', sourceId: id }, ...fall }));

interface Voiding {
  readonly reason: string;
  readonly isBilled: boolean;
  /** The id of the replacing event; null without one. */
  readonly replacedById: string | null;
}

const markVoided = (
  { em, now, pricingModelId }: Session,
  { id, createdAt, position }: UsageEvent,
  { reason, isBilled, replacedById }: Voiding,
) =>
  statement(
    em,
    'void usage event',
    `update usage_event set voided_at = $4, updated_at = greatest(updated_at, $4), void_reason = $5, voided_after_billing = $6,
       replaced_by_id = $7
     where pricing_model_id = $1 and created_at = $2 and id = $3 and position = $8`,
    [pricingModelId, createdAt, id, now, reason, isBilled, replacedById, position],
  );

function tell(session: Session, event: UsageEvent) {
  const { em, now, livemode, organizationId, pricingModelId } = session;
  const { id, customerId, replacedById } = event;
  const sum = jsonNumber(event.amount);
  return writeEvents(em, [
    {
      id: newId('evt'),
      type: replacedById ? 'usage_event.replaced' : 'usage_event.voided',
      objectType: 'UsageEvent',
      objectId: id,
      objectVersion: 2,
      data: { ...dataOfUsage(event, { count: 1, sum, lastId: id }), voidedAt: now.getTime() },
      previousAttributes: {
        voidedAt: null,
        voidReason: null,
        ...(replacedById && { replacedById: null }),
      },
      customerId,
      livemode,
      organizationId,
      pricingModelId,
      occurredAt: now,
      ...originColumns(session),
    },
  ]);
}
