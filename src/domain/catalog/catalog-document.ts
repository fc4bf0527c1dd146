import { z } from 'zod';
import { coded } from '#domain/kernel/inputs/input-issues.ts';
import {
  countInput,
  labelInput,
  nameInput,
  slugInput,
  taxCodeInput,
  textInput,
  webAddressInput,
} from '#domain/kernel/inputs/inputs.ts';
import { listInput } from '#domain/kernel/inputs/list-input.ts';
import { featureTypes, grantBases, renewalFrequencies } from '#domain/model/catalog/feature.ts';
import { rolloverInput } from '#domain/model/catalog/rollover.ts';
import { aggregationTypes } from '#domain/model/catalog/usage-meter.ts';
import { variantProblems as featureProblems } from './feature-variant.ts';
import { checkVariant, priceFields } from './price-fields.ts';

/** The largest number of entries of each list of a document. */
export const mostEntries = 5_000;

/** How the variant fields of a feature are called in a document, which knows no ids. */
const bySlug: Readonly<Record<string, string>> = {
  usageMeterId: 'usageMeterSlug',
  resourceId: 'resourceSlug',
};

const featureDocument = z
  .object({
    type: z.enum(featureTypes),
    slug: slugInput,
    name: nameInput,
    description: textInput,
    active: z.boolean().nullish(),
    amount: countInput.nullish(),
    renewalFrequency: z.enum(renewalFrequencies).nullish(),
    per: z.enum(grantBases).nullish(),
    rollover: rolloverInput.nullish(),
    usageMeterSlug: z.string().nullish(),
    resourceSlug: z.string().nullish(),
  })
  .superRefine((feature, context) => {
    const { usageMeterSlug: usageMeterId, resourceSlug: resourceId } = feature;
    const variant = { ...feature, usageMeterId, resourceId };
    for (const { code, path, message } of featureProblems(feature.type, variant)) {
      context.addIssue({ code: 'custom', ...coded(code, bySlug[path] ?? path, message) });
    }
  });

/** Fields of a price whose value does not decide which others it needs. */
const plain: ReadonlySet<unknown> = new Set([
  ...['name', 'currency', 'isDefault', 'active'],
  ...['intervalUnit', 'intervalCount', 'trialPeriodDays', 'usageEventsPerUnit'],
]);

/** Whether the variant of a price can be checked, although other fields may be wrong. */
const hasKnownTerms = ({ issues }: z.core.ParsePayload) =>
  issues.every(({ path = [] }) => plain.has(path[0]));

/** Any price; which fields it needs follows from its type. */
const priceDocument = z
  .object({ ...priceFields, usageMeterId: z.string().nullish() })
  .superRefine(checkVariant, { when: hasKnownTerms });

const productDocument = z.object({
  product: z.object({
    name: nameInput,
    slug: slugInput,
    active: z.boolean().nullish(),
    description: textInput.nullish(),
    imageURL: webAddressInput.or(z.literal('')).nullish(),
    singularQuantityLabel: labelInput.nullish(),
    pluralQuantityLabel: labelInput.nullish(),
    taxCode: taxCodeInput.nullish(),
    default: z.boolean().nullish(),
    addOn: z.boolean().nullish(),
  }),
  price: priceDocument,
  otherPrices: listInput(priceDocument, 1_000).nullish(),
  features: listInput(z.string(), 1_000),
});

const longestMeterSlug = 255 - '_no_charge'.length;

const meterDocument = z.object({
  usageMeter: z.object({
    name: nameInput,
    slug: slugInput.max(longestMeterSlug),
    aggregationType: z.enum(aggregationTypes).nullish(),
    taxCode: taxCodeInput.nullish(),
  }),
  prices: listInput(priceDocument, 1_000).nullish(),
});

const resourceDocument = z.object({
  slug: slugInput,
  name: nameInput,
  active: z.boolean().nullish(),
});

/** The four lists of a document, which are the whole catalog of a pricing model. */
export const structureFields = {
  features: listInput(featureDocument, mostEntries),
  products: listInput(productDocument, mostEntries),
  usageMeters: listInput(meterDocument, mostEntries),
  resources: listInput(resourceDocument, mostEntries),
};

const structureInput = z.object(structureFields);

export type CatalogStructure = z.output<typeof structureInput>;
export type FeatureDocument = CatalogStructure['features'][number];
export type ProductDocument = CatalogStructure['products'][number];
export type MeterDocument = CatalogStructure['usageMeters'][number];
export type PriceDocument = ProductDocument['price'];

/** A catalog as one document. */
export interface CatalogDocument extends CatalogStructure {
  readonly name: string;
  readonly isDefault?: boolean | null | undefined;
}
