import fc from 'fast-check';
import type { PricingFields } from '#domain/model/catalog/pricing.ts';

/** An exact fraction with a denominator above 0. */
interface Ratio {
  readonly n: bigint;
  readonly d: bigint;
}

const ratio = (text: string | number): Ratio => {
  const [whole = '0', fraction = ''] = String(text).split('.');
  return { n: BigInt(whole + fraction), d: 10n ** BigInt(fraction.length) };
};
const plus = (a: Ratio, b: Ratio): Ratio => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d });
const minus = (a: Ratio, b: Ratio): Ratio => plus(a, { n: -b.n, d: b.d });
const times = (a: Ratio, b: Ratio): Ratio => ({ n: a.n * b.n, d: a.d * b.d });
const over = (a: Ratio, b: Ratio): Ratio => ({ n: a.n * b.d, d: a.d * b.n });
const isBelow = (a: Ratio, b: Ratio) => a.n * b.d < b.n * a.d;
const least = (a: Ratio, b: Ratio) => (isBelow(a, b) ? a : b);
const zero = ratio(0);
const most = (a: Ratio, b: Ratio) => (isBelow(a, b) ? b : a);
const isAbove0 = (a: Ratio) => a.n > 0n;
const rounded = ({ n, d }: Ratio) => Number((2n * n + d) / (2n * d));

/** A price as requests write it; absent fields are not set. */
export type PriceSketch = {
  readonly unitPrice: number;
  readonly perUnit?: number;
  /** The percentage by which an item is reduced. */
  readonly discount?: string | undefined;
} & {
  readonly [Field in keyof PricingFields]?: PricingFields[Field];
};

/** Some units at one price; `step` names what it belongs to. */
interface Slice {
  readonly units: Ratio;
  readonly price: Ratio;
  readonly step: number;
}

/**
 * The amount of a period by the rules of the guide on prices, in exact fractions: units are placed first, then credits
 * take the dearest, then fees and limits apply, and the sum is rounded half up.
 */
export function expectedAmount(
  price: PriceSketch,
  usage: string,
  covered = '0',
  cells: Readonly<Record<string, string>> = {},
  events = 1,
): number {
  const perUnit = ratio(price.perUnit ?? 1);
  const used = over(ratio(usage), perUnit);
  const credit = over(ratio(covered), perUnit);
  if (!isAbove0(minus(used, credit))) return 0;
  const counted = most(zero, minus(used, ratio(price.freeUnits ?? 0)));
  const rest = most(zero, minus(counted, credit));
  let sum = isAbove0(rest)
    ? charges(price, { counted, credit, rest, perUnit, cells, events })
    : zero;
  if (price.minimumAmount) sum = most(sum, ratio(price.minimumAmount));
  if (price.maximumAmount) sum = least(sum, ratio(price.maximumAmount));
  return rounded(times(sum, over(minus(ratio(100), ratio(price.discount ?? 0)), ratio(100))));
}

interface Counted {
  readonly counted: Ratio;
  readonly credit: Ratio;
  readonly rest: Ratio;
  readonly perUnit: Ratio;
  readonly cells: Readonly<Record<string, string>>;
  readonly events: number;
}

function charges(
  price: PriceSketch,
  { counted, credit, rest, perUnit, cells, events }: Counted,
): Ratio {
  const { model = 'per_unit', unitPrice, tiers } = price;
  const reached = (units: Ratio) =>
    (tiers ?? []).find(({ upTo }) => upTo === null || !isBelow(ratio(upTo), units));
  const worth = (slices: readonly Slice[]) =>
    slices.reduce((sum, { units, price }) => plus(sum, times(units, price)), zero);
  if (model === 'per_unit') return times(rest, ratio(unitPrice));
  if (model === 'flat') return ratio(unitPrice);
  if (model === 'package') {
    const packages = over(rest, ratio(price.packageSize ?? 1));
    return times(ratio(unitPrice), { n: (packages.n + packages.d - 1n) / packages.d, d: 1n });
  }
  if (model === 'percentage') {
    const share = over(ratio(price.percentage ?? '0'), ratio(100));
    return plus(times(rest, share), ratio((price.fixedFee ?? 0) * events));
  }
  if (model === 'stairstep') return ratio(reached(rest)?.flatFee ?? 0);
  if (model === 'volume') {
    const tier = reached(counted);
    return plus(times(rest, ratio(tier?.unitPrice ?? '0')), ratio(tier?.flatFee ?? 0));
  }
  if (model === 'matrix') {
    const { cells: priced = [], otherUnitPrice = '0' } = price.matrix ?? {};
    const slices = Object.entries(cells).map(([key, amount], step) => {
      const known = priced.find(({ values }) => JSON.stringify(values) === key);
      const units = over(ratio(amount), perUnit);
      return { units, price: ratio(known?.unitPrice ?? otherUnitPrice), step };
    });
    return worth(without(slices, credit));
  }
  const slices = (tiers ?? []).map(({ upTo, unitPrice }, step) => {
    const from = step === 0 ? zero : ratio(tiers?.[step - 1]?.upTo ?? '0');
    const to = upTo === null ? counted : least(counted, ratio(upTo));
    return { units: most(zero, minus(to, from)), price: ratio(unitPrice), step };
  });
  const left = without(slices, credit);
  const fees = left.reduce(
    (sum, { step, units }) => plus(sum, ratio(isAbove0(units) ? (tiers?.[step]?.flatFee ?? 0) : 0)),
    zero,
  );
  return plus(worth(left), fees);
}

