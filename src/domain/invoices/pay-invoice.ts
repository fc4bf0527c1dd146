import { z } from 'zod';
import { invalid } from '../errors.ts';
import { firstStep } from '../idempotency/first-step.ts';
import { payerOf } from '../payment-methods/payer-of.ts';
import { PaymentMethod } from '../payment-methods/payment-method.ts';
import { openPayment } from '../payments/begin-payment.ts';
import { afresh, chargePayment } from '../payments/charge-payment.ts';
import { markPaid } from '../payments/mark-paid.ts';
import type { Session } from '../session.ts';
import { refuseWhileReplaced } from '../subscriptions/refuse-unadjustable.ts';
import { Invoice } from './invoice.ts';
import { lockInvoice } from './lock-invoice.ts';
import { paidOf } from './paid-of.ts';

export const payInvoiceInput = z.object({ id: z.string(), paymentMethodId: z.string().nullish() });

/**
 * Charges what is still to be paid for an open invoice now, with a payment method of the customer or its
 * default one. How that went is in the invoice and its payments. Errors: NOT_FOUND; BAD_REQUEST for an invoice
 * that is not open, and without a payment method.
 */
export async function payInvoice(
  session: Session,
  { id, paymentMethodId }: z.output<typeof payInvoiceInput>,
): Promise<Invoice> {
  const { done: paymentId, resumed } = await firstStep(afresh(session), async (session) => {
    const { invoice, subscription, customer, session: then } = await lockInvoice(session, id);
    if (invoice.status !== 'open') throw invalid('id', `${id} is ${invoice.status}, not open`);
    if ((await paidOf(then, invoice)) >= invoice.total) {
      await markPaid(then, { invoice, run: null, subscription });
      return null;
    }
    await refuseWhileReplaced(then, invoice);
    const usual = { customer: customer.id, default: true, detachedAt: null };
    const method =
      (await payerOf(then, customer, 'paymentMethodId', paymentMethodId)) ??
      (await then.em.findOne(PaymentMethod, usual));
    if (!method)
      throw invalid('paymentMethodId', `is required: ${customer.externalId} has no default`);
    return (await openPayment(then, invoice, method, null, subscription)).id;
  });
  if (paymentId) await chargePayment(session, { paymentId, resumed });
  return afresh(session).em.findOneOrFail(Invoice, id);
}
