import { sessionWithin } from '#domain/catalog/commands/pricing-models/session-within.ts';
import { Feature } from '#domain/model/catalog/feature.ts';
import { Price } from '#domain/model/catalog/price.ts';
import { Product } from '#domain/model/catalog/product.ts';
import { ProductFeature } from '#domain/model/catalog/product-feature.ts';
import { mostFeatures } from '#domain/subscriptions/entitlement/most-features.ts';
import { allBelow, listBelow, mostBelow } from '../engine/below.ts';
import { flag, nullable, text } from '../engine/fields.ts';
import { record } from '../engine/types.ts';

record(Product, {
  description: 'A product that customers subscribe to or buy, with its prices and features.',
  fields: (t) => ({
    name: text('The display name.'),
    description: nullable.text('The description.'),
    imageURL: nullable.text('The URL of a picture.'),
    active: flag('Whether the product can be sold.'),
    singularQuantityLabel: nullable.text('The label of one unit, such as seat.'),
    pluralQuantityLabel: nullable.text('The label of several units, such as seats.'),
    taxCode: nullable.text('The tax code, which tax rates name; null for usual products.'),
    addOn: flag(
      'Whether it adds to a plan, such as extra storage: the portal does not offer it as a plan.',
    ),
    default: flag(
      'Whether it is the default product, the free product that new customers start with.',
    ),
    slug: text('The slug, unique in the pricing model.'),
    prices: t.field({
      type: [Price],
      description: `The prices, including retired ones, oldest first; at most the newest ${mostBelow}. \`pricesPage\` has them all.`,
      resolve: (product, _args, session) =>
        allBelow(sessionWithin(session, product), Price, 'product', product.id),
    }),
    pricesPage: listBelow(t, Price, {
      by: 'product',
      description: 'The prices of the product, including retired ones.',
    }),
    productFeatures: listBelow(t, ProductFeature, {
      by: 'product',
      description: 'The grants of features by the product, including expired ones.',
    }),
    activePrices: t.field({
      type: [Price],
      description: `The active prices, oldest first; at most the newest ${mostBelow}.`,
      resolve: (product, _args, session) =>
        allBelow(sessionWithin(session, product), Price, 'product', product.id, { active: true }),
    }),
    defaultPrice: t.field({
      type: Price,
      nullable: true,
      description: 'The default price.',
      resolve: async (product, _args, session) => {
        const own = sessionWithin(session, product);
        const [price] = await allBelow(own, Price, 'product', product.id, { isDefault: true });
        return price ?? null;
      },
    }),
    features: t.field({
      type: [Feature],
      description: `The features granted now, oldest grant first; at most ${mostFeatures.toLocaleString('en-US')}. \`productFeatures\` has pages.`,
      resolve: async (product, _args, session) => {
        const own = sessionWithin(session, product);
        const grants = await allBelow(own, ProductFeature, 'product', product.id);
        const current = grants.filter((grant) => !grant.isExpired(session.now));
        return Promise.all(current.map(({ feature }) => feature.loadOrFail()));
      },
    }),
  }),
});
