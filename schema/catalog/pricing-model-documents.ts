import { mostEntries } from '#domain/catalog/catalog-document.ts';
import { nullable, of, text } from '../engine/fields.ts';
import { input } from '../engine/types.ts';
import { FeatureType, GrantBasis, RenewalFrequency, RolloverInput } from './features.ts';
import { pricingInputs } from './price-model-inputs.ts';
import { IntervalUnit, PriceType } from './prices.ts';
import { AggregationType } from './usage-meters.ts';

const ResourceDocument = input('ResourceDocument', {
  description: 'A resource of a catalog document.',
  fields: {
    slug: text('The slug, unique among resources.'),
    name: text('The display name.'),
    active: nullable.flag('Whether it can be granted; true when absent.'),
  },
});

const FeatureDocument = input('FeatureDocument', {
  description: 'A feature of a catalog document.',
  fields: {
    type: of(FeatureType, 'The type, which decides which fields apply. It cannot change.'),
    slug: text('The slug, unique among features.'),
    name: text('The display name.'),
    description: text('The description.'),
    active: nullable.flag('Whether products grant it; true when absent.'),
    amount: nullable.safeInt('The credits or units of capacity; required unless it is a toggle.'),
    renewalFrequency: nullable.of(
      RenewalFrequency,
      'How often credits are granted; required for usage_credit_grant.',
    ),
    per: nullable.of(
      GrantBasis,
      'The basis of the amount of credits; each unit of an item when absent.',
    ),
    rollover: nullable.of(
      RolloverInput,
      'How unused credits of every billing period roll over; they expire when absent.',
    ),
    usageMeterSlug: nullable.text('The slug of the usage meter; required for usage_credit_grant.'),
    resourceSlug: nullable.text('The slug of the resource; required for resource.'),
  },
});

const PriceDocument = input('PriceDocument', {
  description: 'A price of a catalog document. Its terms decide which price it is.',
  fields: {
    type: of(PriceType, 'The type, which decides which fields apply.'),
    slug: nullable.text('The slug, unique among all prices of the document.'),
    name: nullable.text('The display name.'),
    isDefault: nullable.flag(
      'Whether it is the default. The price of a product must be; of a usage meter one for each currency may be.',
    ),
    active: nullable.flag('Whether it is sold; true when absent.'),
    unitPrice: nullable.safeInt(
      'The price of one unit, or of a package, in minor units. Required for the models per_unit, flat and package; it follows from the others.',
    ),
    currency: nullable.text('The currency, an ISO 4217 code; the organization’s when absent.'),
    intervalUnit: nullable.of(
      IntervalUnit,
      'The unit of the billing interval; required unless it is a single payment.',
    ),
    intervalCount: nullable.int('The number of interval units; 1 when absent.'),
    trialPeriodDays: nullable.int(
      'The days before the first charge, for subscription prices only.',
    ),
    usageEventsPerUnit: nullable.safeInt(
      'The usage that makes up one unit; required for a usage price.',
    ),
    ...pricingInputs(),
    usageMeterId: nullable.id('Must be null; a usage meter contains its prices.'),
  },
});

const ProductFields = input('ProductFieldsDocument', {
  description: 'The fields of a product of a catalog document.',
  fields: {
    slug: text('The slug, unique among products.'),
    name: text('The display name.'),
    description: nullable.text('The description.'),
    imageURL: nullable.text('The http or https URL of a picture.'),
    active: nullable.flag('Whether it can be sold; true when absent.'),
    singularQuantityLabel: nullable.text('The label of one unit, such as seat.'),
    pluralQuantityLabel: nullable.text('The label of several units, such as seats.'),
    taxCode: nullable.text('The tax code, which tax rates name.'),
    addOn: nullable.flag(
      'Whether it adds to a plan, such as extra storage: the portal does not offer it as a plan; false when absent.',
    ),
    default: nullable.flag(
      'True for the free product of new customers. Without one the present default stays, or a free plan is added.',
    ),
  },
});

const ProductDocument = input('ProductDocument', {
  description: 'A product of a catalog document, with its prices and features.',
  fields: {
    product: of(ProductFields, 'The product.'),
    price: of(PriceDocument, 'The default price.'),
    otherPrices: nullable.of(
      [PriceDocument],
      'The prices that are sold next to the default; none when absent.',
    ),
    features: of(['String'], 'The slugs of all features that the product grants.'),
  },
});

const UsageMeterFields = input('UsageMeterFieldsDocument', {
  description: 'The fields of a usage meter of a catalog document.',
  fields: {
    slug: text('The slug, unique among usage meters.'),
    name: text('The display name.'),
    aggregationType: nullable.of(
      AggregationType,
      'The aggregation, which can change until the first usage; sum when absent.',
    ),
    taxCode: nullable.text('The tax code of its usage, which tax rates name.'),
  },
});

const UsageMeterDocument = input('UsageMeterDocument', {
  description: 'A usage meter of a catalog document, with its prices.',
  fields: {
    usageMeter: of(UsageMeterFields, 'The usage meter.'),
    prices: nullable.of(
      [PriceDocument],
      'Its prices without the no-charge price, which is the default while no other is.',
    ),
  },
});

const most = mostEntries.toLocaleString('en-US');

/** The lists that every document has. */
export const documentLists = {
  features: of([FeatureDocument], `All features, at most ${most}.`),
  products: of([ProductDocument], `All products, at most ${most}.`),
  usageMeters: of(
    [UsageMeterDocument],
    `All usage meters, at most ${most}. A usage meter cannot be removed.`,
  ),
};

export const resourceList = nullable.of([ResourceDocument], `All resources, at most ${most}.`);
