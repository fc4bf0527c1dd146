import type { Customer } from '../customers/customer.ts';
import { Price } from '../prices/price.ts';
import { Product } from '../products/product.ts';
import type { Session } from '../session.ts';
import { derivedName } from './derived-name.ts';
import { openSubscription } from './open-subscription.ts';
import type { Subscription } from './subscription.ts';

/**
 * Subscribes a held customer to the pricing model's free default product (reference §4.12). Answers null
 * when that is not for sale, or costs something.
 */
export async function subscribeToFreePlan(
  session: Session,
  customer: Customer,
): Promise<Subscription | null> {
  const product = await session.em.findOne(Product, { default: true, active: true });
  const price =
    product && (await session.em.findOne(Price, { product: product.id, isDefault: true }));
  if (!product || !price || price.unitPrice > 0 || price.type === 'usage') return null;
  const name = derivedName(product.name, ' Subscription');
  return openSubscription(session, customer, { product, price, name });
}
