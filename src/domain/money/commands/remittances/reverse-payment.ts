import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { textInput } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Payment } from '#domain/model/money/payment.ts';
import { Remittance } from '#domain/model/money/remittance.ts';
import { pendingCharges } from '#domain/money/collection/cancel-charge.ts';
import { coverCredited } from '#domain/money/outcomes/cover-credited.ts';
import { reopenInvoice } from '#domain/money/outcomes/reopen-invoice.ts';
import { retractCredit } from '#domain/money/outcomes/retract-credit.ts';
import { lockInvoices } from '#domain/platform/locks/lock-invoices.ts';
import { refuseWhileAdjusting } from '#domain/subscriptions/adjusting/require-adjustable.ts';

export const reversePaymentInput = z.object({
  id: z.string(),
  reason: textInput.trim().min(1),
});

/**
 * Reverses a receipt, such as a bounced check: all its payments are canceled, and their invoices are open again. An
 * over-payment is taken off the credit balance; the used part is owed again for the invoices that it has paid. Credit
 * that a credit note gave for such an invoice pays it instead. A reversed one is returned as it is. Errors: NOT_FOUND;
 * BAD_REQUEST for a charge, a receipt of which something was refunded, and while an invoice is being charged or its
 * subscription adjusted.
 */
export function reversePayment(
  session: Session,
  { id, reason }: z.output<typeof reversePaymentInput>,
): Promise<Remittance> {
  return command(session, async (session) => {
    const { em } = session;
    const { id: remittanceId, customerId } = await remittanceOf(session, id);
    const ofRemittance = await em.find(Payment, { remittance: remittanceId });
    const of = { id: ofRemittance.map(({ invoiceId }) => invoiceId) };
    const { session: atLock, customer, ...locked } = await lockInvoices(session, customerId, of);
    const remittance = await em.findOneOrFail(Remittance, remittanceId, { refresh: true });
    if (remittance.status === 'reversed') return remittance;
    if (remittance.status !== 'received') {
      throw invalid('INVALID_STATE', 'id', `${remittanceId} is ${remittance.status}, not received`);
    }
    const payments = await em.find(Payment, { remittance: remittanceId }, { refresh: true });
    await refuseInUse(atLock, locked, payments);
    remittance.status = 'reversed';
    remittance.reversedAt = atLock.now;
    remittance.reason = reason;
    let credited = 0;
    for (const payment of payments) {
      credited += payment.creditedAmount;
      payment.creditedAmount = 0;
      payment.status = 'canceled';
      payment.reversedAmount = payment.amount;
      payment.reversedAt = atLock.now;
    }
    await em.flush();
    const owedAgain = new Set(await retractCredit(atLock, customer, credited));
    for (const invoice of locked.invoices) {
      for (const other of await coverCredited(atLock, customer, invoice)) owedAgain.add(other);
    }
    for (const invoice of new Set([...locked.invoices, ...owedAgain])) {
      await reopenInvoice(atLock, invoice, locked.subscriptionOf(invoice));
    }
    return remittance;
  });
}

async function remittanceOf({ em }: Session, id: string): Promise<Remittance> {
  const remittance = await em.findOne(Remittance, id);
  if (remittance) return remittance;
  const payment = await em.findOneOrFail(Payment, id);
  if (payment.remittance) return payment.remittance.loadOrFail();
  throw invalid('INVALID_STATE', 'id', `${id} was charged by a processor: refund it instead`);
}

type Locked = Pick<Awaited<ReturnType<typeof lockInvoices>>, 'invoices' | 'subscriptionOf'>;

/** Refuses to reverse what other money depends on at the moment. Errors: BAD_REQUEST. */
async function refuseInUse(session: Session, locked: Locked, payments: readonly Payment[]) {
  const refunded = payments.find(({ refundedAmount }) => refundedAmount > 0);
  if (refunded) {
    const message = `${refunded.id} has been refunded in part, so it cannot be reversed`;
    throw invalid('INVALID_STATE', 'id', message);
  }
  const [charge] = await pendingCharges(session, locked.invoices);
  if (charge) {
    const message = `${charge.invoiceId} is being charged by ${charge.id}: wait until that has ended`;
    throw invalid('IN_PROGRESS', 'id', message);
  }
  const subscriptions = locked.invoices.map((invoice: Invoice) => locked.subscriptionOf(invoice));
  for (const subscription of new Set(subscriptions)) {
    if (subscription) await refuseWhileAdjusting(session, subscription);
  }
}
