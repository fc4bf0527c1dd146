import { createDiscount, createDiscountInput } from '#domain/discounts/create-discount.ts';
import { Discount } from '#domain/discounts/discount.ts';
import type { Session } from '#domain/kernel/session.ts';
import { createPrice, createPriceInput } from '#domain/prices/create-price.ts';
import { Price } from '#domain/prices/price.ts';
import { createProduct, createProductInput } from '#domain/products/create-product.ts';
import { Product } from '#domain/products/product.ts';
import {
  createUsageMeter,
  createUsageMeterInput,
} from '#domain/usage-meters/create-usage-meter.ts';
import { UsageMeter } from '#domain/usage-meters/usage-meter.ts';
import { refusalIn } from './refusal.ts';
import type { Report } from './report.ts';
import type { Source, SourcePrice, SourceProduct } from './source.ts';

/** Opens a session of its own for each command. */
export type Open = () => Session;

/**
 * Imports products, prices and discounts; those whose slug or code is here already stay as they are.
 */
export async function importCatalog(open: Open, source: Source, report: Report) {
  const { em } = open();
  const products = new Map((await em.find(Product, {})).map(({ slug, id }) => [slug, id]));
  const prices = new Set((await em.find(Price, {})).map(({ slug }) => slug));
  const codes = new Set((await em.find(Discount, {})).map(({ code }) => code));
  for (const product of source.products) {
    const isKnown = products.has(product.slug);
    const [first, ...others] = product.prices;
    if (!first) continue;
    let productId = products.get(product.slug);
    if (!isKnown) {
      const created = await attempt(report, `product ${product.slug}`, () =>
        createProduct(open(), productInput(product, first)),
      );
      if (created === undefined) continue;
      productId = created.id;
      report.create('product');
      report.create('price');
    } else report.keep('product');
    for (const price of isKnown ? product.prices : others) {
      if (prices.has(price.slug)) report.keep('price');
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
    if (codes.has(discount.code)) report.keep('discount');
    else {
      const done = await attempt(report, `discount ${discount.code}`, () =>
        createDiscount(open(), createDiscountInput.parse({ discount })),
      );
      if (done !== undefined) report.create('discount');
    }
  }
}

/** Imports usage meters with their prices. `prices` are the slugs of prices that are here already. */
async function importMeters(
  open: Open,
  source: Source,
  report: Report,
  prices: ReadonlySet<string | null | undefined>,
) {
  const { em } = open();
  const meters = new Map((await em.find(UsageMeter, {})).map(({ slug, id }) => [slug, id]));
  for (const { prices: own, ...usageMeter } of source.meters) {
    let usageMeterId = meters.get(usageMeter.slug);
    if (meters.has(usageMeter.slug)) report.keep('usage meter');
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
      if (prices.has(price.slug)) report.keep('price');
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
