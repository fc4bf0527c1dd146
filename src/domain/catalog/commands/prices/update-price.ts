import { LockMode } from '@mikro-orm/core';
import { z } from 'zod';
import { priceFields, reservedSlugProblem, sameTerm } from '#domain/catalog/price-fields.ts';
import { command } from '#domain/kernel/command.ts';
import { DomainError, invalid } from '#domain/kernel/errors.ts';
import { expectedVersionInput, expectVersion } from '#domain/kernel/inputs/expected-version.ts';
import { changesTo, sameId } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { patch, patchNullable } from '#domain/kernel/values/patch.ts';
import { Price } from '#domain/model/catalog/price.ts';
import {
  type PricingFields,
  pricingFieldNames,
  pricingFieldsOf,
} from '#domain/model/catalog/pricing.ts';
import { Product } from '#domain/model/catalog/product.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';

const { name, slug, active, isDefault, ...amounts } = priceFields;
const terms = { ...amounts, productId: z.string(), usageMeterId: z.string() };

export const updatePriceInput = z
  .object({
    id: z.string(),
    expectedVersion: expectedVersionInput,
    price: z.object({
      ...changesTo({ id: z.string(), ...terms }),
      name,
      slug,
      active,
      isDefault,
    }),
  })
  .refine(...sameId('price'));

export type UpdatePriceInput = z.output<typeof updatePriceInput>;

/**
 * Changes a price's name, slug, activity or default flag; its amount never changes. Errors: NOT_FOUND; BAD_REQUEST
 * for a changed amount, a taken slug, or a product or meter left without a default. FORBIDDEN for the protected price
 * of the default product.
 */
export function updatePrice(
  session: Session,
  { id, price: changes, expectedVersion }: UpdatePriceInput,
) {
  return command(session, async ({ em, now }) => {
    const price = await em.findOneOrFail(Price, id);
    const { productId, usageMeterId } = price;
    const product =
      productId &&
      (await em.findOneOrFail(Product, productId, { lockMode: LockMode.PESSIMISTIC_WRITE }));
    if (usageMeterId) {
      await em.findOneOrFail(UsageMeter, usageMeterId, { lockMode: LockMode.PESSIMISTIC_WRITE });
    }
    const siblings = await em.find(
      Price,
      productId ? { product: productId } : { usageMeter: usageMeterId },
      { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true, orderBy: { id: 'asc' } },
    );
    expectVersion(price, expectedVersion);
    refuseChangedTerms(price, changes);
    if (price.noCharge) protectFallback(price, changes);
    else refuseReservedSlug(price, changes);
    if (product) protectProduct(product, price, changes);

    const wasDefault = price.isDefault;
    const wasActive = price.active;
    patch(price, pick(changes));
    patchNullable(price, { name: changes.name });
    if (wasActive && !price.active) price.retiredAt = now;
    if (!wasActive && price.active) price.revive();
    if (usageMeterId && wasDefault && changes.active === false) price.isDefault = false;
    if (price.isDefault && !price.active)
      throw invalid('INVALID', 'price.active', 'must be true for a default price');

    // A product has one default price, and a usage meter has one for each currency.
    const others = siblings.filter(
      (sibling) => sibling !== price && (product || sibling.currency === price.currency),
    );
    if (price.isDefault && !wasDefault) {
      await giveDefault(em, price, others);
    } else if (usageMeterId && wasDefault && !price.isDefault) {
      await em.flush();
      const fallback = others.find(({ noCharge }) => noCharge);
      if (fallback) {
        fallback.isDefault = true;
        fallback.revive();
      }
    }
    return price;
  });
}

const pick = ({ slug, active, isDefault }: UpdatePriceInput['price']) => ({
  slug,
  active,
  isDefault,
});

/** Moves the default flag: the others lose it first, since the database allows one at a time. */
async function giveDefault(em: Session['em'], price: Price, others: Price[]) {
  price.isDefault = false;
  for (const other of others) other.isDefault = false;
  await em.flush();
  price.isDefault = true;
}

function refuseChangedTerms(price: Price, changes: UpdatePriceInput['price']) {
  for (const term of Object.keys(terms) as (keyof typeof terms)[]) {
    const value = changes[term];
    if (value != null && !sameTerm(term, completed(term, value), presentOf(term, price))) {
      throw invalid(
        'IMMUTABLE',
        `price.${term}`,
        `cannot change (it is ${inWords(price[term])}): create another price`,
      );
    }
  }
}

type Term = keyof typeof terms;

const isPricing = (term: Term): term is keyof PricingFields =>
  (pricingFieldNames as readonly string[]).includes(term);

/** The value of a term as a price keeps it: with every field of its tiers. */
const completed = (term: Term, value: unknown) =>
  isPricing(term) ? pricingFieldsOf({ [term]: value })[term] : value;

const presentOf = (term: Term, price: Price) =>
  isPricing(term) ? pricingFieldsOf(price)[term] : price[term];

const inWords = (value: unknown) =>
  typeof value === 'object' && value ? JSON.stringify(value) : String(value);

function refuseReservedSlug({ type }: Price, { slug }: UpdatePriceInput['price']) {
  const problem = reservedSlugProblem({ type, slug });
  if (problem) throw invalid('INVALID', 'price.slug', problem);
}

/** Protects the fallback price of a usage meter: slug, activity, and the default flag while no other price has it. */
function protectFallback(price: Price, { slug, active, isDefault }: UpdatePriceInput['price']) {
  if (active === false)
    throw invalid('IMMUTABLE', 'price.active', 'must stay true: this is the fallback price');
  if (slug != null && slug !== price.slug) {
    throw invalid(
      'IMMUTABLE',
      'price.slug',
      'cannot change: only the name of the fallback price can change',
    );
  }
  if (isDefault === false && price.isDefault) {
    throw invalid(
      'IMMUTABLE',
      'price.isDefault',
      'cannot be unset: make another price the default',
    );
  }
}

function protectProduct(
  product: Product,
  price: Price,
  { slug, active, isDefault }: UpdatePriceInput['price'],
) {
  if (!price.isDefault) return;
  const dropped = active === false || isDefault === false;
  if (product.default && (dropped || (slug != null && slug !== price.slug))) {
    throw new DomainError(
      'FORBIDDEN',
      'The price of the default product must stay default, free and active, with its slug',
      { reason: 'FORBIDDEN' },
    );
  }
  if (dropped) {
    throw invalid(
      'IMMUTABLE',
      active === false ? 'price.active' : 'price.isDefault',
      'must stay true: a product needs a default price; make another price the default first',
    );
  }
}
