/** An item of a subscription as events tell of it. */
export interface ToldItem {
  /** Null for one that was to begin and never did. */
  readonly id: string | null;
  readonly name: string;
  readonly priceId: string | null;
  readonly unitPrice: number;
  readonly quantity: number;
}

export interface AdjustmentNews {
  readonly verb: 'adjusted' | 'adjustment_scheduled' | 'adjustment_canceled';
  readonly oldItems: readonly ToldItem[];
  readonly newItems: readonly ToldItem[];
  /** Why a scheduled adjustment could not be made; null when it was taken back. */
  readonly reason?: string | null;
}

const news = new WeakMap<object, AdjustmentNews>();

/** Has the event of this transaction tell what a held subscription consisted of and consists of now. */
export function tellOfAdjustment(subscription: { adjustmentCount: number }, told: AdjustmentNews) {
  subscription.adjustmentCount++;
  news.set(subscription, told);
}

export const newsOf = (subscription: object) => news.get(subscription);

/** An item, reduced to what events tell of it. */
export const told = ({ id, name, priceId, unitPrice, quantity }: ToldItem): ToldItem => ({
  id,
  name,
  priceId,
  unitPrice,
  quantity,
});
