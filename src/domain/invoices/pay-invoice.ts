import { z } from 'zod';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { PaymentMethod } from '#domain/payment-methods/payment-method.ts';
import { refuseWhileReplaced } from '#domain/rules/adjusting/require-adjustable.ts';
import { chargePayment } from '#domain/rules/collection/charge-payment.ts';
import { markPaid } from '#domain/rules/collection/mark-paid.ts';
import { openPayment } from '#domain/rules/collection/open-payment.ts';
import { firstStep } from '#domain/rules/idempotency/first-step.ts';
import { isPaid } from '#domain/rules/invoicing/amount-paid.ts';
import { namedPaymentMethod } from '#domain/rules/invoicing/payment-method-for.ts';
import { afresh } from '#domain/rules/locks/fresh-session.ts';
import { lockInvoice } from '#domain/rules/locks/lock-invoice.ts';
import { Invoice } from './invoice.ts';

export const payInvoiceInput = z.object({ id: z.string(), paymentMethodId: z.string().nullish() });

/**
 * Charges the amount due of an open invoice now, with a payment method of the customer or its default one. The
 * invoice and its payments show the outcome. Errors: NOT_FOUND; BAD_REQUEST for an invoice that is not open, and
 * without a payment method.
 */
export async function payInvoice(
  session: Session,
  { id, paymentMethodId }: z.output<typeof payInvoiceInput>,
): Promise<Invoice> {
  const { done: paymentId, resumed } = await firstStep(afresh(session), async (session) => {
    const { invoice, subscription, customer, session: then } = await lockInvoice(session, id);
    if (invoice.status !== 'open')
      throw invalid('INVALID_STATE', 'id', `${id} is ${invoice.status}, not open`);
    if (await isPaid(then, invoice)) {
      await markPaid(then, { invoice, run: null, subscription });
      return null;
    }
    await refuseWhileReplaced(then, invoice);
    const usual = { customer: customer.id, default: true, detachedAt: null };
    const method =
      (await namedPaymentMethod(then, customer, 'paymentMethodId', paymentMethodId)) ??
      (await then.em.findOne(PaymentMethod, usual));
    if (!method)
      throw invalid(
        'PAYMENT_METHOD_REQUIRED',
        'paymentMethodId',
        `is required: ${customer.externalId} has no default`,
      );
    return (await openPayment(then, invoice, method, { subscription })).id;
  });
  if (paymentId) await chargePayment(session, { paymentId, resumed });
  return afresh(session).em.findOneOrFail(Invoice, id);
}
