import { writeOffInvoice } from '#domain/invoicing/crediting/write-off-invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Purchase } from '#domain/model/money/purchase.ts';
import { TopUp } from '#domain/model/money/top-up.ts';
import { lockSubscriptionsOf } from '#domain/platform/locks/lock-subscription.ts';

const topUpOf = ({ em }: Session, purchaseId: string): Promise<TopUp | null> =>
  em.findOne(TopUp, { pendingPurchaseId: purchaseId }, { refresh: true });

/**
 * Follows the payment of a purchase: the top-up that has bought it may buy again. Returns the subscription that gets
 * its credits; undefined for any other purchase. The subscriptions of the customer are locked.
 */
export async function completeTopUp(
  session: Session,
  purchaseId: string,
): Promise<string | undefined> {
  const topUp = await topUpOf(session, purchaseId);
  if (!topUp) return undefined;
  topUp.pendingPurchaseId = null;
  await session.em.flush();
  return topUp.subscriptionId;
}

/**
 * Follows a payment that has failed: the top-up that has bought the purchase stops, and its invoice becomes void. Any
 * other purchase stays as it is. The customer is locked.
 */
export async function failTopUp(session: Session, invoice: Invoice, problem: string) {
  const { purchaseId, customerId } = invoice;
  if (!purchaseId || !(await topUpOf(session, purchaseId))) return;
  await lockSubscriptionsOf(session, customerId);
  const topUp = await topUpOf(session, purchaseId);
  if (!topUp) return;
  await writeOffInvoice(session, invoice, 'void');
  const purchase = await session.em.findOneOrFail(Purchase, purchaseId);
  purchase.status = 'failed';
  topUp.stop(problem);
  await session.em.flush();
}
