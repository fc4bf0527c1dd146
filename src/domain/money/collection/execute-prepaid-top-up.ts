import { methodToCharge } from '#domain/invoicing/billing/payment-method-for.ts';
import { isPaid } from '#domain/invoicing/crediting/amount-paid.ts';
import { usableCredits } from '#domain/invoicing/crediting/prepaid-credits.ts';
import { toppedUpInMonth } from '#domain/invoicing/crediting/topped-up-in-month.ts';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { PrepaidTopUp } from '#domain/model/money/prepaid-top-up.ts';
import { nextMonth } from '#domain/model/money/top-up.ts';
import { failPrepaidPurchase } from '#domain/money/outcomes/fail-prepaid-purchase.ts';
import { markPaid } from '#domain/money/outcomes/mark-paid.ts';
import { openPrepaidPurchase } from '#domain/money/outcomes/open-prepaid-purchase.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import { lockCustomer } from '#domain/platform/locks/lock-customer.ts';
import { chargePayment } from './charge-payment.ts';
import { openPayment } from './open-payment.ts';

const isDisputed = (customer: string) =>
  `exists (select from prepaid_credit bought join payment paid on paid.invoice_id = bought.invoice_id
    where bought.customer_id = ${customer} and bought.source = 'top_up' and paid.disputed)`;

/**
 * The condition on top-ups that may buy, and whose customers `c` have little left. None buys while a payment of the
 * customer for an earlier purchase is disputed.
 */
export const isLow = (row: string) =>
  `${row}.active and ${row}.pending_credit_id is null and c.prepaid_balance <= ${row}.threshold
   and not ${isDisputed('c.id')}`;

/**
 * Buys credit for a top-up whose customer has little left, in steps that are committed one by one: credit, invoice and
 * payment, then the charge. The top-up waits for the outcome before it buys again.
 */
export async function executePrepaidTopUp(session: Session, id: string): Promise<void> {
  const paymentId = await command(afresh(session), (session) => begin(session, id));
  if (paymentId) await chargePayment(session, { paymentId, resumed: false });
}

async function begin(session: Session, id: string): Promise<string | null> {
  const { customerId } = await session.em.findOneOrFail(PrepaidTopUp, id);
  const locked = await lockCustomer(session, { id: customerId });
  if (!locked) return null;
  const { customer, session: atLock } = locked;
  const { em, now } = atLock;
  await usableCredits(atLock, customer);
  const topUp = await em.findOneOrFail(PrepaidTopUp, id, { refresh: true });
  if (customer.archived) topUp.active = false;
  const { active, pendingCreditId, waitsUntil, threshold } = topUp;
  if (!active || pendingCreditId || customer.prepaidBalance > threshold) return null;
  if (waitsUntil && waitsUntil > now) return null;
  const sql = `select ${isDisputed('?')} as disputed`;
  const [row] = await em.execute<{ disputed: boolean }[]>(sql, [customerId]);
  if (row?.disputed) return null;
  topUp.waitsUntil = null;
  if (!topUp.count(now, await toppedUpInMonth(atLock, customerId))) {
    topUp.waitsUntil = nextMonth(now);
    return null;
  }
  const { credit, invoice } = await openPrepaidPurchase(atLock, customer, {
    ...{ source: 'top_up', currency: topUp.currency, amount: topUp.amount, priority: 50 },
    ...{ validDays: topUp.validDays ?? null, rollovers: null, rolloverLimit: null, reason: null },
  });
  topUp.pendingCreditId = credit.id;
  await em.flush();
  if (await isPaid(atLock, invoice)) {
    await markPaid(atLock, { invoice, run: null, subscription: null });
    return null;
  }
  if (invoice.isSent) return null;
  const method = await methodToCharge(atLock, customer, '', null);
  if (method) return (await openPayment(atLock, invoice, method, { subscription: null })).id;
  await failPrepaidPurchase(atLock, invoice, null, 'There is no payment method to charge');
  return null;
}
