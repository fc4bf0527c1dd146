import type { Units } from '#domain/kernel/values/decimal.ts';
import type { Rate } from '#domain/metering/ledger/ledger.ts';
import type { Cost } from '#domain/model/catalog/cost.ts';
import type { Measured } from '#domain/model/catalog/exact-part.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';

/** The price of usage of a meter, and the name for its lines. */
export interface UsageRate extends Rate {
  readonly balanceId: string;
  readonly priceId: string;
  readonly meterName: string;
  readonly currency: string;
}

/** Some usage, and its amount in minor units. */
export interface Worth {
  readonly units: Units;
  readonly amount: bigint;
}

/**
 * Usage of one period that is on no invoice yet; below 0 for usage that an earlier line overbilled. At a price with a
 * model a part may have an amount and no units: the same usage costs something else now.
 */
export interface UnbilledPart extends Worth {
  readonly periodId: string;
  /** The usage of the period that has been billed at this price, less its corrections. */
  readonly before: Worth;
  /** The change of it by all unbilled parts of the period together. */
  readonly change: Worth;
  /** For a correction: the share of the discount with which its usage was billed, in minor units. */
  readonly discount?: ReturnedShare;
  /** For a price with a model: the present cost of the whole period. */
  readonly cost?: PeriodCost;
  /** The line that a correction undoes; null for usage that is billed for the first time. */
  readonly undone: Undone | null;
}

/** The cost of a period at a price with a model, and the usage that it follows from. */
interface PeriodCost extends Cost {
  readonly measured: Measured;
}

/** The share of a discount that a correction returns. */
interface ReturnedShare {
  readonly code: string;
  readonly redemptionId: string;
  readonly amount: number;
}

/** An amount that a line bills or credits, and the line that it undoes. */
export type BilledPart = Pick<UnbilledPart, 'amount' | 'undone' | 'discount'>;

/** The amount of a part less the discount that it returns: a correction is worth what was paid for it. */
export const paidOf = ({ amount, discount }: BilledPart): number =>
  Number(amount) + (discount?.amount ?? 0);

/** The parts that the next invoice may bill or set off; corrections without kept money are excluded. */
export const isBillable = ({ undone }: UnbilledPart) => !undone || undone.standing === 'kept';

/** The line and the invoice that a correction undoes. */
export interface Undone {
  readonly lineId: string;
  readonly invoice: Invoice;
  /**
   * `kept` is paid for. `lost` is on an invoice that has no money left for it. `awaited` is on an invoice that is
   * still to be paid, so its worth is not known yet.
   */
  readonly standing: 'kept' | 'lost' | 'awaited';
}
