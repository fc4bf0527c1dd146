import type { Metadata } from '#domain/kernel/inputs/metadata.ts';
import { amountOfItem, type ChargedItem, listedAmountOfItem } from '#domain/model/catalog/cost.ts';
import type { Interval } from '#domain/model/catalog/price.ts';
import type { Pricing } from '#domain/model/catalog/pricing.ts';

/** A planned item, in a form that can be stored. */
export interface PlannedItem {
  /** The existing item; null for a new one. */
  readonly id: string | null;
  readonly priceId: string;
  readonly name: string;
  /** Minor units for a quantity of 1, unless it has another pricing. */
  readonly unitPrice: number;
  readonly quantity: number;
  /** How its amount is computed; null or absent for a price per unit. */
  readonly pricing?: Pricing | null;
  readonly externalId: string | null;
  readonly metadata: Metadata | null;
  /** Milliseconds since 1970. */
  readonly expiredAt: number | null;
}

/** The values from which the charge of an adjustment is computed: minor units, and milliseconds since 1970. */
export interface ChargeBasis {
  /** The first instant of the period. */
  readonly start: number;
  /** The instant after it. */
  readonly end: number;
  /** The start of the present plan. */
  readonly since: number;
  /** The worth of the part before that. */
  readonly used: number;
  /** The worth of a whole period by the present plan. */
  readonly total: number;
  /** The worth of items that one-off charges bill until the change, after their trials; absent without them. */
  readonly apart?: number;
  /** The costs of the items in a whole period until the change. */
  readonly oldTotal: number;
  /** Their costs after it. */
  readonly newTotal: number;
  /** Whether a whole new period begins with the change. */
  readonly startsPeriod: boolean;
  /** The amount that was paid for the period, or is being paid. */
  readonly paid: number;
}

/** An adjustment that takes effect when it is paid. */
export interface ChargedAdjustment {
  /** The instant of the request, as of which it takes effect; milliseconds since 1970. */
  readonly at: number;
  readonly items: readonly PlannedItem[];
  /** The new interval, if it differs: a new period begins then. */
  readonly interval: Interval | null;
  /** Whether phases that are due with that period stay planned; absent for those that are skipped. */
  readonly keepsPhases?: boolean;
  /** The unpaid invoice of the period that the adjustment replaces. */
  readonly replacedInvoiceId: string | null;
  /** The credit balance that was applied to that invoice, which it gets again if the adjustment is not paid. */
  readonly returnedCredit?: number;
  /** The prepaid credit that the invoice of the adjustment uses in place of that invoice, by the id of the credit. */
  readonly returnedPrepaid?: Readonly<Record<string, number>>;
  /** The capacity of each resource after it, by its id: until it is paid, no more than that can be claimed. */
  readonly capacities: Readonly<Record<string, number>>;
  /** The computation of its charge, which the invoice explains; absent in those of earlier versions. */
  readonly basis?: ChargeBasis;
}

/** Capacity of a resource that an item will grant. */
export interface GrantedResource {
  readonly featureId: string;
  readonly resourceId: string;
  readonly amount: number;
  /** Milliseconds since 1970; null without an end. */
  readonly until: number | null;
}

/** An adjustment that takes effect when the period ends. */
export interface ScheduledAdjustment {
  readonly items: readonly PlannedItem[];
  readonly interval: Interval | null;
  /** The items that end then, each with its former end. */
  readonly ending: readonly { readonly id: string; readonly expiredAt: number | null }[];
  /** The items that begin then. */
  readonly beginning: readonly string[];
  /** The capacities that all items will grant, without features that are added by hand. */
  readonly granted: readonly GrantedResource[];
}

/** The cost of a plan in a period after the trials of its items, in minor units. */
export const listedTotal = (items: readonly ChargedItem[]): number =>
  items.reduce((sum, item) => sum + listedAmountOfItem(item), 0);

/** The cost of a plan in a period, in minor units. */
export const planTotal = (items: readonly ChargedItem[]): number =>
  items.reduce((sum, item) => sum + amountOfItem(item), 0);
