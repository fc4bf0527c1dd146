/** An item of a subscription as events show it. */
export interface EmittedItem {
  /** Null for one that was planned and never began. */
  readonly id: string | null;
  readonly name: string;
  readonly priceId: string | null;
  readonly unitPrice: number;
  readonly quantity: number;
}

/** An adjustment as the event of its transaction shows it. */
export interface AdjustmentEvent {
  readonly verb: 'adjusted' | 'adjustment_scheduled' | 'adjustment_canceled';
  readonly oldItems: readonly EmittedItem[];
  readonly newItems: readonly EmittedItem[];
  /** Why a scheduled adjustment could not be applied; null when it was canceled. */
  readonly reason?: string | null;
}

/** The fields of an item that events show. */
export const emittedItem = ({
  id,
  name,
  priceId,
  unitPrice,
  quantity,
}: EmittedItem): EmittedItem => ({
  id,
  name,
  priceId,
  unitPrice,
  quantity,
});
