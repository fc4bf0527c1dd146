/** An item of a subscription as events show it. */
export interface EmittedItem {
  /** Null for one that was planned and never began. */
  readonly id: string | null;
  readonly name: string;
  readonly priceId: string | null;
  readonly unitPrice: number;
  readonly quantity: number;
}

export interface AdjustmentEvent {
  readonly verb: 'adjusted' | 'adjustment_scheduled' | 'adjustment_canceled';
  readonly oldItems: readonly EmittedItem[];
  readonly newItems: readonly EmittedItem[];
  /** Why a scheduled adjustment could not be applied; null when it was canceled. */
  readonly reason?: string | null;
}

const news = new WeakMap<object, AdjustmentEvent>();

/** Adds the former and present items of a locked subscription to the event of this transaction. */
export function emitAdjustment(subscription: { adjustmentCount: number }, told: AdjustmentEvent) {
  subscription.adjustmentCount++;
  news.set(subscription, told);
}

export const adjustmentEventOf = (subscription: object) => news.get(subscription);

/** An item, reduced to the fields that events show. */
export const told = ({ id, name, priceId, unitPrice, quantity }: EmittedItem): EmittedItem => ({
  id,
  name,
  priceId,
  unitPrice,
  quantity,
});
