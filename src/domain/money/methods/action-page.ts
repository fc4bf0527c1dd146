import { serviceUrl } from '#domain/kernel/service-url.ts';
import { report, type Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { Payment } from '#domain/model/money/payment.ts';
import type { ChargeOutcome } from '#domain/money/processing/port/charge-types.ts';
import type { PaymentProcessor } from '#domain/money/processing/port/payment-processor.ts';
import { processorOf } from '#domain/money/processing/processor-of.ts';
import { nameOf } from './charge-name.ts';
import { checkoutPageOf } from './checkout-page-of.ts';
import type { HeardOutcome } from './payment-patience.ts';
import { saveCustomerAt } from './save-customer.ts';

const waiting = { status: 'requires_action', failureCode: null, failureMessage: null } as const;

/**
 * Opens the page of the processor where the customer pays a payment that needs it. The key counts the pages of the
 * payment: a repetition after a crash finds the same page, and a page that has expired is replaced.
 */
export async function openActionPage(
  session: Session,
  processor: PaymentProcessor,
  payment: Payment,
): Promise<HeardOutcome> {
  const { em } = session;
  const { invoiceNumber } = await em.findOneOrFail(Invoice, payment.invoiceId);
  const { idempotencyKey, chargedAmount: amount, currency, description } = payment;
  const charge = await nameOf(session, payment);
  const number = payment.actionPages + 1;
  const checkout = await checkoutPageOf(session, payment);
  const page = await processor.openPayment(session, {
    idempotencyKey: `${idempotencyKey}:page:${number}`,
    customerReference: await saveCustomerAt(session, processor, payment.customerId, payment),
    returnUrl: checkout ?? serviceUrl('/payments/returned'),
    cancelUrl: checkout ?? serviceUrl('/payments/canceled'),
    amount,
    currency,
    description: description ?? `Invoice ${invoiceNumber}`,
    metadata: charge.metadata,
    charge,
  });
  const { reference, url, expiresAt } = page;
  return { ...waiting, actionUrl: url, page: { reference, expiresAt, number } };
}

/** Whether another process has opened a page of the same number, which a customer may know, for a locked payment. */
export const isOtherPage = ({ actionReference, actionPages }: Payment, { page }: HeardOutcome) =>
  page !== undefined && page.number <= actionPages && page.reference !== actionReference;

/** Closes the page of an outcome that was not stored, so that only one page takes money. */
export async function closeOtherPage(session: Session, payment: Payment, { page }: HeardOutcome) {
  if (!page || page.reference === payment.actionReference) return;
  const processor = await processorOf(session, payment);
  await processor
    .closePage(session, page.reference)
    .catch((error) => report(session, payment.id, error));
}

/**
 * Reads the page on which a payment waits for its customer. The end of the wait closes the page, and the payment is
 * canceled unless the customer has paid meanwhile.
 */
export async function readActionPage(
  session: Session,
  processor: PaymentProcessor,
  payment: Payment,
  isOver: boolean,
): Promise<HeardOutcome> {
  const reference = payment.actionReference ?? '';
  if (isOver) await processor.closePage(session, reference);
  const { status, outcome, method } = await processor.readPayment(session, reference);
  if (outcome && isDecided(outcome)) return { ...outcome, method };
  // The customer has paid in a way that takes days: the money may still arrive.
  if (outcome?.status === 'processing') return outcome;
  if (isOver) return expired;
  if (status === 'expired') return openActionPage(session, processor, payment);
  return { ...waiting, actionUrl: payment.actionPage() };
}

/** A declined try on the page is not final: the customer may use another payment method. */
const isDecided = ({ status }: ChargeOutcome) => status === 'succeeded';

export const expired: HeardOutcome = {
  status: 'canceled',
  failureCode: 'action_expired',
  failureMessage: 'The customer did not confirm the payment in time',
};
