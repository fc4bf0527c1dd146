import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { coded } from '#domain/kernel/inputs/input-issues.ts';
import { amountInput, countInput, nameInput, slugInput } from '#domain/kernel/inputs/inputs.ts';
import type { IssueCode } from '#domain/kernel/issue-codes.ts';
import { currencyInput } from '#domain/kernel/values/currencies.ts';
import { intervalUnits, type Price, priceTypes } from '#domain/model/catalog/price.ts';
import { pricingFieldsOf } from '#domain/model/catalog/pricing.ts';
import { pricingInput } from './pricing-input.ts';
import { type PricingProblem, pricingProblems, unitPriceOf } from './pricing-problems.ts';

/** The fields of a price of any type. */
export const priceFields = {
  type: z.enum(priceTypes),
  name: nameInput.nullish(),
  slug: slugInput.nullish(),
  /** Required, unless it follows from the model. */
  unitPrice: amountInput.nullish(),
  currency: currencyInput.nullish(),
  isDefault: z.boolean().nullish(),
  active: z.boolean().nullish(),
  intervalUnit: z.enum(intervalUnits).nullish(),
  intervalCount: countInput.max(1_000).nullish(),
  trialPeriodDays: z.int().min(0).max(3_650).nullish(),
  usageEventsPerUnit: countInput.nullish(),
  ...pricingInput,
};

const priceFieldsInput = z.object(priceFields);
export type PriceFields = z.output<typeof priceFieldsInput>;

/** The fields that each type requires and those that it refuses. */
const variants = {
  subscription: { needs: ['intervalUnit'], lacks: ['usageEventsPerUnit', 'usageMeterId'] },
  single_payment: {
    needs: [],
    lacks: [
      'intervalUnit',
      'intervalCount',
      'trialPeriodDays',
      'usageEventsPerUnit',
      'usageMeterId',
    ],
  },
  usage: { needs: ['intervalUnit', 'usageEventsPerUnit'], lacks: ['trialPeriodDays', 'productId'] },
} as const;

const reservedSuffix = '_no_charge';

type Variant = PriceFields & { productId?: unknown; usageMeterId?: unknown };

/** For `.superRefine`: one issue for each field that the price's type needs or must leave out. */
export function checkVariant(price: Variant, context: z.core.$RefinementCtx) {
  for (const { code, path, message } of variantProblems(price)) {
    context.addIssue({ code: 'custom', ...coded(code, path, message) });
  }
}

/** The fields that a price of this type lacks, those that it must not have, and those that its model contradicts. */
export function variantProblems(price: Variant): PricingProblem[] {
  const { needs, lacks } = variants[price.type];
  const missing = needs.filter((field) => price[field] == null);
  const foreign = lacks.filter((field) => price[field as keyof Variant] != null);
  const reserved = reservedSlugProblem(price);
  return [
    ...missing.map((field) => problem('REQUIRED', field, `is required for a ${price.type} price`)),
    ...foreign.map((field) =>
      problem('NOT_ALLOWED', field, `is not allowed for a ${price.type} price`),
    ),
    ...(reserved ? [problem('INVALID', 'slug', reserved)] : []),
    ...pricingProblems(price),
  ];
}

const problem = (code: IssueCode, field: string, message: string): PricingProblem => ({
  code,
  path: [field],
  message,
});

/** The reason why a usage price cannot have this slug; undefined when it can. Other prices may have it. */
export function reservedSlugProblem({ type, slug }: Partial<Pick<PriceFields, 'type' | 'slug'>>) {
  if (type !== 'usage' || !slug?.endsWith(reservedSuffix)) return undefined;
  return `must not end in ${reservedSuffix}, which is reserved for fallback prices`;
}

/** Whether two values of a term are equal; a trial of 0 days equals no trial. */
export function sameTerm(term: string, one: unknown, other: unknown) {
  return (
    isDeepStrictEqual(one, other) || (term === 'trialPeriodDays' && (one ?? 0) === (other ?? 0))
  );
}

/** The columns that a price keeps for life. Other amounts need another price. */
export function termsOf(price: PriceFields | Price) {
  const { type, intervalUnit, intervalCount, trialPeriodDays, usageEventsPerUnit } = price;
  const pricing = pricingFieldsOf(price);
  return {
    type,
    unitPrice: unitPriceOf(price.unitPrice, pricing),
    ...pricing,
    intervalUnit: intervalUnit ?? null,
    intervalCount: intervalCount ?? (intervalUnit ? 1 : null),
    trialPeriodDays: trialPeriodDays ?? null,
    usageEventsPerUnit: usageEventsPerUnit ?? null,
  };
}
