import { z } from 'zod';
import { settleAfterEnd } from '../billing-runs/bill-last-usage.ts';
import { DomainError, invalid } from '../errors.ts';
import { holdPresent } from '../reservations/hold-present.ts';
import type { Session } from '../session.ts';
import { periodOfEvent } from './period-of-event.ts';
import { readUsageEvent } from './read-usage-event.ts';
import { type Call, recordCalls } from './record-calls.ts';
import type { UsageEvent } from './usage-event.ts';
import { usageEventId } from './usage-event-id.ts';
import { usageEventInput } from './usage-event-input.ts';
import { firstRecorded } from './used-before.ts';
import { reasonInput, takeBack } from './void-usage-event.ts';

const { amount, transactionId, usageDate, properties } = usageEventInput.shape;

export const replaceUsageEventInput = z.object({
  id: z.string(),
  usageEvent: z.object({ amount, transactionId, usageDate, properties }),
  reason: reasonInput,
});

type Input = z.output<typeof replaceUsageEventInput>;

/**
 * Takes an event back and records another one of the same subscription, meter and price in its place, in one
 * transaction. Errors: NOT_FOUND; CONFLICT for an event that counts no more; BAD_REQUEST for a transaction id that
 * its meter knows.
 */
export async function replaceUsageEvent(
  session: Session,
  { id, usageEvent, reason }: Input,
): Promise<UsageEvent> {
  const { subscriptionId } = await readUsageEvent(session, id);
  return holdPresent(session, subscriptionId, async ({ session, subscription }) => {
    const { usageMeterId } = await readUsageEvent(session, id);
    const replacedById = usageEventId(usageMeterId, usageEvent.transactionId);
    const old = await takeBack(session, { id, reason }, replacedById);
    const event = {
      subscriptionId,
      priceId: old.priceId,
      amount: usageEvent.amount,
      transactionId: usageEvent.transactionId,
      usageDate: usageEvent.usageDate ?? old.usageDate,
      properties: usageEvent.properties ?? old.properties ?? null,
    };
    const isLate = subscription.isTerminal && !old.afterEnd;
    const call: Call = {
      events: [event],
      pathOf: () => ['usageEvent'],
      isBulk: false,
      firstRecordedAt: firstRecorded(old),
      ...(isLate && { period: (await periodOfEvent(session, subscription, old)).period }),
      causeId: session.causeId,
      actor: session.actor,
    };
    const [recorded] = await recordCalls(session, [call]);
    if (recorded instanceof DomainError) throw recorded;
    const [replacement] = recorded?.events ?? [];
    if (!replacement || recorded?.repeated[0]) {
      throw invalid('usageEvent.transactionId', 'is in use: give the new event a name of its own');
    }
    await settleAfterEnd(session, subscriptionId);
    return replacement;
  });
}
