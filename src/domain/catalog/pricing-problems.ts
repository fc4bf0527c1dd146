import type { IssueCode } from '#domain/kernel/issue-codes.ts';
import { unitsOf } from '#domain/kernel/values/decimal.ts';
import { shareOf } from '#domain/model/catalog/model-charges.ts';
import type { priceTypes } from '#domain/model/catalog/price.ts';
import {
  derivesUnitPrice,
  type PriceMatrix,
  type PriceTier,
  type PricingFields,
  perUnit,
  pricingFieldNames,
  pricingFieldsOf,
} from '#domain/model/catalog/pricing.ts';

type Given = { readonly [Field in keyof PricingFields]?: unknown };

/** A price as a request describes it. */
export type GivenPricing = Given & {
  readonly type: (typeof priceTypes)[number];
  readonly unitPrice?: number | null | undefined;
};

export interface PricingProblem {
  readonly code: IssueCode;
  /** The field, and the place within it. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The field that each model requires. No other model may have it. */
const needs = {
  tiers: ['graduated', 'volume', 'stairstep'],
  packageSize: ['package'],
  percentage: ['percentage'],
  matrix: ['matrix'],
} as const;

const problem = (
  code: IssueCode,
  path: string | readonly (string | number)[],
  message: string,
): PricingProblem => ({ code, path: typeof path === 'string' ? [path] : path, message });

/** The fields of a price that its type and model require, refuse or contradict. */
export function pricingProblems(price: GivenPricing): PricingProblem[] {
  const fields = pricingFieldsOf(price as Partial<PricingFields>);
  if (price.type === 'single_payment') {
    return [...singleProblems(fields), ...missingUnitPrice(price, fields)];
  }
  const { model } = fields;
  const problems = [
    ...(price.type !== 'usage' && (model === 'percentage' || model === 'matrix')
      ? [problem('NOT_ALLOWED', 'model', `must not be ${model}: that is for usage prices`)]
      : []),
    ...fieldProblems(fields),
    ...(fields.tiers ? tierProblems(fields.tiers, model) : []),
    ...(fields.matrix ? matrixProblems(fields.matrix) : []),
    ...limitProblems(fields),
  ];
  // The unit price follows from valid fields only.
  return problems.length > 0 ? problems : unitPriceProblems(price, fields);
}

function singleProblems(fields: PricingFields): PricingProblem[] {
  return pricingFieldNames
    .filter((name) => fields[name] !== perUnit[name])
    .map((name) =>
      problem(
        'NOT_ALLOWED',
        name,
        name === 'model'
          ? 'must be per_unit for a single_payment price'
          : 'is not allowed for a single_payment price',
      ),
    );
}

function fieldProblems(fields: PricingFields): PricingProblem[] {
  const { model } = fields;
  const ofModel = Object.entries(needs).flatMap(([name, models]) => {
    const isNeeded = (models as readonly string[]).includes(model);
    const isGiven = fields[name as keyof PricingFields] !== null;
    if (isNeeded === isGiven) return [];
    return isNeeded
      ? [problem('REQUIRED', name, `is required for the model ${model}`)]
      : [problem('NOT_ALLOWED', name, `is not allowed for the model ${model}`)];
  });
  return [
    ...ofModel,
    ...(fields.fixedFee !== null && model !== 'percentage'
      ? [problem('NOT_ALLOWED', 'fixedFee', `is not allowed for the model ${model}`)]
      : []),
    ...(fields.freeUnits !== null && model === 'matrix'
      ? [problem('NOT_ALLOWED', 'freeUnits', 'is not allowed for the model matrix')]
      : []),
  ];
}

function tierProblems(tiers: readonly PriceTier[], model: string): PricingProblem[] {
  return tiers.flatMap(({ upTo, unitPrice }, at) => {
    const isLast = at === tiers.length - 1;
    const before = tiers[at - 1]?.upTo ?? null;
    return [
      ...(isLast && upTo !== null
        ? [problem('INVALID', ['tiers', at, 'upTo'], 'must be null: the last tier has no end')]
        : []),
      ...(!isLast && upTo === null
        ? [problem('REQUIRED', ['tiers', at, 'upTo'], 'is required: only the last tier has no end')]
        : []),
      ...(upTo !== null && before !== null && unitsOf(upTo) <= unitsOf(before)
        ? [
            problem(
              'INVALID',
              ['tiers', at, 'upTo'],
              `must be above ${before}, the end of the tier before it`,
            ),
          ]
        : []),
      ...(model === 'stairstep' && unitsOf(unitPrice) !== 0n
        ? [
            problem(
              'NOT_ALLOWED',
              ['tiers', at, 'unitPrice'],
              'is not allowed for the model stairstep: flatFee is the price of the step',
            ),
          ]
        : []),
    ];
  });
}

function matrixProblems({ dimensions, cells }: PriceMatrix): PricingProblem[] {
  const repeated = dimensions.flatMap((name, at) =>
    dimensions.indexOf(name) < at
      ? [problem('TAKEN', ['matrix', 'dimensions', at], `repeats ${name}`)]
      : [],
  );
  const known = new Map<string, number>();
  const ofCells = cells.flatMap(({ values }, at) => {
    const path = ['matrix', 'cells', at, 'values'];
    if (values.length !== dimensions.length) {
      return [
        problem('INVALID', path, `must have ${dimensions.length} values, one for each dimension`),
      ];
    }
    const key = JSON.stringify(values);
    const earlier = known.get(key);
    if (earlier === undefined) known.set(key, at);
    return earlier === undefined
      ? []
      : [problem('TAKEN', path, `repeats the values of matrix.cells.${earlier}`)];
  });
  return [...repeated, ...ofCells];
}

function limitProblems({ minimumAmount, maximumAmount }: PricingFields): PricingProblem[] {
  return minimumAmount !== null && maximumAmount !== null && minimumAmount > maximumAmount
    ? [
        problem(
          'INVALID',
          'maximumAmount',
          `must be at least minimumAmount, which is ${minimumAmount}`,
        ),
      ]
    : [];
}

function missingUnitPrice({ unitPrice }: GivenPricing, { model }: PricingFields): PricingProblem[] {
  return !derivesUnitPrice(model) && unitPrice == null
    ? [problem('REQUIRED', 'unitPrice', `is required for the model ${model}`)]
    : [];
}

function unitPriceProblems(price: GivenPricing, fields: PricingFields): PricingProblem[] {
  const { unitPrice } = price;
  const { model, minimumAmount } = fields;
  const derived = derivesUnitPrice(model);
  const missing = missingUnitPrice(price, fields);
  if (missing.length > 0) return missing;
  const computed = unitPriceOf(unitPrice, fields);
  return [
    ...(derived && unitPrice != null && unitPrice !== computed
      ? [
          problem(
            'MISMATCH',
            'unitPrice',
            `must be absent or ${computed}, the most that one unit can cost: the other fields of the model ${model} state its prices`,
          ),
        ]
      : []),
    ...(minimumAmount !== null && computed === 0
      ? [problem('INVALID', 'minimumAmount', 'must be absent: the price never costs anything else')]
      : []),
  ];
}

/**
 * The reason why a usage meter cannot have a price of a model; undefined when it can. A matrix needs the share of each
 * event in the usage.
 */
export function aggregationProblem(model: string | null | undefined, aggregationType: string) {
  if (model !== 'matrix' || ['sum', 'count'].includes(aggregationType)) return undefined;
  return `must not be matrix: the usage meter aggregates by ${aggregationType}, and a matrix needs sum or count`;
}

/**
 * The unit price of a price: that which is given, or the most that one unit can cost, rounded up to a minor unit. It is 0
 * only for a price that never costs anything.
 */
export function unitPriceOf(given: number | null | undefined, fields: PricingFields): number {
  const { model, tiers, matrix, percentage, fixedFee } = fields;
  if (!derivesUnitPrice(model)) return given ?? 0;
  const amounts = [
    ...(tiers ?? []).map(({ unitPrice, flatFee }) => roundedUp(unitPrice) + flatFee),
    ...(matrix?.cells ?? []).map(({ unitPrice }) => roundedUp(unitPrice)),
    ...(matrix ? [roundedUp(matrix.otherUnitPrice)] : []),
    ...(percentage ? [roundedUp(shareOf(percentage)) + (fixedFee ?? 0)] : []),
  ];
  return Math.max(...amounts);
}

const one = unitsOf('1');
const roundedUp = (text: string): number => Number((unitsOf(text) + one - 1n) / one);
