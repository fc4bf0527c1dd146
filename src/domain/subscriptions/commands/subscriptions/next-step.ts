import { batched } from '#domain/kernel/reads/batched.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Payment, pendingPaymentStatuses } from '#domain/model/money/payment.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';

export const nextSteps = [
  'add_payment_method',
  'replace_payment_method',
  'confirm_payment',
  'await_payment',
  'pay_invoice',
] as const;
export type NextStep = (typeof nextSteps)[number];

/** The missing step without which a subscription does not begin, or does not stay; null when none is missing. */
export async function nextStepOf(
  session: Session,
  subscription: Subscription,
): Promise<NextStep | null> {
  const { id, status, isCharged, isTerminal } = subscription;
  if (isTerminal || !isCharged) return null;
  if (!['incomplete', 'past_due', 'unpaid', 'trialing'].includes(status)) return null;
  const pending = await batched(session, nextStepOf, id, pendingPayments);
  if (pending) return pending.status === 'requires_action' ? 'confirm_payment' : 'await_payment';
  if (subscription.sendsInvoices) return status === 'trialing' ? null : 'pay_invoice';
  const payable = await batched(session, 'payable', payingKey(subscription), payableKeys);
  if (!payable) return 'add_payment_method';
  if (status === 'trialing') return null;
  return status === 'incomplete' ? 'await_payment' : 'replace_payment_method';
}

/** The ids that determine the payment method: that of the subscription, otherwise the customer's default. */
const payingKey = ({ defaultPaymentMethodId, backupPaymentMethodId, customerId }: Subscription) =>
  defaultPaymentMethodId ?? backupPaymentMethodId ?? customerId;

/** The keys with a payment method that is not detached. */
async function payableKeys({ em }: Session, keys: readonly string[]) {
  const methods = await em.find(PaymentMethod, {
    $or: [{ id: { $in: [...keys] } }, { customer: { $in: [...keys] }, default: true }],
    detachedAt: null,
  });
  return new Map(
    methods.flatMap(({ id, customerId, default: isDefault }) => [
      [id, true] as const,
      ...(isDefault ? [[customerId, true] as const] : []),
    ]),
  );
}

/** A pending payment of each of several subscriptions that have one. */
async function pendingPayments({ em }: Session, ids: readonly string[]) {
  const status = { $in: [...pendingPaymentStatuses] };
  const payments = await em.find(Payment, { subscriptionId: { $in: [...ids] }, status });
  return new Map(payments.map((payment) => [payment.subscriptionId ?? '', payment]));
}
