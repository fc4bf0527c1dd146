import { createFeature } from '#domain/catalog/commands/features/create-feature.ts';
import { createProduct } from '#domain/catalog/commands/products/create-product.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Purchase } from '#domain/model/money/purchase.ts';
import { TopUp } from '#domain/model/money/top-up.ts';
import { createTopUp } from '#domain/money/commands/top-ups/create-top-up.ts';
import { fresh } from '../factories.ts';
import type { User } from '../usage.ts';

/** A product with a single payment that grants credits of a meter; returns the id of its price. */
export async function aPackage(
  session: Session,
  { slug, meterId }: Pick<User, 'slug'> & { readonly meterId: string },
  amount: number,
  unitPrice = 500,
): Promise<string> {
  const feature = await createFeature(fresh(session), {
    feature: {
      type: 'usage_credit_grant',
      name: 'Package',
      description: 'Credits',
      slug: `${slug}-package-${amount}`,
      amount,
      usageMeterId: meterId,
      renewalFrequency: 'once',
    },
  });
  const product = await createProduct(fresh(session), {
    product: { name: `${amount} calls`, slug: `${slug}-product-${amount}` },
    price: { type: 'single_payment', unitPrice },
    featureIds: [feature.id],
  });
  const [price] = await product.prices.loadItems();
  return price?.id ?? '';
}

interface Wanted {
  readonly priceId: string;
  readonly threshold: number;
  readonly mostPerMonth?: number;
}

/** A top-up of the meter of a subscription. */
export const aTopUp = (
  session: Session,
  { id, slug }: User,
  { priceId, threshold, mostPerMonth = 10 }: Wanted,
): Promise<TopUp> =>
  createTopUp(fresh(session), {
    topUp: {
      subscriptionId: id,
      usageMeterSlug: slug,
      priceId,
      threshold: String(threshold),
      mostPerMonth,
    },
  });

export const topUpOf = (session: Session, { id }: Pick<TopUp, 'id'>): Promise<TopUp> =>
  fresh(session).em.findOneOrFail(TopUp, id);

/** The purchases of a customer with the status of their invoices, the oldest first: `paid paid`. */
export async function purchasesOf(session: Session, customerId: string): Promise<string[]> {
  const { em } = fresh(session);
  const purchases = await em.find(
    Purchase,
    { customer: customerId },
    { orderBy: { position: 'asc' } },
  );
  const invoices = await em.find(Invoice, { customer: customerId, purchaseId: { $ne: null } });
  return purchases.map(({ id, status }) => {
    const of = invoices.filter(({ purchaseId }) => purchaseId === id);
    return `${status} ${of.map((invoice) => invoice.status).join(' ')}`;
  });
}
