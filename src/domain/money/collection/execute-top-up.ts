import { LockMode } from '@mikro-orm/core';
import { paymentMethodFor } from '#domain/invoicing/billing/payment-method-for.ts';
import { isPaid } from '#domain/invoicing/crediting/amount-paid.ts';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { compareUsage } from '#domain/metering/credits/watch-usage.ts';
import { nextMonth, TopUp } from '#domain/model/money/top-up.ts';
import { buyOnce } from '#domain/money/outcomes/buy-once.ts';
import { failTopUp } from '#domain/money/outcomes/follow-top-up.ts';
import { markPaid } from '#domain/money/outcomes/mark-paid.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import { lockSubscription } from '#domain/platform/locks/lock-subscription.ts';
import { chargePayment } from './charge-payment.ts';
import { openPayment } from './open-payment.ts';

/**
 * Buys a package for a due top-up, in steps that are committed one by one: purchase, invoice and payment, then the
 * charge. The top-up waits for the outcome before it buys another package.
 */
export async function executeTopUp(session: Session, id: string): Promise<void> {
  const paymentId = await command(afresh(session), (session) => begin(session, id));
  if (paymentId) await chargePayment(session, { paymentId, resumed: false });
}

async function begin(session: Session, id: string): Promise<string | null> {
  const { subscriptionId } = await session.em.findOneOrFail(TopUp, id);
  const locked = await lockSubscription(session, subscriptionId);
  const { session: atLock, subscription, customer } = locked;
  const { em, now } = atLock;
  if (!subscription.isTerminal) await compareUsage(atLock, subscription);
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
  const topUp = await em.findOneOrFail(TopUp, id, lock);
  if (subscription.isTerminal) {
    topUp.active = false;
    topUp.dueAt = null;
  }
  if (!topUp.active || !topUp.dueAt || topUp.dueAt > now) return null;
  const price = await topUp.price.loadOrFail();
  const product = await price.product?.loadOrFail();
  if (!product?.active || !price.active) {
    topUp.stop('The product is not for sale any more');
    return null;
  }
  topUp.dueAt = nextMonth(now);
  if (!topUp.count(now)) return null;
  topUp.dueAt = null;
  const { quantity } = topUp;
  const { purchase, invoice } = await buyOnce(atLock, customer, { price, product, quantity });
  topUp.pendingPurchaseId = purchase.id;
  await em.flush();
  if (await isPaid(atLock, invoice)) {
    await markPaid(atLock, { invoice, run: null, subscription: null });
    return null;
  }
  const method = await paymentMethodFor(atLock, subscription);
  if (method) return (await openPayment(atLock, invoice, method, { subscription: null })).id;
  await failTopUp(atLock, invoice, 'There is no payment method to charge');
  return null;
}
