import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { currencyFor } from '#domain/catalog/currency.ts';
import {
  checkVariant,
  type PriceFields,
  priceFields,
  termsOf,
} from '#domain/catalog/price-fields.ts';
import { aggregationProblem } from '#domain/catalog/pricing-problems.ts';
import { refuseOtherType, succeedPrices } from '#domain/catalog/succeed-prices.ts';
import { command } from '#domain/kernel/command.ts';
import { DomainError, invalid } from '#domain/kernel/errors.ts';
import { coded } from '#domain/kernel/inputs/input-issues.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { Product } from '#domain/model/catalog/product.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';

export const createPriceInput = z.object({
  price: z
    .object({ ...priceFields, productId: z.string().nullish(), usageMeterId: z.string().nullish() })
    .superRefine(checkVariant)
    .refine(
      ({ type, productId }) => type === 'usage' || productId != null,
      coded('REQUIRED', 'productId', 'is required: it names the product of the price'),
    )
    .refine(
      ({ type, usageMeterId }) => type !== 'usage' || usageMeterId != null,
      coded('REQUIRED', 'usageMeterId', 'is required for a usage price: it names the usage meter'),
    ),
});

export type CreatePriceInput = z.output<typeof createPriceInput>;

/**
 * Adds a price. A product's new price replaces all its others of the same currency, unless `isDefault` is false: then
 * it is sold next to them, as is a price in another currency. A usage meter's price joins the others, as their default
 * in its currency on request. Errors: BAD_REQUEST for an unknown product or usage meter and for a taken slug.
 * FORBIDDEN for the default product and for a type other than that of the product's prices.
 */
export function createPrice(session: Session, { price }: CreatePriceInput): Promise<Price> {
  return command(session, async (session) => {
    const currency = await currencyFor(session, price.currency);
    return price.productId != null
      ? addToProduct(session, price.productId, price, currency)
      : addToUsageMeter(session, price.usageMeterId as string, price, currency);
  });
}

async function addToProduct(
  session: Session,
  productId: string,
  price: PriceFields,
  currency: string,
) {
  const { em } = session;
  const product = await em.findOne(Product, productId, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!product) throw invalid('NOT_FOUND', 'price.productId', `Unknown product ${productId}`);
  if (product.default) {
    throw new DomainError('FORBIDDEN', 'The default product keeps its original free price', {
      reason: 'FORBIDDEN',
    });
  }
  const others = await em.find(Price, { product: product.id });
  refuseOtherType(
    product,
    others.filter(({ active }) => active),
    price,
  );
  const usual = others.find(({ isDefault }) => isDefault);
  // A price in another currency replaces the default on request only.
  const isBeside =
    price.isDefault === false || (price.isDefault == null && usual?.currency !== currency);
  if (usual && isBeside) return addBeside(session, product, price, currency);
  if (price.active === false)
    throw invalid('INVALID', 'price.active', 'must be true for a default price');
  const predecessors = others.filter((other) => other.currency === currency);
  if (usual) usual.isDefault = false;
  return succeedPrices(session, product, price, currency, predecessors);
}

async function addBeside(session: Session, product: Product, price: PriceFields, currency: string) {
  const active = price.active ?? true;
  return session.em.create(Price, {
    ...termsOf(price),
    name: price.name ?? null,
    slug: price.slug ?? null,
    currency,
    product,
    isDefault: false,
    active,
    retiredAt: active ? null : session.now,
  });
}

async function addToUsageMeter(
  session: Session,
  usageMeterId: string,
  price: PriceFields,
  currency: string,
) {
  const { em } = session;
  const meter = await em.findOne(UsageMeter, usageMeterId, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
  });
  if (!meter)
    throw invalid('NOT_FOUND', 'price.usageMeterId', `Unknown usage meter ${usageMeterId}`);
  const problem = aggregationProblem(price.model, meter.aggregationType);
  if (problem) throw invalid('NOT_ALLOWED', 'price.model', problem);
  if (price.isDefault && price.active === false) {
    throw invalid('INVALID', 'price.active', 'must be true for a default price');
  }
  if (price.isDefault) {
    await em.find(Price, { usageMeter: meter.id, currency, isDefault: true }).then(unsetDefault);
    await em.flush();
  }
  return em.create(Price, {
    ...termsOf(price),
    name: price.name ?? null,
    slug: price.slug ?? null,
    currency,
    usageMeter: meter,
    isDefault: price.isDefault ?? false,
    active: price.active ?? true,
  });
}

function unsetDefault(prices: Price[]) {
  for (const price of prices) price.isDefault = false;
}
