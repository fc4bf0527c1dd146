import type { z } from 'zod';
import { coded } from '#domain/kernel/inputs/input-issues.ts';
import type {
  featureTypes,
  grantBases,
  renewalFrequencies,
} from '#domain/model/catalog/feature.ts';

export interface Variant {
  amount?: number | null | undefined;
  usageMeterId?: string | null | undefined;
  renewalFrequency?: (typeof renewalFrequencies)[number] | null | undefined;
  resourceId?: string | null | undefined;
  per?: (typeof grantBases)[number] | null | undefined;
  rollover?: object | null | undefined;
}

interface Problem {
  readonly code: 'REQUIRED' | 'NOT_ALLOWED';
  readonly path: keyof Variant;
  readonly message: string;
}

/** The fields that each type requires; it refuses the other variant fields. */
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
  for (const { code, path, message } of variantProblems(feature.type, feature)) {
    context.addIssue({ code: 'custom', ...coded(code, path, message) });
  }
}

export function variantProblems(type: (typeof featureTypes)[number], variant: Variant): Problem[] {
  const problems = variantFields.flatMap<Problem>((path) => {
    const needed = needs[type].includes(path);
    if (needed === (variant[path] != null)) return [];
    const message = needed
      ? `is required for a ${type} feature`
      : `is not allowed for a ${type} feature`;
    return [{ code: needed ? 'REQUIRED' : 'NOT_ALLOWED', path, message }];
  });
  const { per, rollover, renewalFrequency } = variant;
  if (per != null && type !== 'usage_credit_grant') {
    const message = `is not allowed for a ${type} feature`;
    problems.push({ code: 'NOT_ALLOWED', path: 'per', message });
  }
  if (rollover == null || renewalFrequency === 'every_billing_period') return problems;
  const message = 'is allowed only for credits that are granted in every billing period';
  return [...problems, { code: 'NOT_ALLOWED', path: 'rollover', message }];
}

/** The basis of the credits of a feature: each unit of an item, unless it states otherwise; null without credits. */
export const grantBasisOf = ({
  type,
  per,
}: {
  readonly type: (typeof featureTypes)[number];
  readonly per?: (typeof grantBases)[number] | null | undefined;
}) => (type === 'usage_credit_grant' ? (per ?? 'item') : null);
