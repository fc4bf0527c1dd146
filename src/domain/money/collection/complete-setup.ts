import { LockMode, ref } from '@mikro-orm/core';
import { command } from '#domain/kernel/command.ts';
import type { Session } from '#domain/kernel/session.ts';
import { CheckoutSession } from '#domain/model/money/checkout-session.ts';
import { PaymentMethodSetup } from '#domain/model/money/payment-method-setup.ts';
import { addMethod } from '#domain/money/methods/add-method.ts';
import type { SetupState } from '#domain/money/processing/port/processor-objects.ts';
import { processorOf } from '#domain/money/processing/processor-of.ts';
import { atCustomersPresent } from '#domain/platform/locks/customers-present.ts';
import { afresh, refuseTransaction } from '#domain/platform/locks/fresh-session.ts';
import { lockCustomer } from '#domain/platform/locks/lock-customer.ts';
import { executeDueRunsOf } from './execute-billing-run.ts';

/**
 * Reads a set-up page and adds the payment method that the customer has entered, once however many callers are at it.
 * The return address proves nothing, so the page itself is read.
 */
export async function completeSetup(session: Session, id: string): Promise<void> {
  refuseTransaction(session);
  const present = afresh(session);
  const setup = await present.em.findOneOrFail(PaymentMethodSetup, id);
  if (setup.status !== 'open' || !setup.processorReference) return;
  const processor = await processorOf(present, setup);
  const atPresent = await atCustomersPresent(present, setup.customerId);
  const state = await processor.readSetup(atPresent, setup.processorReference);
  if (state.status === 'open') return;
  await command(afresh(session), (session) => addFromSetup(session, setup, state));
  await executeDueRunsOf(session, setup.customerId);
}

async function addFromSetup(
  session: Session,
  { id, customerId }: PaymentMethodSetup,
  state: SetupState,
) {
  const locked = await lockCustomer(session, { id: customerId });
  const setup = await session.em.findOneOrFail(PaymentMethodSetup, id, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
    refresh: true,
  });
  if (setup.status !== 'open' || !locked) return;
  const { method } = state;
  if (!method || locked.customer.archived) {
    setup.status = 'expired';
    return;
  }
  const { customer } = locked;
  const order = { setup: id, type: { $ne: 'add_payment_method' as const } };
  const isOrder = (await session.em.count(CheckoutSession, order)) > 0;
  const created = await addMethod(locked.session, customer, setup, {
    ...method,
    isDefault: isOrder ? 'later' : setup.default,
  });
  setup.paymentMethod = ref(created);
  setup.status = 'completed';
}
