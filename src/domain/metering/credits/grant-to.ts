import type { Session } from '#domain/kernel/session.ts';
import { expireCredits } from '#domain/metering/ledger/change-usage.ts';
import type { Ledger } from '#domain/metering/ledger/ledger.ts';
import { ledgerKeyOf, lockLedgers } from '#domain/metering/ledger/lock-ledgers.ts';
import { UsageCredit } from '#domain/model/metering/usage-credit.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { emitCredits, type Grant, grantCredits } from './grant-credits.ts';
import { runningPeriod } from './running-period.ts';
import { writeLedgers } from './write-ledgers.ts';

/** Part of a transaction: grants a locked subscription one credit. */
export async function grantTo(
  session: Session,
  subscription: Subscription,
  grant: Grant,
): Promise<UsageCredit> {
  const { em, now } = session;
  const { id: subscriptionId, customerId, watched } = subscription;
  const { usageMeterId } = grant;
  const running = await runningPeriod(session, subscription);
  const wanted = {
    subscriptionId,
    usageMeterId,
    customerId,
    periodIds: new Set([running.id]),
    now,
    watched,
  };
  const ledgers = await lockLedgers(session, [wanted]);
  const ledger = ledgers.get(ledgerKeyOf(subscriptionId, usageMeterId)) as Ledger;
  const expired = expireCredits(ledger);
  const credits = grantCredits(subscription, running, [[ledger, grant]]);
  await writeLedgers(session, [ledger], { credits });
  await emitCredits(session, subscription, [
    ...expired.map((credit) => ({ verb: 'expired' as const, credit, usageMeterId })),
    ...[...ledger.newCredits].map((credit) => ({ verb: 'created' as const, credit, usageMeterId })),
  ]);
  const [id = ''] = credits.keys();
  return em.findOneOrFail(UsageCredit, id);
}
