import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { priceFields, sameTerm, termsOf, variantProblems } from '#domain/catalog/price-fields.ts';
import { refuseOtherType, succeedPrices } from '#domain/catalog/succeed-prices.ts';
import { command } from '#domain/kernel/command.ts';
import { DomainError, invalid, invalidInput } from '#domain/kernel/errors.ts';
import { expectedVersionInput, expectVersion } from '#domain/kernel/inputs/expected-version.ts';
import { changesTo, sameId } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { patch, patchNullable } from '#domain/kernel/values/patch.ts';
import { Price } from '#domain/model/catalog/price.ts';
import {
  derivesUnitPrice,
  type PriceModel,
  type PricingFields,
  perUnit,
} from '#domain/model/catalog/pricing.ts';
import { Product } from '#domain/model/catalog/product.ts';
import { syncProductFeatures } from '#domain/subscriptions/entitlement/sync-product-features.ts';
import { featureIdsInput, productFields } from './product-input.ts';

export const updateProductInput = z
  .object({
    id: z.string(),
    expectedVersion: expectedVersionInput,
    product: z.object(changesTo({ id: z.string(), ...productFields })).nullish(),
    price: z
      .object(changesTo({ ...priceFields, productId: z.string(), usageMeterId: z.string() }))
      .nullish(),
    featureIds: featureIdsInput,
  })
  .refine(...sameId('product'));

export type UpdateProductInput = z.output<typeof updateProductInput>;
type PriceChanges = NonNullable<UpdateProductInput['price']>;

/**
 * Changes a product, its price and its features, in one transaction. A price that differs from the default makes a
 * new default price and retires the old one; other prices of the product stay. `featureIds` is the full list; without
 * it the features stay. Errors: NOT_FOUND; BAD_REQUEST for a taken slug or a feature that cannot be granted.
 * FORBIDDEN for protected fields of the default product and for a price of another type.
 */
export function updateProduct(
  session: Session,
  { id, product, price, featureIds, expectedVersion }: UpdateProductInput,
) {
  return command(session, async (session) => {
    const { em } = session;
    const stored = await em.findOneOrFail(Product, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    expectVersion(stored, expectedVersion);
    const { id: _, default: isDefault, active, addOn, name, slug, ...texts } = product ?? {};
    if (isDefault != null && isDefault !== stored.default) {
      throw new DomainError('FORBIDDEN', 'The default product of a pricing model cannot change', {
        reason: 'FORBIDDEN',
      });
    }
    const slugChanged = slug != null && slug !== stored.slug;
    if (stored.default) protectDefault(stored, { slug, addOn, ...texts });
    else patch(stored, { active, addOn });
    patch(stored, { name, slug });
    patchNullable(stored, texts);
    await updatePriceInUse(session, stored, price ?? {}, slugChanged);
    await em.flush();
    if (featureIds) await syncProductFeatures(session, stored, featureIds);
    return stored;
  });
}

/** Customers return to the free product, so only its texts and its features can change. */
function protectDefault(
  stored: Product,
  changes: Partial<
    Record<'slug' | 'singularQuantityLabel' | 'pluralQuantityLabel', string | null | undefined>
  > & { readonly addOn?: boolean | null | undefined },
) {
  if (changes.addOn) {
    throw new DomainError('FORBIDDEN', 'The default product is a plan, so it cannot be an add-on', {
      reason: 'FORBIDDEN',
    });
  }
  for (const field of ['slug', 'singularQuantityLabel', 'pluralQuantityLabel'] as const) {
    const isGiven = field === 'slug' ? changes.slug != null : changes[field] !== undefined;
    if (isGiven && (changes[field] ?? '') !== (stored[field] ?? '')) {
      throw new DomainError('FORBIDDEN', `The default product keeps its ${field}`, {
        reason: 'FORBIDDEN',
      });
    }
  }
}

async function updatePriceInUse(
  session: Session,
  product: Product,
  changes: PriceChanges,
  slugChanged: boolean,
) {
  const { em } = session;
  for (const flag of ['isDefault', 'active'] as const) {
    if (changes[flag] === false)
      throw invalid(
        'INVALID',
        `price.${flag}`,
        'must be true: this is the default price of the product',
      );
  }
  if (changes.productId != null && changes.productId !== product.id) {
    throw invalid('MISMATCH', 'price.productId', `must be ${product.id}`);
  }
  const price = await em.findOne(
    Price,
    { product: product.id, isDefault: true },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (!price) {
    if (Object.keys(changes).length === 0) return;
    throw invalid(
      'INVALID_STATE',
      'price',
      `${product.id} has no price to change: create a price first`,
    );
  }
  if (changes.currency != null && changes.currency !== price.currency) {
    throw invalid(
      'IMMUTABLE',
      'price.currency',
      `cannot change from ${price.currency} to ${changes.currency}: create a price in ${changes.currency} next to it`,
    );
  }
  const current = { ...termsOf(price), name: price.name ?? null };
  const wanted = { ...current, ...changedTerms(current, withoutNull(changes)) };
  const slug = slugChanged ? product.slug : (changes.slug ?? price.slug ?? null);
  const issues = variantProblems(wanted).map(({ code, path, message }) => ({
    code,
    path: ['price', ...path],
    message,
  }));
  if (wanted.type === price.type && issues.length > 0) {
    throw new DomainError('BAD_REQUEST', invalidInput, { issues });
  }
  const same = Object.entries(current).every(([field, value]) =>
    sameTerm(field, value, wanted[field as 'name']),
  );
  if (same && (slugChanged || slug === price.slug)) {
    price.slug = slug;
    return;
  }
  if (product.default) {
    throw new DomainError('FORBIDDEN', 'The default product keeps its original free price', {
      reason: 'FORBIDDEN',
    });
  }
  refuseOtherType(product, [price], wanted);
  await succeedPrices(session, product, { ...wanted, slug }, price.currency, [price]);
}

/** Changes with the fields that follow from them: another model has none of the fields of the one before. */
function changedTerms<T extends { readonly model?: PriceModel }>(
  current: PricingFields,
  changes: T,
) {
  const model = changes.model ?? current.model;
  const isOther = model !== current.model;
  const follows = derivesUnitPrice(model) || (isOther && derivesUnitPrice(current.model));
  return { ...(isOther && perUnit), ...(follows && { unitPrice: null }), ...changes };
}

const withoutNull = <T extends object>(object: T) =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value != null)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
