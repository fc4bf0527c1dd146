import type { Session } from '#domain/kernel/session.ts';
import { coverOpen, expireCredits } from '#domain/metering/ledger/change-usage.ts';
import {
  type Credit,
  comingPeriod,
  type Ledger,
  noPeriod,
  type Period,
} from '#domain/metering/ledger/ledger.ts';
import { ledgerKeyOf, lockLedgers } from '#domain/metering/ledger/lock-ledgers.ts';
import { recordOwedOfClosed } from '#domain/metering/ledger/record-owed-of-closed.ts';
import { extendCredits, rollCredits } from '#domain/metering/ledger/roll-over-credits.ts';
import { UsageMeterBalance } from '#domain/model/metering/usage-meter-balance.ts';
import type { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { emitCredits, grantCredits } from './grant-credits.ts';
import { periodCredits } from './period-credits.ts';
import { writeLedgers } from './write-ledgers.ts';

interface Turn {
  /** The period that ends; null where none does. */
  readonly ended: BillingPeriod | null;
  /** The period that begins, or has begun; null where a subscription has none, or ends. */
  readonly begun: BillingPeriod | null;
  /** Whether credits are granted, and whether for the first time or with a change of items. */
  readonly grants: 'none' | 'first' | 'changed' | 'later';
  /** Whether an adjustment ends the period before its time. */
  readonly isCut?: boolean;
  /** Whether the subscription is new and takes over no usage, so that it has no balances. */
  readonly isNew?: boolean;
}

/**
 * Moves the usage of a locked subscription from one period to the next. Records the usage that the closed period
 * owes, expires credits that have run out, rolls others over, then grants new ones.
 */
export async function rollOverUsage(
  session: Session,
  subscription: Subscription,
  { ended, begun, grants, isCut, isNew = false }: Turn,
) {
  const { em, now } = session;
  const withholds = grants === 'none' || (begun !== null && subscription.withholdsCredits(begun));
  const gifts = withholds ? [] : await periodCredits(session, subscription, begun, grants);
  // Flushed, so that the statements below see the periods.
  await em.flush();
  const balances = isNew ? [] : await em.find(UsageMeterBalance, { subscription: subscription.id });
  const meterIds = new Set([
    ...balances.map(({ usageMeterId }) => usageMeterId),
    ...gifts.map(({ usageMeterId }) => usageMeterId),
  ]);
  if (meterIds.size === 0) return;
  const running = begun ? periodOf(begun, false) : noPeriod;
  const closed = ended && periodOf(ended, true);
  // Of a subscription that has ended no period follows, which would bill the usage that counts for it.
  const coming = closed && subscription.isTerminal ? comingPeriod(closed) : null;
  const periodIds = new Set([
    ...[closed, coming].flatMap((period) => period?.id ?? []),
    running.id,
    // Usage before the first period is owed with the first period that ends.
    noPeriod.id,
  ]);
  const { id: subscriptionId, customerId, watched } = subscription;
  const ledgers = await lockLedgers(
    session,
    [...meterIds].map((usageMeterId) => ({
      subscriptionId,
      usageMeterId,
      customerId,
      periodIds,
      now,
      watched,
    })),
  );
  const ledgerOf = (usageMeterId: string) =>
    ledgers.get(ledgerKeyOf(subscriptionId, usageMeterId)) as Ledger;
  const rolling = [...ledgers.values()].map((ledger) => {
    const credits = closed ? extendCredits(ledger, closed.id, begun && running, isCut) : [];
    return { ledger, credits };
  });
  const expired = [...meterIds].flatMap((usageMeterId) =>
    expireCredits(ledgerOf(usageMeterId)).map((credit) => ({
      verb: 'expired' as const,
      credit,
      usageMeterId,
    })),
  );
  if (closed) {
    // Usage before the first period is owed with the closed period, and the credits of that period cover it.
    const before = { ...noPeriod, end: closed.end, closed: true };
    const all = [...meterIds].flatMap((id) => [
      { ledger: ledgerOf(id), period: closed },
      { ledger: ledgerOf(id), period: before },
      ...(coming
        ? [{ ledger: ledgerOf(id), period: { ...coming, end: now.getTime(), closed: true } }]
        : []),
    ]);
    // Credits whose reservation has ended cover the usage that they could not cover before.
    for (const { ledger, period } of all) coverOpen(ledger, period.id, period);
    await recordOwedOfClosed(session, all);
  }
  const rolled = rolling.flatMap(({ ledger, credits }) => {
    rollCredits(ledger, credits, running);
    return credits.flatMap((credit) => changeOf(credit, ledger.usageMeterId));
  });
  const credits = grantCredits(
    subscription,
    running,
    gifts.map((gift) => [ledgerOf(gift.usageMeterId), gift]),
  );
  const given = [...meterIds].flatMap((usageMeterId) =>
    [...ledgerOf(usageMeterId).newCredits].map((credit) => ({
      verb: 'created' as const,
      credit,
      usageMeterId,
    })),
  );
  const changed = [...ledgers.values()].filter(
    ({ postings, owing, changedCredits }) =>
      postings.length > 0 || owing.length > 0 || changedCredits.size > 0,
  );
  if (changed.length === 0) return;
  await writeLedgers(session, changed, { credits });
  await emitCredits(session, subscription, [...expired, ...rolled, ...given]);
}

/** The event of a credit whose period has ended; none where nothing of it was left. */
function changeOf(credit: Credit, usageMeterId: string) {
  const { rollover, remaining } = credit;
  if (remaining === 0n && !rollover?.cut) return [];
  const verb = remaining > 0n ? ('rolled_over' as const) : ('expired' as const);
  return [{ verb, credit, usageMeterId }];
}

/** A billing period as a period of the ledger. */
export const periodOf = (
  { id, startDate, endDate }: Pick<BillingPeriod, 'id' | 'startDate' | 'endDate'>,
  closed: boolean,
): Period => ({ id, start: startDate.getTime(), end: endDate.getTime(), closed });
