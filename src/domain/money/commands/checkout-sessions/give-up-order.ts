import { isDeepStrictEqual } from 'node:util';
import { writeOffInvoice } from '#domain/invoicing/crediting/write-off-invoice.ts';
import type { Session } from '#domain/kernel/session.ts';
import { DiscountRedemption } from '#domain/model/invoicing/discount-redemption.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import type { CheckoutSession } from '#domain/model/money/checkout-session.ts';
import type { Purchase } from '#domain/model/money/purchase.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { releaseRedemption } from '#domain/subscriptions/periods/redeem-discount.ts';
import { checkoutSummary } from './checkout-summary.ts';

/** Gives up an unpaid purchase: it has failed, its open invoice is void, and its discount counts no more. */
export async function giveUpOrder(session: Session, purchase: Purchase) {
  purchase.status = 'failed';
  const invoice = await session.em.findOne(Invoice, { purchaseId: purchase.id, status: 'open' });
  if (invoice) await writeOffInvoice(session, invoice, 'void');
  await releaseRedemption(session, { purchaseId: purchase.id });
}

/**
 * Gives up the order of an earlier attempt, where the customer has changed the discount, the address or the tax id since:
 * an invoice keeps what it states. The next attempt writes another one.
 */
export async function giveUpChanged(
  session: Session,
  checkout: CheckoutSession,
  customer: Customer,
) {
  const { em } = session;
  const purchase = await checkout.purchase?.loadOrFail();
  if (!purchase) return;
  const open = { purchaseId: purchase.id, status: 'open' as const };
  const invoice = await em.findOne(Invoice, open, { populate: ['parties'] });
  if (!invoice || (await states(session, invoice, checkout, customer))) return;
  await giveUpOrder(session, purchase);
  checkout.purchase = null;
  await em.flush();
}

/** Whether an invoice states the order as the page of the session does. */
async function states(
  session: Session,
  { parties, purchaseId, total, taxAmount }: Invoice,
  checkout: CheckoutSession,
  customer: Customer,
): Promise<boolean> {
  const counted = { purchaseId: purchaseId ?? null, releasedAt: null };
  const redemption = await session.em.findOne(DiscountRedemption, counted);
  if ((redemption?.discountId ?? null) !== (checkout.discountId ?? null)) return false;
  const { address, taxIds } = parties?.customer ?? {};
  const { billingAddress = null } = customer;
  if (!isDeepStrictEqual([address, taxIds], [billingAddress, customer.taxIds])) return false;
  const summary = await checkoutSummary(session, checkout);
  return summary?.amounts.total === total && summary.amounts.taxAmount === (taxAmount ?? 0);
}
