import { z } from 'zod';
import { namedPaymentMethod } from '#domain/invoicing/billing/payment-method-for.ts';
import { isPaid } from '#domain/invoicing/crediting/amount-paid.ts';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import type { BegunPayment } from '#domain/money/collection/begin-payment.ts';
import { chargePayment } from '#domain/money/collection/charge-payment.ts';
import { openPayment } from '#domain/money/collection/open-payment.ts';
import { markPaid } from '#domain/money/outcomes/mark-paid.ts';
import { firstStep } from '#domain/platform/idempotency/first-step.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import { lockInvoice } from '#domain/platform/locks/lock-invoice.ts';
import { refuseWhileReplaced } from '#domain/subscriptions/adjusting/require-adjustable.ts';

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
  let opened: BegunPayment['opened'];
  const { done: paymentId, resumed } = await firstStep(afresh(session), async (session) => {
    const { invoice, subscription, customer, session: atLock } = await lockInvoice(session, id);
    if (invoice.status !== 'open')
      throw invalid('INVALID_STATE', 'id', `${id} is ${invoice.status}, not open`);
    if (await isPaid(atLock, invoice)) {
      await markPaid(atLock, { invoice, run: null, subscription });
      return null;
    }
    await refuseWhileReplaced(atLock, invoice);
    const usual = { customer: customer.id, default: true, detachedAt: null };
    const method =
      (await namedPaymentMethod(atLock, customer, 'paymentMethodId', paymentMethodId)) ??
      (await atLock.em.findOne(PaymentMethod, usual));
    if (!method)
      throw invalid(
        'PAYMENT_METHOD_REQUIRED',
        'paymentMethodId',
        `is required: ${customer.externalId} has no default`,
      );
    const payment = await openPayment(atLock, invoice, method, { subscription });
    opened = { payment, method };
    return payment.id;
  });
  if (paymentId)
    await chargePayment(session, { paymentId, resumed, ...(!resumed && opened && { opened }) });
  return afresh(session).em.findOneOrFail(Invoice, id);
}
