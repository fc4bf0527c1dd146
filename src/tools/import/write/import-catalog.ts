import {
  createDiscount,
  createDiscountInput,
} from '#domain/catalog/commands/discounts/create-discount.ts';
import { createPrice, createPriceInput } from '#domain/catalog/commands/prices/create-price.ts';
import {
  createProduct,
  createProductInput,
} from '#domain/catalog/commands/products/create-product.ts';
import {
  createUsageMeter,
  createUsageMeterInput,
} from '#domain/catalog/commands/usage-meters/create-usage-meter.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Discount } from '#domain/model/catalog/discount.ts';
import type { Price } from '#domain/model/catalog/price.ts';
import { Product } from '#domain/model/catalog/product.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';
import { refusalIn } from '../source/refusal.ts';
import type { Kind, Report } from '../source/report.ts';
import type { Source, SourcePrice, SourceProduct } from '../source/source.ts';
import { otherDiscount, otherMeter, otherPrice, otherProduct } from './other-terms.ts';
import { pricesHere } from './prices-here.ts';

/** Opens a session of its own for each command. */
export type Open = () => Session;

/**
 * Imports products, prices and discounts; those whose slug or code is here already stay as they are. The
 * report names the terms of these that are others than in the source.
 */
export async function importCatalog(open: Open, source: Source, report: Report) {
  const { em } = open();
  const products = new Map((await em.find(Product, {})).map((one) => [one.slug, one]));
  const prices = await pricesHere(em);
  const here = new Map((await em.find(Discount, {})).map((one) => [one.code, one]));
  for (const product of source.products) {
    const known = products.get(product.slug);
    const [first, ...others] = product.prices;
    if (!first) continue;
    let productId = known?.id;
    if (!known) {
      const created = await attempt(report, `product ${product.slug}`, () =>
        createProduct(open(), productInput(product, first)),
      );
      if (created === undefined) continue;
      productId = created.id;
      report.create('product');
      report.create('price');
    } else keep(report, 'product', product.slug, otherProduct(product, known));
    for (const price of known ? product.prices : others) {
      const own = prices.get(price.slug);
      if (own) keep(report, 'price', price.slug, otherPrice(price, product.slug, own));
      else {
        const done = await attempt(report, `price ${price.slug}`, () =>
          createPrice(open(), priceInput(price, productId ?? '')),
        );
        if (done !== undefined) report.create('price');
      }
    }
  }
  await importMeters(open, source, report, prices);
  for (const discount of source.discounts) {
    const kept = here.get(discount.code);
    if (kept) {
      keep(report, 'discount', discount.code, otherDiscount(discount, kept));
    } else {
      const done = await attempt(report, `discount ${discount.code}`, () =>
        createDiscount(open(), createDiscountInput.parse({ discount })),
      );
      if (done !== undefined) report.create('discount');
    }
  }
}

/** Notes a record that is here already, and the terms that the source has otherwise. */
function keep(report: Report, kind: Kind, name: string, others: string | undefined) {
  report.keep(kind);
  if (others) report.leaveOut(`${kind} ${name}`, others);
}

/** Imports usage meters with their prices. `prices` are those that are here already, by their slugs. */
async function importMeters(
  open: Open,
  source: Source,
  report: Report,
  prices: ReadonlyMap<string, Price>,
) {
  const { em } = open();
  const meters = new Map((await em.find(UsageMeter, {})).map((one) => [one.slug, one]));
  for (const { prices: own, ...usageMeter } of source.meters) {
    const known = meters.get(usageMeter.slug);
    let usageMeterId = known?.id;
    if (known)
      keep(report, 'usage meter', known.slug, otherMeter({ ...usageMeter, prices: own }, known));
    else {
      const created = await attempt(report, `usage meter ${usageMeter.slug}`, () =>
        createUsageMeter(open(), createUsageMeterInput.parse({ usageMeter })),
      );
      if (created === undefined) continue;
      usageMeterId = created.id;
      report.create('usage meter');
    }
    const currencies = new Set<string>();
    for (const price of own) {
      const isDefault = price.active && !currencies.has(price.currency);
      if (isDefault) currencies.add(price.currency);
      const kept = prices.get(price.slug);
      if (kept) keep(report, 'price', price.slug, otherPrice(price, usageMeter.slug, kept));
      else {
        const of = { ...price, usageMeterId: usageMeterId ?? '', isDefault };
        const done = await attempt(report, `price ${price.slug}`, () =>
          createPrice(open(), createPriceInput.parse({ price: of })),
        );
        if (done !== undefined) report.create('price');
      }
    }
  }
}

const productInput = (
  { slug, name, description, taxCode, active }: SourceProduct,
  { active: _, ...price }: SourcePrice,
) =>
  createProductInput.parse({
    product: { slug, name, description, taxCode, active },
    price: { ...price, isDefault: true },
  });

/** A price is sold next to the others of its product, or is kept for its subscribers only. */
const priceInput = (price: SourcePrice, productId: string) =>
  createPriceInput.parse({ price: { ...price, productId, isDefault: false } });

/** Executes a command; undefined where it is refused, which the report then has. */
async function attempt<T>(
  report: Report,
  record: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    report.leaveOut(record, refusalIn(error));
    return undefined;
  }
}
