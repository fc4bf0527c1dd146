import { z } from 'zod';
import { checkFeatureVariant, grantBasisOf } from '#domain/catalog/feature-variant.ts';
import { command } from '#domain/kernel/command.ts';
import { samePricingModel } from '#domain/kernel/same-pricing-model.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Feature, featureTypes } from '#domain/model/catalog/feature.ts';
import { rolloverTerms } from '#domain/model/catalog/rollover.ts';
import { checkReferences, featureFields } from './feature-input.ts';

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
  const { pricingModelId, usageMeterId, resourceId, active, per, rollover, ...fields } = feature;
  samePricingModel(session, 'feature', pricingModelId);

  return command(session, async (session) => {
    await checkReferences(session, feature);
    return session.em.create(Feature, {
      ...fields,
      per: grantBasisOf({ type: fields.type, per }),
      rollover: rolloverTerms(rollover),
      active: active ?? true,
      usageMeter: usageMeterId ?? null,
      resource: resourceId ?? null,
      deactivatedAt: active === false ? session.now : null,
    });
  });
}
