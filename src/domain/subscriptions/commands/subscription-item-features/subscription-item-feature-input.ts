import { z } from 'zod';
import { checkFeatureVariant } from '#domain/catalog/feature-variant.ts';
import { countInput, instantInput, labelInput } from '#domain/kernel/inputs/inputs.ts';
import { featureTypes, renewalFrequencies } from '#domain/model/catalog/feature.ts';

/** The values of a subscription item that may differ from those of its feature. */
export const grantFields = {
  type: z.enum(featureTypes),
  amount: countInput.nullish(),
  usageMeterId: z.string().nullish(),
  renewalFrequency: z.enum(renewalFrequencies).nullish(),
  resourceId: z.string().nullish(),
  productFeatureId: z.string().nullish(),
  expiredAt: instantInput.nullish(),
  detachedAt: instantInput.nullish(),
  detachedReason: labelInput.nullish(),
  manuallyCreated: z.boolean().nullish(),
};

export const createSubscriptionItemFeatureInput = z.object({
  subscriptionItemFeature: z
    .object({
      ...grantFields,
      subscriptionItemId: z.string(),
      featureId: z.string(),
      name: z.string().nullish(),
      slug: z.string().nullish(),
    })
    .superRefine(checkFeatureVariant),
});

export type CreateSubscriptionItemFeatureInput = z.output<
  typeof createSubscriptionItemFeatureInput
>;
