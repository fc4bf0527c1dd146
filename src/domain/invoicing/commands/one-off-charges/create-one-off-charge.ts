import { z } from 'zod';
import { invalid } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import { OneOffCharge } from '#domain/model/invoicing/one-off-charge.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { lockCaughtUp } from '#domain/recording/present/lock-present.ts';
import { oneOffChargeFields, priceOf, requireBillable } from './one-off-charge-input.ts';

export const createOneOffChargeInput = z.object({
  oneOffCharge: z.object({
    subscriptionId: z.string(),
    name: oneOffChargeFields.name,
    description: oneOffChargeFields.description.nullish(),
    quantity: oneOffChargeFields.quantity.nullish(),
    unitPrice: oneOffChargeFields.unitPrice,
    priceId: z.string().nullish(),
  }),
});

/**
 * Adds a charge to the next invoice of a subscription: that of its next billing period, or the one after its end.
 * Errors: BAD_REQUEST for a subscription that is unknown, has
 * ended, is incomplete, free, never charged, or without billing periods, and for an unknown price.
 */
export async function createOneOffCharge(
  session: Session,
  { oneOffCharge }: z.output<typeof createOneOffChargeInput>,
): Promise<OneOffCharge> {
  const { subscriptionId, name, description, unitPrice, priceId } = oneOffCharge;
  if ((await session.em.count(Subscription, { id: subscriptionId })) === 0) {
    const why = `Unknown subscription ${subscriptionId}`;
    throw invalid('NOT_FOUND', 'oneOffCharge.subscriptionId', why);
  }
  return lockCaughtUp(session, subscriptionId, async ({ session, subscription }) => {
    const { em } = session;
    requireInvoices(subscription);
    const quantity = oneOffCharge.quantity ?? 1;
    requireBillable({ quantity, unitPrice });
    const price = await priceOf(session, subscription, priceId);
    const charge = em.create(OneOffCharge, {
      subscription,
      customerId: subscription.customerId,
      name,
      description: description ?? null,
      quantity,
      unitPrice,
      price,
      invoice: null,
      billedAt: null,
      billingPeriod: null,
      trialRest: null,
    });
    await em.flush();
    return charge;
  });
}

/** Refuses a subscription without a next invoice. */
function requireInvoices(subscription: Subscription) {
  const { id, status, isTerminal, isFreePlan, doNotCharge, renews } = subscription;
  const refuse = (why: string) =>
    invalid('INVALID_STATE', 'oneOffCharge.subscriptionId', `${id} ${why}`);
  if (isTerminal) throw refuse(`is ${status}: draft an invoice for the customer instead`);
  if (status === 'incomplete') throw refuse('is incomplete: its first payment comes before');
  if (doNotCharge) throw refuse('is never charged');
  if (isFreePlan) throw refuse('is a free plan: draft an invoice for the customer instead');
  if (!renews) throw refuse('has no billing periods: draft an invoice for the customer instead');
}
