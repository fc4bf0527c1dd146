import type { FilterQuery } from '@mikro-orm/core';
import type { Session } from '#domain/kernel/session.ts';
import { grantTo } from '#domain/metering/credits/grant-to.ts';
import { rollOverUsage } from '#domain/metering/credits/roll-over-usage.ts';
import { UsageCredit } from '#domain/model/metering/usage-credit.ts';
import type { Purchase } from '#domain/model/money/purchase.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';

/**
 * Ends the unused usage credits of a purchase now. Used credits stay as used. Returns the ended ones. The customer is
 * locked.
 */
export const endCredits = (session: Session, { id: purchaseId }: Purchase) =>
  endWhere(session, { purchaseId, expiresAt: null });

/** Moves unused usage credits of a purchase from ended subscriptions to a current one. */
export async function carryCredits(
  session: Session,
  subscription: Subscription,
  { id: purchaseId }: Purchase,
) {
  const own = await session.em.find(Subscription, { customer: subscription.customerId });
  const ended = own.filter(({ isTerminal }) => isTerminal).map(({ id }) => id);
  const moved = await endWhere(session, {
    purchaseId,
    expiresAt: null,
    subscriptionId: { $in: ended },
    remaining: { $gt: '0' },
  });
  for (const credit of moved) await regrant(session, subscription, credit);
}

/** Grants a subscription again what the revocation of a purchase has ended. */
export async function restoreCredits(
  session: Session,
  subscription: Subscription,
  { id: purchaseId, revokedAt }: Purchase,
) {
  const ended = { purchaseId, expiresAt: revokedAt ?? null, expired: { $gt: '0' } };
  const credits = await session.em.find(UsageCredit, ended, { refresh: true });
  for (const credit of credits) await regrant(session, subscription, credit);
}

/** Ends credits now, and expires what is left of them. */
async function endWhere(session: Session, where: FilterQuery<UsageCredit>) {
  const { em, now } = session;
  // Ledgers are written without the ORM, so its copies of credits may be out of date.
  const credits = await em.find(UsageCredit, where, { refresh: true });
  for (const credit of credits) credit.expiresAt = now;
  await em.flush();
  for (const id of new Set(credits.map(({ subscriptionId }) => subscriptionId))) {
    const subscription = await em.findOneOrFail(Subscription, id);
    await rollOverUsage(session, subscription, { ended: null, begun: null, grants: 'none' });
  }
  const ids = credits.map(({ id }) => id);
  return em.find(UsageCredit, { id: { $in: ids } }, { refresh: true });
}

async function regrant(session: Session, subscription: Subscription, credit: UsageCredit) {
  const { usageMeterId, expired: amount, priority, purchaseId = null, reason } = credit;
  if (Number(amount) === 0) return;
  await grantTo(session, subscription, {
    usageMeterId,
    amount,
    expiresAt: null,
    priority,
    source: 'manual',
    sourceId: null,
    purchaseId,
    billingPeriodId: '',
    reason: reason ?? null,
  });
}
