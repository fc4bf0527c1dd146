import type { Session } from '#domain/kernel/session.ts';
import { comingPeriod, noPeriod, type Period } from '#domain/metering/ledger/ledger.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { currentPeriod, lastPeriodOf } from '#domain/platform/reads/current-period.ts';
import { periodOf } from './roll-over-usage.ts';

/**
 * The period that present usage of a locked subscription counts for: the current one, in a pause of the billing the
 * coming one, and none where it has had no period or has ended.
 */
export async function runningPeriod(session: Session, subscription: Subscription): Promise<Period> {
  const period = await currentPeriod(session, subscription);
  if (period) return periodOf(period, false);
  const last = subscription.isTerminal ? null : await lastPeriodOf(session, subscription);
  return last ? comingPeriod(periodOf(last, true)) : noPeriod;
}
