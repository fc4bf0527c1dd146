import type { Interval } from '#domain/prices/price.ts';
import type { SubscriptionItem } from '#domain/subscription-items/subscription-item.ts';
import type { Metadata } from './subscription.ts';

/** An item as it is to be, in a form that can be kept until it is. */
export interface PlannedItem {
  /** The item that it is already; null for a new one. */
  readonly id: string | null;
  readonly priceId: string;
  readonly name: string;
  /** Minor units for one. */
  readonly unitPrice: number;
  readonly quantity: number;
  readonly externalId: string | null;
  readonly metadata: Metadata | null;
  /** Milliseconds since 1970. */
  readonly expiredAt: number | null;
}

/** An adjustment that takes effect when it has been paid for. */
export interface ChargedAdjustment {
  /** When it was asked for, and as of when it takes effect; milliseconds since 1970. */
  readonly at: number;
  readonly items: readonly PlannedItem[];
  /** The new interval, where it is another one: a new period begins then. */
  readonly interval: Interval | null;
  /** The invoice of the period, still unpaid, in whose place the adjustment is paid for. */
  readonly replacedInvoiceId: string | null;
  /** The applied credit of that invoice, which it gets again if the adjustment is not paid; minor units. */
  readonly returnedCredit?: number;
  /** How much of each resource, by its id, there will be: until it is paid for, no more than that can be claimed. */
  readonly capacities: Readonly<Record<string, number>>;
}

/** Some of a resource's capacity that an item will grant. */
export interface GrantedResource {
  readonly featureId: string;
  readonly resourceId: string;
  readonly amount: number;
  /** Milliseconds since 1970; null for good. */
  readonly until: number | null;
}

/** An adjustment that takes effect when the period ends. */
export interface ScheduledAdjustment {
  readonly items: readonly PlannedItem[];
  readonly interval: Interval | null;
  /** The items that end then, each with the end that it had before. */
  readonly ending: readonly { readonly id: string; readonly expiredAt: number | null }[];
  /** The items that begin then. */
  readonly beginning: readonly string[];
  /** The capacities that all items will grant, without features that are added by hand. */
  readonly granted: readonly GrantedResource[];
}

/** The cost of a plan in a period, in minor units. */
export const planTotal = (items: readonly Pick<PlannedItem, 'unitPrice' | 'quantity'>[]) =>
  items.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * quantity, 0);

/** Whether an item is charged for and can be adjusted: it was not added by hand. */
export const isPlanItem = ({ manuallyCreated, priceId }: SubscriptionItem) =>
  !manuallyCreated && priceId !== null;
