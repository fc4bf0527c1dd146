import { ref } from '@mikro-orm/core';
import { taxRuleOf } from '#domain/invoicing/crediting/tax-rule.ts';
import type { Session } from '#domain/kernel/session.ts';
import { amountOfItem, itemTermsOf } from '#domain/model/catalog/cost.ts';
import type { Discount } from '#domain/model/catalog/discount.ts';
import { discounted } from '#domain/model/catalog/discount-terms.ts';
import type { Price } from '#domain/model/catalog/price.ts';
import type { Product } from '#domain/model/catalog/product.ts';
import { amountsOf } from '#domain/model/catalog/tax.ts';
import type { CheckoutSession } from '#domain/model/money/checkout-session.ts';
import { Purchase } from '#domain/model/money/purchase.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import { BillingPeriodItem } from '#domain/model/subscriptions/billing-period-item.ts';
import { planTotal } from '#domain/model/subscriptions/planned-item.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { currentPeriod } from '#domain/platform/reads/current-period.ts';

interface Bought {
  readonly customer: Customer;
  readonly checkout: CheckoutSession;
  readonly price: Price;
  readonly product: Product;
  /** The subscription that is bought; null for a single payment. */
  readonly subscription: Subscription | null;
  /** The discount that is redeemed for it. */
  readonly discount: Discount | null;
}

/** Writes the purchase of a locked checkout session, or updates that of an earlier attempt. */
export async function writePurchase(
  session: Session,
  { customer, checkout, price, product, subscription, discount }: Bought,
): Promise<Purchase> {
  const { em } = session;
  const { quantity, outputName, outputMetadata, billingAddress } = checkout;
  const lines = amountOfItem({ ...itemTermsOf(price), quantity });
  const known = await checkout.purchase?.loadOrFail();
  const due =
    (subscription && (await firstDue(session, subscription))) ??
    discounted(discount, lines, price.currency);
  const rule = await taxRuleOf(session, customer, [{ amount: lines, priceId: price.id }]);
  const { total } = amountsOf(due, rule);
  const isSingle = price.type === 'single_payment';
  const columns = {
    status: 'pending' as const,
    billingAddress: billingAddress ?? null,
    firstInvoiceValue: subscription?.trialEnd ? 0 : total,
    subscription,
  };
  if (known) {
    em.assign(known, columns);
    return known;
  }
  const purchase = em.create(Purchase, {
    ...columns,
    name: outputName ?? product.name,
    customer,
    price,
    priceType: price.type,
    quantity,
    billingCycleAnchor: subscription?.billingCycleAnchorDate ?? null,
    trialPeriodDays: isSingle ? null : (price.trialPeriodDays ?? 0),
    pricePerBillingCycle: isSingle ? null : lines,
    intervalUnit: price.intervalUnit ?? null,
    intervalCount: price.intervalCount ?? null,
    totalPurchaseValue: isSingle ? total : null,
    metadata: outputMetadata ?? null,
  });
  await em.flush();
  checkout.purchase = ref(purchase);
  return purchase;
}

/** The worth of the first billing period of a subscription before tax; null where none has begun. */
async function firstDue(session: Session, subscription: Subscription): Promise<number | null> {
  const period = await currentPeriod(session, subscription);
  if (!period) return null;
  const items = await session.em.find(BillingPeriodItem, { billingPeriod: period.id });
  return period.worthOf(planTotal(items));
}