/** The rest of slices after credits covered the dearest ones, of equal ones the last. */
function without(slices: readonly Slice[], credit: Ratio): Slice[] {
  let left = credit;
  return slices
    .toSorted((a, b) =>
      isBelow(a.price, b.price) ? 1 : isBelow(b.price, a.price) ? -1 : b.step - a.step,
    )
    .map((slice) => {
      const taken = least(left, slice.units);
      left = minus(left, taken);
      return { ...slice, units: minus(slice.units, taken) };
    });
}

const price = fc.constantFrom('0', '1', '2.5', '7', '0.004', '13', '100');
const fee = fc.constantFrom(0, 0, 5, 90);
const ends = fc
  .uniqueArray(fc.constantFrom('1', '3', '7.5', '10', '20', '50'), { maxLength: 4 })
  .map((ends) => [...ends.toSorted((a, b) => Number(a) - Number(b)), null]);

/** Tiers of a model. */
const tiersOf = (isStep: boolean) =>
  ends.chain((ends) =>
    fc.tuple(
      ...ends.map((upTo) =>
        fc.record({
          upTo: fc.constant(upTo),
          unitPrice: isStep ? fc.constant('0') : price,
          flatFee: fee,
        }),
      ),
    ),
  );

const limits = fc.record(
  {
    freeUnits: fc.integer({ min: 1, max: 12 }),
    minimumAmount: fc.integer({ min: 1, max: 200 }),
    maximumAmount: fc.integer({ min: 200, max: 900 }),
  },
  { requiredKeys: [] },
);

/** A price that never costs anything has no minimum. */
const isFree = ({ tiers }: PriceSketch) =>
  tiers?.every(({ unitPrice, flatFee }) => unitPrice === '0' && flatFee === 0) ?? false;

const tiered = (model: 'graduated' | 'volume' | 'stairstep') =>
  tiersOf(model === 'stairstep').map((tiers) => ({ model, tiers, unitPrice: 0 }));

const models: fc.Arbitrary<PriceSketch> = fc.oneof(
  fc.record({ unitPrice: fc.integer({ min: 1, max: 50 }) }),
  fc.record({ model: fc.constant('flat' as const), unitPrice: fc.integer({ min: 1, max: 500 }) }),
  fc.record({
    model: fc.constant('package' as const),
    unitPrice: fc.integer({ min: 1, max: 99 }),
    packageSize: fc.integer({ min: 1, max: 9 }),
  }),
  tiered('graduated'),
  tiered('volume'),
  tiered('stairstep'),
);

const percentage: fc.Arbitrary<PriceSketch> = fc.record({
  model: fc.constant('percentage' as const),
  unitPrice: fc.constant(0),
  percentage: fc.constantFrom('2.9', '0.25', '10', '33.3333'),
  fixedFee: fee,
});

/** Random prices of subscription items. */
export const itemPrices: fc.Arbitrary<PriceSketch> = fc
  .tuple(models, limits)
  .map(([model, limits]) => ({ ...model, ...limits }))
  .filter((price) => !isFree(price));

/** Random prices of usage, without matrices. */
export const usagePrices: fc.Arbitrary<PriceSketch> = fc
  .tuple(fc.oneof(models, percentage), limits, fc.constantFrom(1, 1, 3, 10))
  .map(([model, limits, perUnit]) => ({ ...model, ...limits, perUnit }))
  .filter((price) => !isFree(price));
