import { z } from 'zod';
import { currencyInput } from '#domain/kernel/currencies.ts';
import { coded } from '#domain/kernel/input-issues.ts';
import { amountInput, countInput, nameInput, slugInput } from '#domain/kernel/inputs.ts';
import type { IssueCode } from '#domain/kernel/issue-codes.ts';
import { intervalUnits, type Price, priceTypes } from '#domain/prices/price.ts';

/** The fields of a price of any type. */
export const priceFields = {
  type: z.enum(priceTypes),
  name: nameInput.nullish(),
  slug: slugInput.nullish(),
  unitPrice: amountInput,
  currency: currencyInput.nullish(),
  isDefault: z.boolean().nullish(),
  active: z.boolean().nullish(),
  intervalUnit: z.enum(intervalUnits).nullish(),
  intervalCount: countInput.max(1_000).nullish(),
  trialPeriodDays: z.int().min(0).max(3_650).nullish(),
  usageEventsPerUnit: countInput.nullish(),
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
  for (const { code, field, message } of variantProblems(price)) {
    context.addIssue({ code: 'custom', ...coded(code, field, message) });
  }
}

interface Problem {
  readonly code: IssueCode;
  readonly field: string;
  readonly message: string;
}

/** The fields that a price of this type lacks, and those that it must not have. */
export function variantProblems(price: Variant): Problem[] {
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
  ];
}

const problem = (code: IssueCode, field: string, message: string): Problem => ({
  code,
  field,
  message,
});

/** The reason why a usage price cannot have this slug; undefined when it can. Other prices may have it. */
export function reservedSlugProblem({ type, slug }: Partial<Pick<PriceFields, 'type' | 'slug'>>) {
  if (type !== 'usage' || !slug?.endsWith(reservedSuffix)) return undefined;
  return `must not end in ${reservedSuffix}, which is reserved for fallback prices`;
}

/** Whether two values of a term are equal; a trial of 0 days equals no trial. */
export function sameTerm(term: string, one: unknown, other: unknown) {
  return one === other || (term === 'trialPeriodDays' && (one ?? 0) === (other ?? 0));
}

/** The columns that a price keeps for life. Other amounts need another price. */
export function termsOf(price: PriceFields | Price) {
  const { type, unitPrice, intervalUnit, intervalCount, trialPeriodDays, usageEventsPerUnit } =
    price;
  return {
    type,
    unitPrice,
    intervalUnit: intervalUnit ?? null,
    intervalCount: intervalCount ?? (intervalUnit ? 1 : null),
    trialPeriodDays: trialPeriodDays ?? null,
    usageEventsPerUnit: usageEventsPerUnit ?? null,
  };
}
