import type { Customer } from '#domain/customers/customer.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Price } from '#domain/prices/price.ts';
import { Product } from '#domain/products/product.ts';
import { derivedName } from '#domain/rules/catalog/derived-name.ts';
import type { Subscription } from '#domain/subscriptions/subscription.ts';
import { openSubscription } from './open-subscription.ts';
import type { Terms } from './subscription-terms.ts';

/**
 * Subscribes a locked customer to the pricing model's free default product. Returns null when that is not for sale,
 * or is not free. A customer who is new in this transaction has nothing else, so that nothing is read.
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
  const name = derivedName(product.name, ' Subscription');
  return openSubscription(session, customer, { product, price, name, isFirst });
}
