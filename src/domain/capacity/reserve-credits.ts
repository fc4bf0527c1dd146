import { DomainError, invalid } from '#domain/kernel/errors.ts';
import { decimalText, unitsOf } from '#domain/kernel/values/decimal.ts';
import { runningPeriod } from '#domain/metering/credits/running-period.ts';
import { writeLedgers } from '#domain/metering/credits/write-ledgers.ts';
import { coverOpen, expireCredits, freeCredits } from '#domain/metering/ledger/change-usage.ts';
import type { Ledger } from '#domain/metering/ledger/ledger.ts';
import { ledgerKeyOf, lockLedgers } from '#domain/metering/ledger/lock-ledgers.ts';
import type { Reservation } from '#domain/model/capacity/reservation.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import type { LockedSubscription } from '#domain/platform/locks/lock-subscription.ts';

/** The credits of a meter that are to be reserved. */
export interface CreditsWanted {
  readonly usageMeterSlug?: string | null | undefined;
  readonly usageAmount?: string | null | undefined;
}

/** The columns of a reservation of credits. */
export type ReservedCredits = Pick<Reservation, 'usageMeterId' | 'usageAmount' | 'balanceId'>;

/**
 * Checks whether a locked subscription has enough free credits to reserve. The ledger does not change. Until the
 * reservation ends, its credits cover no usage, and no other reservation gets them. Errors: BAD_REQUEST for an
 * unknown meter; CONFLICT for more than is free.
 */
export async function reserveCredits(
  locked: LockedSubscription,
  { usageMeterSlug, usageAmount }: CreditsWanted,
): Promise<ReservedCredits> {
  if (usageMeterSlug == null || usageAmount == null) {
    return { usageMeterId: null, usageAmount: null, balanceId: null };
  }
  const meter = await locked.session.em.findOne(UsageMeter, { slug: usageMeterSlug });
  if (!meter) {
    throw invalid('NOT_FOUND', 'usageMeterSlug', `Unknown usage meter ${usageMeterSlug}`);
  }
  const { ledger } = await ledgerOf(locked, meter.id);
  const free = freeCredits(ledger);
  if (free < unitsOf(usageAmount)) {
    throw new DomainError(
      'CONFLICT',
      `${usageAmount} credits of ${usageMeterSlug} requested, ${decimalText(free)} available`,
      { reason: 'CREDITS_EXCEEDED' },
    );
  }
  return { usageMeterId: meter.id, usageAmount, balanceId: ledger.balanceId };
}

/** Lets credits whose reservation has ended cover the uncovered usage since. */
export async function freeReservedCredits(locked: LockedSubscription, usageMeterId: string | null) {
  if (usageMeterId === null) return;
  await locked.session.em.flush();
  const { ledger, running } = await ledgerOf(locked, usageMeterId);
  expireCredits(ledger);
  coverOpen(ledger, ledger.balanceId, running);
  if (ledger.postings.length > 0) await writeLedgers(locked.session, [ledger]);
}

async function ledgerOf({ session, subscription }: LockedSubscription, usageMeterId: string) {
  const { id: subscriptionId, customerId, watched } = subscription;
  const running = await runningPeriod(session, subscription);
  const periodIds = new Set([running.id]);
  const { now } = session;
  const wanted = { subscriptionId, usageMeterId, customerId, periodIds, now, watched };
  const ledgers = await lockLedgers(session, [wanted]);
  return { ledger: ledgers.get(ledgerKeyOf(subscriptionId, usageMeterId)) as Ledger, running };
}
