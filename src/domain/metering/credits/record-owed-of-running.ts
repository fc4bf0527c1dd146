import type { Session } from '#domain/kernel/session.ts';
import { lockLedgers } from '#domain/metering/ledger/lock-ledgers.ts';
import { recordOwedOfClosed } from '#domain/metering/ledger/record-owed-of-closed.ts';
import { UsageMeterBalance } from '#domain/model/metering/usage-meter-balance.ts';
import type { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { periodOf } from './roll-over-usage.ts';
import { writeLedgers } from './write-ledgers.ts';

/**
 * Records the usage that the running period of a locked subscription owes so far, as if it ended now. Credits of later
 * grants do not cover it any more; its end records the difference.
 */
export async function recordOwedOfRunning(
  session: Session,
  { id: subscriptionId, customerId, watched }: Subscription,
  period: BillingPeriod,
) {
  const { em, now } = session;
  const balances = await em.find(UsageMeterBalance, { subscription: subscriptionId });
  if (balances.length === 0) return;
  const periodIds = new Set([period.id]);
  const wanted = balances.map(({ usageMeterId }) => {
    return { subscriptionId, usageMeterId, customerId, periodIds, now, watched };
  });
  const ledgers = [...(await lockLedgers(session, wanted)).values()];
  await recordOwedOfClosed(
    session,
    ledgers.map((ledger) => ({ ledger, period: periodOf(period, true) })),
  );
  const changed = ledgers.filter(({ owing }) => owing.length > 0);
  if (changed.length > 0) await writeLedgers(session, changed);
}
