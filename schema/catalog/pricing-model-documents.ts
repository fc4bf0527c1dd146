import { mostEntries } from '#domain/catalog/catalog-document.ts';
import { builder } from '../engine/builder.ts';
import { FeatureType, GrantBasis, RenewalFrequency, RolloverInput } from './features.ts';
import { pricingInputs } from './price-model-inputs.ts';
import { IntervalUnit, PriceType } from './prices.ts';
import { AggregationType } from './usage-meters.ts';

type Fields = Parameters<NonNullable<Parameters<typeof builder.inputType>[1]>['fields']>[0];

const ResourceDocument = builder.inputType('ResourceDocument', {
  description: 'A resource of a catalog document.',
  fields: (t) => ({
    slug: t.string({ required: true, description: 'The slug, unique among resources.' }),
    name: t.string({ required: true, description: 'The display name.' }),
    active: t.boolean({ description: 'Whether it can be granted; true when absent.' }),
  }),
});

const FeatureDocument = builder.inputType('FeatureDocument', {
  description: 'A feature of a catalog document.',
  fields: (t) => ({
    type: t.field({
      type: FeatureType,
      required: true,
      description: 'The type, which decides which fields apply. It cannot change.',
    }),
    slug: t.string({ required: true, description: 'The slug, unique among features.' }),
    name: t.string({ required: true, description: 'The display name.' }),
    description: t.string({ required: true, description: 'The description.' }),
    active: t.boolean({ description: 'Whether products grant it; true when absent.' }),
    amount: t.field({
      type: 'SafeInt',
      description: 'The credits or units of capacity; required unless it is a toggle.',
    }),
    renewalFrequency: t.field({
      type: RenewalFrequency,
      description: 'How often credits are granted; required for usage_credit_grant.',
    }),
    per: t.field({
      type: GrantBasis,
      description: 'The basis of the amount of credits; each unit of an item when absent.',
    }),
    rollover: t.field({
      type: RolloverInput,
      description: 'How unused credits of every billing period roll over; they expire when absent.',
    }),
    usageMeterSlug: t.string({
      description: 'The slug of the usage meter; required for usage_credit_grant.',
    }),
    resourceSlug: t.string({ description: 'The slug of the resource; required for resource.' }),
  }),
});

const PriceDocument = builder.inputType('PriceDocument', {
  description: 'A price of a catalog document. Its terms decide which price it is.',
  fields: (t) => ({
    type: t.field({
      type: PriceType,
      required: true,
      description: 'The type, which decides which fields apply.',
    }),
    slug: t.string({ description: 'The slug, unique among all prices of the document.' }),
    name: t.string({ description: 'The display name.' }),
    isDefault: t.boolean({
      description:
        'Whether it is the default. The price of a product must be; of a usage meter one for each currency may be.',
    }),
    active: t.boolean({ description: 'Whether it is sold; true when absent.' }),
    unitPrice: t.field({
      type: 'SafeInt',
      description:
        'The price of one unit, or of a package, in minor units. Required for the models per_unit, flat and package; it follows from the others.',
    }),
    currency: t.string({
      description: 'The currency, an ISO 4217 code; the organization’s when absent.',
    }),
    intervalUnit: t.field({
      type: IntervalUnit,
      description: 'The unit of the billing interval; required unless it is a single payment.',
    }),
    intervalCount: t.int({ description: 'The number of interval units; 1 when absent.' }),
    trialPeriodDays: t.int({
      description: 'The days before the first charge, for subscription prices only.',
    }),
    usageEventsPerUnit: t.field({
      type: 'SafeInt',
      description: 'The usage that makes up one unit; required for a usage price.',
    }),
    ...pricingInputs(t),
    usageMeterId: t.id({ description: 'Must be null; a usage meter contains its prices.' }),
  }),
});

const ProductFields = builder.inputType('ProductFieldsDocument', {
  description: 'The fields of a product of a catalog document.',
  fields: (t) => ({
    slug: t.string({ required: true, description: 'The slug, unique among products.' }),
    name: t.string({ required: true, description: 'The display name.' }),
    description: t.string({ description: 'The description.' }),
    imageURL: t.string({ description: 'The http or https URL of a picture.' }),
    active: t.boolean({ description: 'Whether it can be sold; true when absent.' }),
    singularQuantityLabel: t.string({ description: 'The label of one unit, such as seat.' }),
    pluralQuantityLabel: t.string({ description: 'The label of several units, such as seats.' }),
    taxCode: t.string({ description: 'The tax code, which tax rates name.' }),
    addOn: t.boolean({
      description:
        'Whether it adds to a plan, such as extra storage: the portal does not offer it as a plan; false when absent.',
    }),
    default: t.boolean({
      description:
        'True for the free product of new customers. Without one the present default stays, or a free plan is added.',
    }),
  }),
});

const ProductDocument = builder.inputType('ProductDocument', {
  description: 'A product of a catalog document, with its prices and features.',
  fields: (t) => ({
    product: t.field({ type: ProductFields, required: true, description: 'The product.' }),
    price: t.field({ type: PriceDocument, required: true, description: 'The default price.' }),
    otherPrices: t.field({
      type: [PriceDocument],
      description: 'The prices that are sold next to the default; none when absent.',
    }),
    features: t.stringList({
      required: true,
      description: 'The slugs of all features that the product grants.',
    }),
  }),
});

const UsageMeterFields = builder.inputType('UsageMeterFieldsDocument', {
  description: 'The fields of a usage meter of a catalog document.',
  fields: (t) => ({
    slug: t.string({ required: true, description: 'The slug, unique among usage meters.' }),
    name: t.string({ required: true, description: 'The display name.' }),
    aggregationType: t.field({
      type: AggregationType,
      description: 'The aggregation, which can change until the first usage; sum when absent.',
    }),
    taxCode: t.string({ description: 'The tax code of its usage, which tax rates name.' }),
  }),
});

const UsageMeterDocument = builder.inputType('UsageMeterDocument', {
  description: 'A usage meter of a catalog document, with its prices.',
  fields: (t) => ({
    usageMeter: t.field({
      type: UsageMeterFields,
      required: true,
      description: 'The usage meter.',
    }),
    prices: t.field({
      type: [PriceDocument],
      description:
        'Its prices without the no-charge price, which is the default while no other is.',
    }),
  }),
});

const most = mostEntries.toLocaleString('en-US');

/** The four lists of a document. */
export const listsOf = <Required extends boolean>(t: Fields, required: Required) => ({
  features: t.field({
    type: [FeatureDocument],
    required,
    description: `All features, at most ${most}.`,
  }),
  products: t.field({
    type: [ProductDocument],
    required,
    description: `All products, at most ${most}.`,
  }),
  usageMeters: t.field({
    type: [UsageMeterDocument],
    required,
    description: `All usage meters, at most ${most}. A usage meter cannot be removed.`,
  }),
  resources: t.field({
    type: [ResourceDocument],
    description: `All resources, at most ${most}.`,
  }),
});
