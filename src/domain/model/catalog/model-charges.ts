import { decimalText, type Units, unitsOf } from '#domain/kernel/values/decimal.ts';
import {
  atUnitPrice,
  type ExactPart,
  exactScale,
  type Measured,
  one,
  type PricedTerms,
} from './exact-part.ts';
import { matrixCharges } from './matrix-charges.ts';
import type { PriceTier } from './pricing.ts';

const nothing = { tier: null, values: null, unitPrice: null, quantity: 0n };

/** The part of usage that is charged: less free units and then less credits, which cover the dearest usage. */
interface Charged {
  /** The usage that is not free. */
  readonly all: Units;
  /** The part of it that credits cover. */
  readonly covered: Units;
  /** The rest, which is charged. */
  readonly rest: Units;
}

/** The charges of the model of a price for some usage, of which a part is not covered by credits. */
export function chargesOf(terms: PricedTerms, measured: Measured): ExactPart[] {
  const { usage, covered } = measured;
  const freeUnits = unitsOf(String(terms.pricing?.freeUnits ?? 0)) * BigInt(terms.perUnit);
  const all = usage > freeUnits ? usage - freeUnits : 0n;
  const within = covered < all ? covered : all;
  const charged = { all, covered: within, rest: all - within };
  const free = usage - covered - charged.rest;
  return [
    ...(covered > 0n
      ? [{ ...nothing, kind: 'covered' as const, quantity: covered, amount: 0n }]
      : []),
    ...(free > 0n ? [{ ...nothing, kind: 'free' as const, quantity: free, amount: 0n }] : []),
    ...(charged.rest > 0n ? modelCharges(terms, charged, measured) : []),
  ];
}

function modelCharges(terms: PricedTerms, charged: Charged, measured: Measured): ExactPart[] {
  const { unitPrice, perUnit, pricing } = terms;
  const { rest } = charged;
  const fee = (amount: number, tier: number | null = null): ExactPart[] =>
    amount === 0
      ? []
      : [
          {
            ...nothing,
            kind: 'fee',
            tier,
            quantity: one,
            amount: BigInt(amount) * exactScale(perUnit),
          },
        ];
  switch (pricing?.model) {
    case 'graduated':
      return graduated(pricing.tiers ?? [], charged, perUnit).flatMap(({ tier, quantity, of }) => [
        ...unitsAt(quantity, of.unitPrice, { tier }),
        ...fee(of.flatFee, tier),
      ]);
    case 'volume': {
      const [of, tier] = tierOf(pricing.tiers ?? [], charged.all, perUnit);
      return [...unitsAt(rest, of.unitPrice, { tier }), ...fee(of.flatFee, tier)];
    }
    case 'stairstep': {
      const [of, tier] = tierOf(pricing.tiers ?? [], rest, perUnit);
      const amount = BigInt(of.flatFee) * exactScale(perUnit);
      return [{ ...nothing, kind: 'units', tier, quantity: rest, amount }];
    }
    case 'package': {
      const size = unitsOf(String(pricing.packageSize ?? 1)) * BigInt(perUnit);
      const started = (rest + size - 1n) / size;
      const amount = started * BigInt(unitPrice) * exactScale(perUnit);
      const price = { unitPrice: String(unitPrice), amount };
      return [{ ...nothing, kind: 'packages', quantity: started * one, ...price }];
    }
    case 'flat':
      return fee(unitPrice);
    case 'percentage':
      return [
        ...unitsAt(rest, shareOf(pricing.percentage), {}),
        ...feeOfEvents(pricing.fixedFee ?? 0, measured.events ?? 1, perUnit),
      ];
    case 'matrix':
      return matrixCharges(pricing.matrix, measured);
    default:
      return unitsAt(rest, String(unitPrice), {});
  }
}

function feeOfEvents(fee: number, events: number, perUnit: number): ExactPart[] {
  if (fee === 0) return [];
  const quantity = BigInt(events) * one;
  const amount = BigInt(fee) * BigInt(events) * exactScale(perUnit);
  return [{ ...nothing, kind: 'fee', quantity, unitPrice: String(fee), amount }];
}

/** A percentage of at most 4 places as a price of a unit. */
export const shareOf = (percentage: string | undefined): string =>
  decimalText(unitsOf(percentage ?? '0') / 100n);

const unitsAt = (
  quantity: Units,
  unitPrice: string,
  of: Partial<Pick<ExactPart, 'tier'>>,
): ExactPart[] => [
  {
    ...nothing,
    ...of,
    kind: 'units',
    quantity,
    unitPrice,
    amount: atUnitPrice(quantity, unitPrice),
  },
];

const endOf = ({ upTo }: PriceTier, perUnit: number): Units | null =>
  upTo === null ? null : unitsOf(upTo) * BigInt(perUnit);

/** The tier in which a quantity ends, and its number. */
function tierOf(tiers: readonly PriceTier[], quantity: Units, perUnit: number) {
  const at = tiers.findIndex((tier) => {
    const end = endOf(tier, perUnit);
    return end === null || quantity <= end;
  });
  return [tiers[at] as PriceTier, at + 1] as const;
}

/** The units of each tier that are charged: credits cover the dearest ones first, of equal ones the last. */
function graduated(tiers: readonly PriceTier[], { all, covered }: Charged, perUnit: number) {
  let start = 0n;
  const used = tiers.map((of, index) => {
    const end = endOf(of, perUnit);
    const upTo = end === null || all < end ? all : end;
    const quantity = upTo > start ? upTo - start : 0n;
    start = upTo > start ? upTo : start;
    return { tier: index + 1, of, quantity };
  });
  let left = covered;
  for (const tier of used.toSorted(dearestFirst)) {
    const taken = left < tier.quantity ? left : tier.quantity;
    tier.quantity -= taken;
    left -= taken;
  }
  return used.filter(({ quantity }) => quantity > 0n);
}

interface Used {
  readonly tier: number;
  readonly of: PriceTier;
}

function dearestFirst(one: Used, other: Used): number {
  const difference = unitsOf(other.of.unitPrice) - unitsOf(one.of.unitPrice);
  return difference === 0n ? other.tier - one.tier : difference > 0n ? 1 : -1;
}
