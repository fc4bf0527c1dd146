import { z } from 'zod';
import { invalid } from '#domain/kernel/errors.ts';
import { coded } from '#domain/kernel/inputs/input-issues.ts';
import type { Session } from '#domain/kernel/session.ts';
import { positiveDecimalInput } from '#domain/kernel/values/decimal.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { ProductFeature } from '#domain/model/catalog/product-feature.ts';
import type { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';

const most = 1_000;

export const topUpFields = {
  threshold: z
    .string()
    .refine(
      (text) => text === '0' || positiveDecimalInput.safeParse(text).success,
      coded('OUT_OF_RANGE', [], `must be a decimal from 0 to ${Number.MAX_SAFE_INTEGER}`),
    ),
  quantity: z.int().min(1).max(most),
  mostPerMonth: z.int().min(1).max(most),
};

interface Named {
  readonly priceId?: string | null | undefined;
  readonly priceSlug?: string | null | undefined;
}

/** The price of a package, which must grant credits of the meter. Errors: BAD_REQUEST for any other price. */
export async function packageOf(
  { em }: Session,
  subscription: Subscription,
  meter: UsageMeter,
  { priceId, priceSlug }: Named,
): Promise<Price> {
  const field = priceId == null ? 'topUp.priceSlug' : 'topUp.priceId';
  const named = priceId == null ? { slug: priceSlug ?? '', active: true } : { id: priceId };
  const price = await em.findOne(Price, named);
  if (!price) throw invalid('NOT_FOUND', field, `Unknown price ${priceId ?? priceSlug}`);
  const product = await price.product?.loadOrFail();
  if (price.type !== 'single_payment' || !product) {
    throw invalid('INVALID', field, 'is not a price with a single payment');
  }
  if (!price.active || !product.active)
    throw invalid('ARCHIVED', field, 'is not for sale any more');
  if (price.currency !== subscription.currency && price.unitPrice > 0) {
    const why = `is in ${price.currency}, and ${subscription.id} is in ${subscription.currency}`;
    throw invalid('MISMATCH', field, why);
  }
  const grants = await em.find(
    ProductFeature,
    { product: product.id, expiredAt: null },
    { populate: ['feature'] },
  );
  const isCredit = grants
    .map(({ feature }) => feature.unwrap())
    .some(
      ({ type, active, usageMeterId }) =>
        type === 'usage_credit_grant' && active && usageMeterId === meter.id,
    );
  if (isCredit) return price;
  throw invalid('MISMATCH', field, `its product grants no usage credits of ${meter.slug}`);
}
