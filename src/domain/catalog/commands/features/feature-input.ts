import { z } from 'zod';
import type { Variant } from '#domain/catalog/feature-variant.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { countInput, nameInput, slugInput, textInput } from '#domain/kernel/inputs/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { grantBases, renewalFrequencies } from '#domain/model/catalog/feature.ts';
import { Resource } from '#domain/model/catalog/resource.ts';
import { rolloverInput } from '#domain/model/catalog/rollover.ts';
import { UsageMeter } from '#domain/model/catalog/usage-meter.ts';

/** The fields of a feature of any type. */
export const featureFields = {
  slug: slugInput,
  name: nameInput,
  description: textInput,
  active: z.boolean().nullish(),
  amount: countInput.nullish(),
  usageMeterId: z.string().nullish(),
  renewalFrequency: z.enum(renewalFrequencies).nullish(),
  per: z.enum(grantBases).nullish(),
  rollover: rolloverInput.nullish(),
  resourceId: z.string().nullish(),
};

/** Refuses a usage meter or a resource outside the key's pricing model. */
export async function checkReferences({ em }: Session, { usageMeterId, resourceId }: Variant) {
  if (usageMeterId && !(await em.findOne(UsageMeter, usageMeterId))) {
    throw invalid('NOT_FOUND', 'feature.usageMeterId', `Unknown usage meter ${usageMeterId}`);
  }
  if (resourceId && !(await em.findOne(Resource, resourceId))) {
    throw invalid('NOT_FOUND', 'feature.resourceId', `Unknown resource ${resourceId}`);
  }
}
