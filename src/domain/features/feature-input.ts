import { z } from 'zod';
import { invalid } from '#domain/kernel/errors.ts';
import { countInput, nameInput, slugInput, textInput } from '#domain/kernel/inputs.ts';
import type { Session } from '#domain/kernel/session.ts';
import { Resource } from '#domain/resources/resource.ts';
import { UsageMeter } from '#domain/usage-meters/usage-meter.ts';
import { type featureTypes, renewalFrequencies } from './feature.ts';

/** What a feature consists of, whatever its type (reference §6.1). */
export const featureFields = {
  slug: slugInput,
  name: nameInput,
  description: textInput,
  active: z.boolean().nullish(),
  amount: countInput.nullish(),
  usageMeterId: z.string().nullish(),
  renewalFrequency: z.enum(renewalFrequencies).nullish(),
  resourceId: z.string().nullish(),
};

interface Variant {
  amount?: number | null | undefined;
  usageMeterId?: string | null | undefined;
  renewalFrequency?: (typeof renewalFrequencies)[number] | null | undefined;
  resourceId?: string | null | undefined;
}

/** What each type must have; the other variant fields it must leave out. */
const needs: Record<(typeof featureTypes)[number], readonly (keyof Variant)[]> = {
  toggle: [],
  usage_credit_grant: ['amount', 'usageMeterId', 'renewalFrequency'],
  resource: ['amount', 'resourceId'],
};

const variantFields = ['amount', 'usageMeterId', 'renewalFrequency', 'resourceId'] as const;

/** For `.superRefine`: one issue for each variant field that the type needs or must leave out. */
export function checkFeatureVariant(
  feature: Variant & { type: (typeof featureTypes)[number] },
  context: z.core.$RefinementCtx,
) {
  for (const { path, message } of variantProblems(feature.type, feature)) {
    context.addIssue({ code: 'custom', path: [path], message });
  }
}

export function variantProblems(type: (typeof featureTypes)[number], variant: Variant) {
  return variantFields.flatMap((path) => {
    const needed = needs[type].includes(path);
    if (needed === (variant[path] != null)) return [];
    const message = needed
      ? `is required for a ${type} feature`
      : `must be left out of a ${type} feature`;
    return [{ path, message }];
  });
}

/** Refuses a usage meter or a resource outside the key's pricing model. */
export async function checkReferences({ em }: Session, { usageMeterId, resourceId }: Variant) {
  if (usageMeterId && !(await em.findOne(UsageMeter, usageMeterId))) {
    throw invalid('feature.usageMeterId', `${usageMeterId} is not a usage meter of yours`);
  }
  if (resourceId && !(await em.findOne(Resource, resourceId))) {
    throw invalid('feature.resourceId', `${resourceId} is not a resource of yours`);
  }
}
