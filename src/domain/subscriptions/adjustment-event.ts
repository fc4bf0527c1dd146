/** An item of a subscription as events tell of it. */
export interface EmittedItem {
  /** Null for one that was to begin and never did. */
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
  /** Why a scheduled adjustment could not be made; null when it was taken back. */
  readonly reason?: string | null;
}

const news = new WeakMap<object, AdjustmentEvent>();

/** Has the event of this transaction tell what a held subscription consisted of and consists of now. */
export function emitAdjustment(subscription: { adjustmentCount: number }, told: AdjustmentEvent) {
  subscription.adjustmentCount++;
  news.set(subscription, told);
}

export const adjustmentEventOf = (subscription: object) => news.get(subscription);

/** An item, reduced to what events tell of it. */
export const told = ({ id, name, priceId, unitPrice, quantity }: EmittedItem): EmittedItem => ({
  id,
  name,
  priceId,
  unitPrice,
  quantity,
});
