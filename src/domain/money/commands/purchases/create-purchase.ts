import { z } from 'zod';
import { methodToCharge } from '#domain/invoicing/billing/payment-method-for.ts';
import { isPaid } from '#domain/invoicing/crediting/amount-paid.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { exactlyOne } from '#domain/kernel/inputs/input-issues.ts';
import { countInput } from '#domain/kernel/inputs/inputs.ts';
import { metadataInput } from '#domain/kernel/inputs/metadata-input.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { Purchase } from '#domain/model/money/purchase.ts';
import { chargePayment } from '#domain/money/collection/charge-payment.ts';
import { openPayment } from '#domain/money/collection/open-payment.ts';
import { buyOnce } from '#domain/money/outcomes/buy-once.ts';
import { markPaid } from '#domain/money/outcomes/mark-paid.ts';
import { firstStep } from '#domain/platform/idempotency/first-step.ts';
import { afresh } from '#domain/platform/locks/fresh-session.ts';
import { lockCustomer } from '#domain/platform/locks/lock-customer.ts';

const idInput = z.string().nullish();
/** The largest quantity: REST shows it as a whole number of 32 bits. */
const mostUnits = 2 ** 31 - 1;

export const createPurchaseInput = z.object({
  purchase: z
    .object({
      customerId: z.string(),
      priceId: idInput,
      priceSlug: idInput,
      quantity: countInput.max(mostUnits).nullish(),
      paymentMethodId: idInput,
      metadata: metadataInput.nullish(),
    })
    .refine(...exactlyOne(['priceId', 'priceSlug'])),
});

type Input = z.output<typeof createPurchaseInput>;

/**
 * Buys a product with a single payment for a customer, by an invoice that is charged now. Once the invoice is paid, the
 * product grants its features and usage credits. After a failed payment the invoice stays open, and can be paid later.
 * Errors: BAD_REQUEST for an unknown object, an archived customer, another kind of price, and without a payment method.
 */
export async function createPurchase(session: Session, { purchase: order }: Input) {
  const { done, resumed } = await firstStep(afresh(session), (session) => begin(session, order));
  const { purchaseId, paymentId } = done;
  if (paymentId) await chargePayment(session, { paymentId, resumed });
  return afresh(session).em.findOneOrFail(Purchase, purchaseId);
}

async function begin(session: Session, order: Input['purchase']) {
  const { customerId, quantity, metadata } = order;
  const locked = await lockCustomer(session, { id: customerId });
  if (!locked) {
    throw invalid('NOT_FOUND', 'purchase.customerId', `Unknown customer ${customerId}`);
  }
  const { customer, session: atLock } = locked;
  if (customer.archived) {
    throw invalid('ARCHIVED', 'purchase.customerId', `${customer.id} is archived`);
  }
  const { price, product } = await priceOf(atLock, order);
  const path = 'purchase.paymentMethodId';
  const method = await methodToCharge(atLock, customer, path, order.paymentMethodId);
  const ordered = { price, product, quantity: quantity ?? 1, metadata: metadata ?? null };
  const { purchase, invoice } = await buyOnce(atLock, customer, ordered);
  const purchaseId = purchase.id;
  if (await isPaid(atLock, invoice)) {
    await markPaid(atLock, { invoice, run: null, subscription: null });
    return { purchaseId, paymentId: null };
  }
  if (!method) {
    const why = `is required: ${customer.externalId} has no default`;
    throw invalid('PAYMENT_METHOD_REQUIRED', path, why);
  }
  const payment = await openPayment(atLock, invoice, method, { subscription: null });
  return { purchaseId, paymentId: payment.id };
}

async function priceOf({ em }: Session, { priceId, priceSlug }: Input['purchase']) {
  const field = priceId == null ? 'purchase.priceSlug' : 'purchase.priceId';
  const named = priceId == null ? { slug: priceSlug ?? '', active: true } : { id: priceId };
  const price = await em.findOne(Price, named);
  if (!price) throw invalid('NOT_FOUND', field, `Unknown price ${priceId ?? priceSlug}`);
  const product = await price.product?.loadOrFail();
  if (price.type !== 'single_payment' || !product) {
    throw invalid('INVALID', field, 'is not a price with a single payment');
  }
  if (!price.active || !product.active)
    throw invalid('ARCHIVED', field, 'is not for sale any more');
  return { price, product };
}
