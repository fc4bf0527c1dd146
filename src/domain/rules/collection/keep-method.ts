import type { Customer } from '#domain/customers/customer.ts';
import type { Session } from '#domain/kernel/session.ts';
import { PaymentMethod } from '#domain/payment-methods/payment-method.ts';
import type { Payment } from '#domain/payments/payment.ts';
import { paymentMethodFor } from '#domain/rules/invoicing/payment-method-for.ts';
import type { MethodDetails } from '#domain/rules/processing/processor-objects.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';
import { addMethod, tokenHashOf } from './add-method.ts';

interface Paid {
  readonly customer: Customer;
  readonly subscription: Subscription | null;
  readonly payment: Payment;
}

/**
 * Saves the payment method with which a locked customer has paid on a page of the processor. The subscription is charged
 * to it from now on, unless it has another one that is not refused.
 */
export async function keepMethod(
  session: Session,
  { customer, subscription, payment }: Paid,
  details: MethodDetails,
) {
  if (customer.archived) return;
  const { processor, processorAccountId = null } = payment;
  const same = { customer: customer.id, processor, tokenHash: tokenHashOf(details.token) };
  const known = await session.em.findOne(PaymentMethod, { ...same, detachedAt: null });
  const name = { processor, processorAccountId };
  const method =
    known ?? (await addMethod(session, customer, name, { ...details, isDefault: false }));
  if (!subscription || subscription.isTerminal) return;
  const usual = await paymentMethodFor(session, subscription);
  if (!usual || usual.refusalKind) subscription.defaultPaymentMethod = method as never;
}
