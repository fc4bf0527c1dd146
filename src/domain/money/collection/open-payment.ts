import { amountDue } from '#domain/invoicing/crediting/amount-paid.ts';
import { checkoutActor } from '#domain/kernel/checkout-actor.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { BillingRun } from '#domain/model/money/billing-run.ts';
import { Payment } from '#domain/model/money/payment.ts';
import type { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { patienceMilliseconds } from '#domain/money/methods/payment-patience.ts';

/** The purpose of a payment: the run and the subscription of its invoice. */
interface Purpose {
  readonly run?: BillingRun | null;
  readonly subscription: Subscription | null;
  /** The amount due of the invoice, where the caller knows it. */
  readonly due?: number;
}

/** Writes a payment of the amount due of an invoice; its key is its own id. */
export async function openPayment(
  session: Session,
  invoice: Invoice,
  method: PaymentMethod,
  { run = null, subscription, due }: Purpose,
): Promise<Payment> {
  const { em, now } = session;
  const amount = due ?? (await amountDue(session, invoice));
  const { currency, taxAmount, subtotal, taxType, taxCountry, taxState, taxRatePercentage } =
    invoice;
  const key = crypto.randomUUID();
  const payment = em.create(Payment, {
    invoice,
    amount,
    currency,
    taxAmount,
    subtotal,
    taxType: taxType ?? null,
    taxCountry: taxCountry ?? null,
    taxState: taxState ?? null,
    taxRatePercentage: taxRatePercentage ?? null,
    paymentMethod: method.type,
    method,
    status: 'processing',
    processor: method.processor,
    processorAccountId: method.processorAccountId ?? null,
    // A customer with a token of its own, or at a checkout, is present and can confirm.
    offSession: session.keyType !== 'customer_token' && session.actor.id !== checkoutActor.id,
    chargeDate: now,
    description: `Invoice ${invoice.invoiceNumber}`,
    customerId: invoice.customerId,
    subscriptionId: subscription?.id ?? null,
    billingPeriodId: invoice.billingPeriodId,
    purchaseId: invoice.purchaseId ?? null,
    idempotencyKey: key,
    billingRunId: run?.id ?? null,
    testClockId: subscription?.testClockId ?? (await clockOf(invoice)),
    // Until then the process that begins the payment is expected to finish it.
    checkDueAt: new Date(now.getTime() + patienceMilliseconds),
  });
  invoice.status = 'awaiting_payment_confirmation';
  if (run) run.status = 'awaiting_payment_confirmation';
  return payment;
}

const clockOf = async (invoice: Invoice) => (await invoice.customer.loadOrFail()).testClockId;
