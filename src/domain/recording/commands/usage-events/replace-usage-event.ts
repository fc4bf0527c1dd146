import { z } from 'zod';
import { billAfterEnd } from '#domain/invoicing/billing/bill-last-usage.ts';
import { DomainError, invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { UsageEvent } from '#domain/model/recording/usage-event.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { lockPresent } from '#domain/recording/present/lock-present.ts';
import { readChangeableEvent } from '#domain/recording/read-usage-events.ts';
import { recordCalls } from '#domain/recording/record-calls.ts';
import { firstRecorded } from '#domain/recording/usage-before-event.ts';
import type { Call } from '#domain/recording/usage-call.ts';
import { usageEventId } from '#domain/recording/usage-event-id.ts';
import { usageEventInput } from '#domain/recording/usage-event-input.ts';
import { voidEvent } from '#domain/recording/void-event.ts';
import { reasonInput } from './void-usage-event.ts';

const { amount, transactionId, usageDate, properties } = usageEventInput.shape;

export const replaceUsageEventInput = z.object({
  id: z.string(),
  usageEvent: z.object({ amount, transactionId, usageDate, properties }),
  reason: reasonInput,
});

type Input = z.output<typeof replaceUsageEventInput>;

/**
 * Voids an event and records another one of the same subscription, meter and price in its place, in one transaction.
 * It counts for the same period, unless its own `usageDate` lies in another one that is not billed. Errors:
 * NOT_FOUND; CONFLICT for an event that does not count any more; BAD_REQUEST for a transaction id that its meter
 * knows.
 */
export async function replaceUsageEvent(
  session: Session,
  { id, usageEvent, reason }: Input,
): Promise<UsageEvent> {
  const { subscriptionId } = await readChangeableEvent(session, id);
  return lockPresent(session, subscriptionId, async ({ session, subscription }) => {
    const known = await readChangeableEvent(session, id);
    const replacedById = usageEventId(known.usageMeterId, usageEvent.transactionId);
    const inPlace = !(await moves(session, subscription, known, usageEvent.usageDate));
    const replaces = await voidEvent(session, { id, reason }, replacedById, inPlace);
    const { event: old } = replaces;
    const event = {
      subscriptionId,
      priceId: old.priceId,
      amount: usageEvent.amount,
      transactionId: usageEvent.transactionId,
      usageDate: usageEvent.usageDate ?? old.usageDate,
      properties: usageEvent.properties ?? old.properties ?? null,
    };
    const call: Call = {
      events: [event],
      pathOf: () => ['usageEvent'],
      isBulk: false,
      firstRecordedAt: firstRecorded(old),
      ...(inPlace && { replaces }),
      causeId: session.causeId,
      actor: session.actor,
      cause: session.cause,
    };
    const [recorded] = await recordCalls(session, [call]);
    if (recorded instanceof DomainError) throw recorded;
    const [replacement] = recorded?.events ?? [];
    if (!replacement || recorded?.repeated[0]) {
      throw invalid(
        'TAKEN',
        'usageEvent.transactionId',
        'is in use: give the new event its own transaction id',
      );
    }
    await billAfterEnd(session, subscriptionId);
    return replacement;
  });
}

/** Whether a date lies in another period than that of an event, and in one that is not billed yet. */
async function moves(
  { em }: Session,
  { id: subscription, isTerminal }: Subscription,
  event: UsageEvent,
  usageDate: Date | null | undefined,
): Promise<boolean> {
  if (!usageDate || isTerminal) return false;
  const around = { startDate: { $lte: usageDate }, endDate: { $gt: usageDate } };
  const period = await em.findOne(BillingPeriod, { subscription, ...around, usageBilledAt: null });
  return period !== null && period.id !== event.billingPeriodId;
}
