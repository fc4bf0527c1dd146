import { z } from 'zod';
import { command } from '#domain/kernel/command.ts';
import { samePricingModel } from '#domain/kernel/same-pricing-model.ts';
import type { Session } from '#domain/kernel/session.ts';
import { checkFeatureVariant } from '#domain/rules/catalog/feature-variant.ts';
import { Feature, featureTypes } from './feature.ts';
import { checkReferences, featureFields } from './feature-input.ts';
import { rolloverTerms } from './rollover.ts';

export const createFeatureInput = z.object({
  feature: z
    .object({
      type: z.enum(featureTypes),
      ...featureFields,
      pricingModelId: z.string().nullish(),
    })
    .superRefine(checkFeatureVariant),
});

export type CreateFeatureInput = z.output<typeof createFeatureInput>;

/**
 * Adds a feature to the key's pricing model.
 * Errors: BAD_REQUEST for a taken slug, an unknown usage meter or resource, another pricing model.
 */
export function createFeature(session: Session, { feature }: CreateFeatureInput) {
  const { pricingModelId, usageMeterId, resourceId, active, rollover, ...fields } = feature;
  samePricingModel(session, 'feature', pricingModelId);

  return command(session, async (session) => {
    await checkReferences(session, feature);
    return session.em.create(Feature, {
      ...fields,
      rollover: rolloverTerms(rollover),
      active: active ?? true,
      usageMeter: usageMeterId ?? null,
      resource: resourceId ?? null,
      deactivatedAt: active === false ? session.now : null,
    });
  });
}
