import { ref } from '@mikro-orm/core';
import { paymentMethodFor } from '#domain/invoicing/billing/payment-method-for.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Payment } from '#domain/model/money/payment.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import type { MethodDetails } from '#domain/money/processing/port/processor-objects.ts';
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
  if (!usual || usual.refusalKind) subscription.defaultPaymentMethod = ref(method);
}
