import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';

/** The payment method that a caller has named, if any. Errors: BAD_REQUEST unless it is the customer's own. */
export async function namedPaymentMethod(
  { em }: Session,
  customer: Customer,
  path: string,
  id: string | null | undefined,
): Promise<PaymentMethod | null> {
  if (id == null) return null;
  const found = await em.findOne(PaymentMethod, { id, customer: customer.id });
  if (!found)
    throw invalid(
      'NOT_FOUND',
      path,
      `Unknown payment method ${id} of customer ${customer.externalId}`,
    );
  if (found.detachedAt)
    throw invalid('ARCHIVED', path, `${id} is detached and cannot be used any longer`);
  return found;
}

/** The condition on the payment methods that are not detached. */
export const attached = { detachedAt: null } as const;

/** The payment method that a caller has named, else the customer's default, if any. Errors: BAD_REQUEST. */
export const methodToCharge = async (
  session: Session,
  customer: Customer,
  path: string,
  id: string | null | undefined,
): Promise<PaymentMethod | null> =>
  (await namedPaymentMethod(session, customer, path, id)) ??
  (await session.em.findOne(PaymentMethod, { customer: customer.id, default: true, ...attached }));

/**
 * The payment method that is charged for a subscription: its default, else its backup, else the customer's default.
 */
export async function paymentMethodFor(
  { em }: Session,
  subscription: Subscription,
): Promise<PaymentMethod | null> {
  const named = subscription.defaultPaymentMethodId ?? subscription.backupPaymentMethodId;
  const method = named ? { id: named } : { customer: subscription.customerId, default: true };
  return em.findOne(PaymentMethod, { ...method, detachedAt: null });
}
