import { decimalText, dividedHalfUp, unitsOf } from '#domain/kernel/values/decimal.ts';
import { type ExactPart, exactScale, type Measured, type PricedTerms } from './exact-part.ts';
import { chargesOf } from './model-charges.ts';
import { type Pricing, withTrial } from './pricing.ts';

/** One step of an amount. The amounts of all steps add up to it. */
export interface PricePart extends Omit<ExactPart, 'amount' | 'quantity'> {
  /** An exact decimal: usage or units, started packages for `packages`, and events or 1 for `fee`. */
  readonly quantity: string;
  /** Minor units, rounded so that the parts add up to the amount. */
  readonly amount: number;
}

export interface Cost {
  /** Minor units, rounded half up once. */
  readonly amount: number;
  readonly parts: readonly PricePart[];
}

/** An amount before it is rounded: `amount / scale` minor units. */
interface ExactCost {
  readonly parts: readonly ExactPart[];
  readonly amount: bigint;
  readonly scale: bigint;
}

/**
 * The cost of a period before it is rounded: the charges of the model, then the least and the largest amount, then the
 * discount of an item. An item in its trial costs nothing. A period costs nothing where credits cover all of its usage.
 */
function exactCost(terms: PricedTerms, measured: Measured): ExactCost {
  const { discount, trialEnd } = terms.pricing ?? {};
  if (trialEnd !== undefined) {
    const trial = { ...none, kind: 'trial', quantity: measured.usage, amount: 0n } as const;
    return { parts: [trial], amount: 0n, scale: exactScale(terms.perUnit) };
  }
  const cost = listCost(terms, measured);
  if (discount === undefined || cost.amount === 0n) return cost;
  // A percentage of the amount may have more places than the amount.
  const percent = unitsOf(discount);
  const scaled = cost.parts.map((part) => ({ ...part, amount: part.amount * hundred }));
  return {
    parts: [...scaled, { ...none, kind: 'discount', amount: -cost.amount * percent }],
    amount: cost.amount * (hundred - percent),
    scale: cost.scale * hundred,
  };
}

const hundred = unitsOf('100');

/** The cost before the discount of an item. */
function listCost(terms: PricedTerms, measured: Measured): ExactCost {
  const scale = exactScale(terms.perUnit);
  const { usage, covered } = measured;
  if (usage <= 0n || covered >= usage) return { parts: coveredPart(measured), amount: 0n, scale };
  const parts = chargesOf(terms, measured);
  const sum = parts.reduce((sum, { amount }) => sum + amount, 0n);
  const { minimumAmount, maximumAmount } = terms.pricing ?? {};
  const limited = (kind: ExactPart['kind'], limit: number): ExactCost => {
    const amount = BigInt(limit) * scale;
    return { parts: [...parts, { ...none, kind, amount: amount - sum }], amount, scale };
  };
  if (minimumAmount != null && sum < BigInt(minimumAmount) * scale)
    return limited('minimum', minimumAmount);
  if (maximumAmount != null && sum > BigInt(maximumAmount) * scale)
    return limited('maximum', maximumAmount);
  return { parts, amount: sum, scale };
}

const none = { quantity: 0n, tier: null, values: null, unitPrice: null };

const coveredPart = ({ covered }: Measured): ExactPart[] =>
  covered > 0n ? [{ ...none, kind: 'covered', quantity: covered, amount: 0n }] : [];

/** The cost of a quantity or of the usage of a period, rounded half up once, and its steps. */
export function costOfUsage(terms: PricedTerms, measured: Measured): Cost {
  const { parts, scale } = exactCost(terms, measured);
  let exact = 0n;
  let shown = 0n;
  const rounded = parts.map(({ amount, quantity, ...part }): PricePart => {
    exact += amount;
    const upTo = dividedHalfUp(exact, scale);
    const rounded = upTo - shown;
    shown = upTo;
    return { ...part, quantity: decimalText(quantity), amount: Number(rounded) };
  });
  return { amount: Number(shown), parts: rounded };
}

/**
 * Compares two prices by the average cost of a unit of their usage, without credits and before it is rounded. Above 0
 * where the first one is dearer.
 */
export function compareAverages(
  [one, usage]: readonly [PricedTerms, Measured],
  [other, otherUsage]: readonly [PricedTerms, Measured],
): number {
  const [a, b] = [
    exactCost(one, { ...usage, covered: 0n }),
    exactCost(other, { ...otherUsage, covered: 0n }),
  ];
  const difference = a.amount * b.scale * otherUsage.usage - b.amount * a.scale * usage.usage;
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
}

/** An item that is charged in each period. */
export interface ChargedItem {
  /** Minor units for a quantity of 1, if the item has no other pricing. */
  readonly unitPrice: number;
  readonly quantity: number;
  readonly pricing?: Pricing | null | undefined;
}

/** The charge of an item in a whole period, and its steps; no steps for a price per unit. */
export function costOfItem({ unitPrice, quantity, pricing }: ChargedItem): Cost {
  if (!pricing) return { amount: unitPrice * quantity, parts: [] };
  const usage = unitsOf(String(quantity));
  return costOfUsage({ unitPrice, perUnit: 1, pricing }, { usage, covered: 0n });
}

/** The charge of an item in a whole period, in minor units. */
export const amountOfItem = (item: ChargedItem): number => costOfItem(item).amount;

/** The charge of an item in a whole period after its trial, in minor units. */
export const listedAmountOfItem = (item: ChargedItem): number =>
  amountOfItem({ ...item, pricing: withTrial(item.pricing, null) });

/** The terms that an item of a price keeps. */
export const itemTermsOf = ({ terms }: { readonly terms: PricedTerms }) => ({
  unitPrice: terms.unitPrice,
  pricing: terms.pricing ?? null,
});

/** An item with the amount that its row keeps: null for a price per unit. */
export const withAmount = <T extends ChargedItem>(item: T) => ({
  ...item,
  pricedAmount: item.pricing ? amountOfItem(item) : null,
});
