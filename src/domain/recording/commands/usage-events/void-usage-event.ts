import { z } from 'zod';
import { billAfterEnd } from '#domain/invoicing/billing/bill-last-usage.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { keptText } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { uncountable, uncountableUsage } from '#domain/metering/ledger/largest-usage.ts';
import type { UsageEvent } from '#domain/model/recording/usage-event.ts';
import { lockPresent } from '#domain/recording/present/lock-present.ts';
import { readChangeableEvent } from '#domain/recording/read-usage-events.ts';
import { voidEvent } from '#domain/recording/void-event.ts';

export const reasonInput = keptText(1_000).trim().min(1);

export const voidUsageEventInput = z.object({ id: z.string(), reason: reasonInput });

type Input = z.output<typeof voidUsageEventInput>;

/**
 * Voids a usage event with reversing entries. Covered usage returns to its credits, and owed usage falls. Billed
 * usage is corrected on the next invoice; after the end of the subscription it goes to the customer's credit balance.
 * Errors: NOT_FOUND; CONFLICT for an event that does not count any more, for one in the history, and
 * where the correction depends on the history.
 */
export async function voidUsageEvent(session: Session, input: Input): Promise<UsageEvent> {
  const { subscriptionId } = await readChangeableEvent(session, input.id);
  return lockPresent(session, subscriptionId, async ({ session }) => {
    const { event, falls } = await voidEvent(session, input, null);
    // An event that preceded another one may have suppressed it; that one counts now.
    const rises = falls.some(({ by }) => by > 0n);
    if (rises && (await uncountable(session, [subscriptionId])).size > 0) {
      throw invalid('INVALID_STATE', 'id', uncountableUsage);
    }
    await billAfterEnd(session, subscriptionId);
    return event;
  });
}
