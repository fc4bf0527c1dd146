import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { executeDueRunsOf } from '#domain/rules/collection/execute-billing-run.ts';
import { payWith } from '#domain/rules/collection/pay-with.ts';
import { firstStep } from '#domain/rules/idempotency/first-step.ts';
import { afresh } from '#domain/rules/locks/fresh-session.ts';
import { lockCustomer } from '#domain/rules/locks/lock-customer.ts';
import { PaymentMethod } from './payment-method.ts';

export const setDefaultPaymentMethodInput = z.object({ id: z.string() });

/** Makes a payment method the default of its customer. Errors: NOT_FOUND; BAD_REQUEST when it is detached. */
export async function setDefaultPaymentMethod(
  session: Session,
  { id }: z.output<typeof setDefaultPaymentMethodInput>,
): Promise<PaymentMethod> {
  const { done: customerId } = await firstStep(session, async (session) => {
    const { method, ...locked } = await lockPaymentMethod(session, id);
    if (method.detachedAt)
      throw invalid('ARCHIVED', 'id', `${id} is detached and cannot be used any longer`);
    await makeDefault(locked.session, method);
    return method.customerId;
  });
  await executeDueRunsOf(session, customerId);
  return afresh(session).em.findOneOrFail(PaymentMethod, id);
}

/**
 * Makes a payment method of a locked customer its default, in place of the one before. The customer's subscriptions
 * are charged to it from now on, and owed amounts become due now.
 */
export async function makeDefault(session: Session, method: PaymentMethod) {
  const { em } = session;
  const former = { customer: method.customerId, default: true, id: { $ne: method.id } };
  for (const other of await em.find(PaymentMethod, former)) other.default = false;
  // A customer has at most one default after every statement.
  await em.flush();
  method.default = true;
  await em.flush();
  await payWith(session, method);
}

/** Locks a payment method with its customer. Errors: NOT_FOUND. */
export async function lockPaymentMethod(session: Session, id: string) {
  const { em } = session;
  const { customerId } = await em.findOneOrFail(PaymentMethod, id);
  const locked = await lockCustomer(session, { id: customerId });
  const method = await em.findOneOrFail(PaymentMethod, id, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
    refresh: true,
  });
  return { session: locked?.session ?? session, method };
}
