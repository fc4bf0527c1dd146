import { derivedName } from '#domain/catalog/derived-name.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { Product } from '#domain/model/catalog/product.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { lockSubscriptionsOf } from '#domain/platform/locks/lock-subscription.ts';
import { freeAmong } from '#domain/subscriptions/adjusting/one-free.ts';
import { openSubscription } from './open-subscription.ts';
import type { Terms } from './subscription-terms.ts';

/**
 * Subscribes a locked customer to the pricing model's free default product. Returns null when that is not for sale,
 * or is not free, and where the customer has another subscription at price 0. A customer who is new in this transaction has nothing else, so that nothing is read.
 */
export async function subscribeToFreePlan(
  session: Session,
  customer: Customer,
  { isFirst = false }: Pick<Terms, 'isFirst'> = {},
): Promise<Subscription | null> {
  const product = await session.em.findOne(Product, { default: true, active: true });
  const price =
    product && (await session.em.findOne(Price, { product: product.id, isDefault: true }));
  if (!product || !price || price.unitPrice > 0 || price.type === 'usage') return null;
  // A paused subscription at price 0 is the one that the customer may have.
  if (!isFirst) {
    const others = await lockSubscriptionsOf(session, customer.id);
    const standing = others.filter(({ stands }) => stands);
    if (await freeAmong(session, standing)) return null;
  }
  const name = derivedName(product.name, ' Subscription');
  return openSubscription(session, customer, { product, price, name, isFirst });
}
