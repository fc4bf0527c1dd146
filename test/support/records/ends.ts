import type { Session } from '#domain/kernel/session.ts';
import { CreditNote } from '#domain/model/invoicing/credit-note.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { cancelSubscription } from '#domain/subscriptions/commands/subscriptions/cancel-subscription.ts';
import type { Cancellation } from '#domain/subscriptions/commands/subscriptions/cancellation-input.ts';
import { previewCancellation } from '#domain/subscriptions/commands/subscriptions/preview-cancellation.ts';
import { uncancelSubscription } from '#domain/subscriptions/commands/subscriptions/uncancel-subscription.ts';
import { anAdjustable } from '../adjustments.ts';

/** A paying customer with one subscription, as `anAdjustable`, and the commands that end it. */
export async function anEndable(
  session: Session,
  options: Parameters<typeof anAdjustable>[1] = {},
) {
  const it = await anAdjustable(session, options);
  const { id, customer } = it;
  return {
    ...it,
    cancel: (cancellation: Cancellation) => cancelSubscription(it.fresh(), { id, cancellation }),
    previewCancel: (cancellation: Cancellation) =>
      previewCancellation(it.fresh(), { id, cancellation }),
    uncancel: () => uncancelSubscription(it.fresh(), { id }),
    balance: async () => (await it.fresh().em.findOneOrFail(Customer, customer.id)).creditBalance,
    notes: () =>
      it.fresh().em.find(CreditNote, { customer: customer.id }, { orderBy: { position: 'asc' } }),
    refunded: async () =>
      (await it.payments()).reduce((sum, { refundedAmount }) => sum + refundedAmount, 0),
  };
}
