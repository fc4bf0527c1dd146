import type { Session } from '#domain/kernel/session.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Payment } from '#domain/model/money/payment.ts';
import type { Remittance } from '#domain/model/money/remittance.ts';

/** The part of a receipt that an invoice gets, in minor units. */
export interface Share {
  readonly invoice: Invoice;
  /** The part that pays the invoice. */
  readonly amount: number;
  /** The part beyond it, which goes to the customer's credit balance. */
  readonly credited: number;
}

/** Writes the payment of one invoice by a receipt: it has succeeded, and no processor knows it. */
export function openExternalPayment(
  { em }: Session,
  remittance: Remittance,
  { invoice, amount, credited }: Share,
): Payment {
  const { currency, taxAmount, subtotal, invoiceNumber } = invoice;
  const { method, receivedAt } = remittance;
  return em.create(Payment, {
    invoice,
    remittance,
    amount: amount + credited,
    creditedAmount: credited,
    currency,
    taxAmount,
    subtotal,
    taxType: invoice.taxType ?? null,
    taxCountry: invoice.taxCountry ?? null,
    taxState: invoice.taxState ?? null,
    taxRatePercentage: invoice.taxRatePercentage ?? null,
    paymentMethod: method,
    status: 'succeeded',
    processor: 'external',
    chargeDate: receivedAt as Date,
    settlementDate: receivedAt ?? null,
    receiptNumber: invoiceNumber,
    description: `Invoice ${invoiceNumber}`,
    customerId: invoice.customerId,
    subscriptionId: invoice.subscriptionId,
    billingPeriodId: invoice.billingPeriodId,
    purchaseId: invoice.purchaseId ?? null,
    idempotencyKey: crypto.randomUUID(),
  });
}
