import type { Session } from '#domain/kernel/session.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { PrepaidCredit } from '#domain/model/money/prepaid-credit.ts';
import { PrepaidTopUp } from '#domain/model/money/prepaid-top-up.ts';
import { uncredited } from './credit-invoices.ts';
import { expireCredit } from './prepaid-credits.ts';

/**
 * Follows the money of an invoice that buys prepaid credit, in any order and however often: the credit is granted once
 * the invoice is paid, and loses what was returned of it. While the invoice is owed again, the credit pays nothing, and
 * its days begin again once it is paid. The customer is locked.
 */
export async function followBoughtCredit(session: Session, invoice: Invoice) {
  const { em, now } = session;
  if (!invoice.prepaidCreditId) return;
  await em.flush();
  const credit = await em.findOneOrFail(PrepaidCredit, invoice.prepaidCreditId, { refresh: true });
  const customer = await invoice.customer.loadOrFail();
  const isWrittenOff = invoice.status === 'uncollectible';
  const isOver = invoice.status === 'void' || isWrittenOff;
  if (!credit.grantedAt) {
    if (isOver || invoice.hasReceipt) await releaseTopUp(session, credit, isOver);
    // A part that was paid before the write-off is granted.
    const isPaidInPart = isWrittenOff && (await uncredited(session, invoice)) > 0;
    if (isOver && !isPaidInPart) credit.voidedAt ??= now;
    if (!invoice.hasReceipt && !isPaidInPart) return;
    credit.grant(now);
    customer.prepaidBalance += credit.remaining;
  }
  expireCredit(session, customer, credit);
  const isPaid = invoice.hasReceipt || isWrittenOff;
  const stays = isPaid ? await uncredited(session, invoice) : 0;
  const change = credit.amount - stays - credit.revoked - credit.lacking;
  if (change > 0) {
    if (credit.source === 'top_up') await stopTopUp(session, credit);
    customer.prepaidBalance -= credit.revoke(change);
  }
  if (change < 0) customer.prepaidBalance += credit.reinstate(-change, now);
  expireCredit(session, customer, credit);
  await em.flush();
}

/** Lets the top-up that has ordered a credit buy again, or stops it where the invoice was given up. */
async function releaseTopUp({ em }: Session, { id }: PrepaidCredit, isOver: boolean) {
  const topUp = await em.findOne(PrepaidTopUp, { pendingCreditId: id }, { refresh: true });
  if (!topUp) return;
  topUp.pendingCreditId = null;
  if (isOver) topUp.stop('Its invoice is not to be paid any more');
}

/**
 * Stops the top-up of a customer whose money for such credit was returned: the low balance would buy it again at once. A
 * purchase that is not decided stays.
 */
async function stopTopUp({ em }: Session, { customerId }: PrepaidCredit) {
  await em.flush();
  const active = { customer: customerId, active: true };
  const topUp = await em.findOne(PrepaidTopUp, active, { refresh: true });
  topUp?.stop(
    'Credit that it has bought was revoked: its payment was refunded, disputed or reversed',
  );
}
