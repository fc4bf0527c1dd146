import type { Invoice } from '#domain/invoices/invoice.ts';
import type { Units } from '#domain/kernel/decimal.ts';

/** What one price of a meter costs, and how lines call it. */
export interface UsageRate {
  readonly balanceId: string;
  readonly priceId: string;
  readonly unitPrice: number;
  readonly perUnit: number;
  readonly meterName: string;
  readonly currency: string;
}

/** Usage of one period that stands on no invoice yet; below 0 for usage that an earlier line billed too much. */
export interface UnbilledPart {
  readonly periodId: string;
  readonly units: Units;
  /** The line that a correction undoes; null for usage that is billed for the first time. */
  readonly undone: Undone | null;
}

/** The parts that the next invoice may bill or set off; what nothing has been kept for is no matter of it. */
export const isBillable = ({ undone }: UnbilledPart) => !undone || undone.standing === 'kept';

/** What a correction undoes. */
export interface Undone {
  readonly lineId: string;
  readonly invoice: Invoice;
  /**
   * `kept` has been paid for, `lost` stands on an invoice that has no money left for it, and `awaited` on one that is
   * still to be paid: whether it is worth something is not known yet.
   */
  readonly standing: 'kept' | 'lost' | 'awaited';
}
