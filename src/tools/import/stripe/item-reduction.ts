/** The part of its amount that an item does not cost. */
export interface ItemReduction {
  /** An exact decimal of percent, above 0 and below 100. */
  readonly discountPercentage?: string;
  /** 0 for an item that costs nothing. */
  readonly unitPrice?: number;
}

/** Units of a percentage: an item has up to 4 places. */
const scale = 10_000;
const whole = BigInt(100 * scale);

/**
 * The reduction of an item by percentages, one after the other. Undefined where their combination has more places than
 * an item can have.
 */
export function reductionOf(percentages: readonly number[]): ItemReduction | undefined {
  let rest = whole;
  for (const percentage of percentages) {
    const units = Math.round(percentage * scale);
    if (Math.abs(units - percentage * scale) > 1e-6) return undefined;
    const product = rest * (whole - BigInt(Math.min(units, Number(whole))));
    if (product % whole !== 0n) return undefined;
    rest = product / whole;
  }
  const off = Number(whole - rest);
  if (off === 0) return {};
  if (rest === 0n) return { unitPrice: 0 };
  return { discountPercentage: String(off / scale) };
}
