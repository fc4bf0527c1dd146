import { z } from 'zod';
import { invalid } from '#domain/kernel/errors.ts';
import { keptText } from '#domain/kernel/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { lockPresent } from '#domain/rules/collection/lock-present.ts';
import { settleAfterEnd } from '#domain/rules/invoicing/bill-last-usage.ts';
import { uncountable, uncountableUsage } from '#domain/rules/ledger/largest-usage.ts';
import { readUsageEvent } from '#domain/rules/recording/read-usage-events.ts';
import { voidEvent } from '#domain/rules/recording/void-event.ts';
import type { UsageEvent } from './usage-event.ts';

export const reasonInput = keptText(1_000).trim().min(1);

export const voidUsageEventInput = z.object({ id: z.string(), reason: reasonInput });

type Input = z.output<typeof voidUsageEventInput>;

/**
 * Takes a usage event back with reversing entries: what was covered by credits goes back to them, what was
 * to be paid is no longer, and what has been billed is made up for on the next invoice, or, where the
 * subscription has ended, goes to the customer's credit balance. Errors: NOT_FOUND;
 * CONFLICT for one that counts no more.
 */
export async function voidUsageEvent(session: Session, input: Input): Promise<UsageEvent> {
  const { subscriptionId } = await readUsageEvent(session, input.id);
  return lockPresent(session, subscriptionId, async ({ session }) => {
    const { event, falls } = await voidEvent(session, input, null);
    // Where it had stood before another one, that one counts now.
    const rises = falls.some(({ by }) => by > 0n);
    if (rises && (await uncountable(session, [subscriptionId])).size > 0) {
      throw invalid('id', uncountableUsage);
    }
    await settleAfterEnd(session, subscriptionId);
    return event;
  });
}
