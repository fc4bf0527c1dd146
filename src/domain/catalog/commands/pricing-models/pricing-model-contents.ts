import { oldestFirst } from '#domain/kernel/columns.ts';
import { batched } from '#domain/kernel/reads/batched.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { PricingModel } from '#domain/model/catalog/pricing-model.ts';
import { Product } from '#domain/model/catalog/product.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { sessionWithin } from './session-within.ts';

/** A list without pages has a bound, which limits the size of one answer. */
const maximum = 1_000;

/**
 * The contents of a pricing model whose records the caller sees. Fields of one level that ask for the same contents, as
 * two names of one model do, read them once.
 */
const contentsOf = <T>(
  session: Session,
  { id, livemode }: PricingModel,
  read: (reader: Session) => Promise<T>,
): Promise<T | undefined> =>
  batched(session, read, `${id} ${livemode}`, async (session, keys) => {
    const contents = keys.map(async (key): Promise<[string, T]> => {
      const [pricingModelId = '', mode] = key.split(' ');
      return [
        key,
        await read(sessionWithin(session, { pricingModelId, livemode: mode === 'true' })),
      ];
    });
    return new Map(await Promise.all(contents));
  });

const readProducts = ({ em }: Session) => {
  const sellable = { active: true, prices: { $some: { active: true } } };
  return em.find(Product, sellable, { orderBy: oldestFirst, limit: maximum });
};

const readUsageMeters = ({ em }: Session) =>
  em.find(UsageMeter, {}, { orderBy: oldestFirst, limit: maximum });

const readDefaultProduct = ({ em }: Session) => em.findOne(Product, { default: true });

/** The products that a pricing model sells: active ones with an active price, oldest first. */
export const productsOf = async (session: Session, model: PricingModel): Promise<Product[]> =>
  (await contentsOf(session, model, readProducts)) ?? [];

/** The pricing model's usage meters, oldest first. */
export const usageMetersOf = async (session: Session, model: PricingModel): Promise<UsageMeter[]> =>
  (await contentsOf(session, model, readUsageMeters)) ?? [];

/** The free product that new customers start on. */
export const defaultProductOf = async (session: Session, model: PricingModel) =>
  (await contentsOf(session, model, readDefaultProduct)) ?? null;
