import type { Session } from '#domain/kernel/session.ts';
import { expireCredits } from '#domain/metering/ledger/change-usage.ts';
import { lockLedgers } from '#domain/metering/ledger/lock-ledgers.ts';
import { Alert } from '#domain/model/metering/alert.ts';
import { UsageMeterBalance } from '#domain/model/metering/usage-meter-balance.ts';
import { TopUp } from '#domain/model/money/top-up.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { statement } from '#engines/lockstep/statement.ts';
import { emitCredits } from './grant-credits.ts';
import { runningPeriod } from './running-period.ts';
import { writeLedgers } from './write-ledgers.ts';

/** Part of a transaction: marks whether a locked subscription has alerts, top-ups or an amount at which usage is
 * billed, so that recordings compare them. */
export async function watchUsage(session: Session, subscription: Subscription) {
  const { em } = session;
  const { id, customerId: customer } = subscription;
  const own = { $or: [{ subscription: null }, { subscription: id }] };
  subscription.watched =
    subscription.billAt != null ||
    (await em.count(Alert, { customer, active: true, ...own })) > 0 ||
    (await em.count(TopUp, { subscription: id, active: true })) > 0;
  await em.flush();
  await beginWatch(session, subscription);
}

/** The alerts that a new subscription may have from its beginning. */
interface FirstAlerts {
  /** Whether rules have just given its customer alerts. */
  readonly hasAlerts: boolean;
  /** Whether its customer is new, too, and so has no other alerts. */
  readonly isFirst: boolean;
}

/** The same for a new subscription, which has neither alerts of its own nor top-ups. */
export async function watchNew(
  session: Session,
  subscription: Subscription,
  { hasAlerts, isFirst }: FirstAlerts,
) {
  const { customerId: customer } = subscription;
  const shared = { customer, active: true, subscription: null };
  subscription.watched =
    subscription.billAt != null ||
    hasAlerts ||
    (!isFirst && (await session.em.count(Alert, shared)) > 0);
  if (subscription.watched) await session.em.flush();
  await beginWatch(session, subscription);
}

async function beginWatch({ em, organizationId }: Session, { id, watched }: Subscription) {
  if (!watched) return;
  await statement(
    em,
    'begin watch',
    'insert into usage_watch (subscription_id, organization_id) values ($1, $2) on conflict do nothing',
    [id, organizationId],
  );
}

/** Part of a transaction: compares the alerts of a locked subscription with its present values. */
export async function compareUsage(session: Session, subscription: Subscription) {
  const { id: subscriptionId, customerId, watched } = subscription;
  if (!watched) return;
  const { em, now } = session;
  await em.flush();
  const balances = await em.find(UsageMeterBalance, { subscription: subscriptionId });
  if (balances.length === 0) return;
  const periodIds = new Set([(await runningPeriod(session, subscription)).id]);
  const wanted = balances.map(({ usageMeterId }) => {
    return { subscriptionId, usageMeterId, customerId, periodIds, now, watched };
  });
  const ledgers = [...(await lockLedgers(session, wanted)).values()];
  const expired = ledgers.flatMap((ledger) =>
    expireCredits(ledger).map((credit) => {
      return { verb: 'expired' as const, credit, usageMeterId: ledger.usageMeterId };
    }),
  );
  await writeLedgers(session, ledgers);
  await emitCredits(session, subscription, expired);
}
