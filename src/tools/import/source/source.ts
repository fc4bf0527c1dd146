import type { DiscountSize } from '#domain/model/catalog/discount-terms.ts';
import type { TaxRule } from '#domain/model/catalog/tax.ts';
import type { TaxId } from '#domain/model/platform/parties.ts';

/** The records of another system, in the words of this one. They are named by the ids that they have there. */
export interface Source {
  readonly products: readonly SourceProduct[];
  readonly meters: readonly SourceMeter[];
  readonly discounts: readonly SourceDiscount[];
  readonly customers: readonly SourceCustomer[];
  readonly subscriptions: readonly SourceSubscription[];
  /** Records that cannot be imported as they are. */
  readonly problems: readonly Problem[];
}

export interface Problem {
  /** The record in the source, such as `subscription sub_123`. */
  readonly record: string;
  /** The reason, and how to proceed. */
  readonly message: string;
  /** Whether the record is left out, or a part of it that changes what is charged; otherwise it is a note. */
  readonly isLeftOut: boolean;
}

/** A product with its prices; the first one is its default. */
export interface SourceProduct {
  readonly slug: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly taxCode?: string | undefined;
  readonly active: boolean;
  readonly prices: readonly SourcePrice[];
}

/** A usage meter with its prices; the first one of a currency is its default. */
export interface SourceMeter {
  readonly slug: string;
  readonly name: string;
  /** Absent where the source does not state it: one that is here stays as it is. */
  readonly aggregationType?: 'sum' | 'count' | 'max' | 'last' | undefined;
  readonly prices: readonly SourcePrice[];
}

export interface SourcePrice {
  readonly slug: string;
  readonly name?: string | undefined;
  readonly type: 'subscription' | 'single_payment' | 'usage';
  /** In minor units of the currency; absent where tiers state the prices. */
  readonly unitPrice?: number | undefined;
  readonly model?: 'graduated' | 'volume' | 'package' | undefined;
  /** Exact decimals of minor units. */
  readonly tiers?:
    | readonly {
        readonly upTo: string | null;
        readonly unitPrice: string;
        readonly flatFee: number;
      }[]
    | undefined;
  readonly packageSize?: number | undefined;
  /** 1 for a price of usage. */
  readonly usageEventsPerUnit?: number | undefined;
  /** ISO 4217, upper case. */
  readonly currency: string;
  readonly intervalUnit?: 'day' | 'week' | 'month' | 'year' | undefined;
  readonly intervalCount?: number | undefined;
  /** The days of the trial of a subscription to it. */
  readonly trialPeriodDays?: number | undefined;
  readonly active: boolean;
}

export interface SourceDiscount {
  readonly code: string;
  readonly name: string;
  readonly amountType: 'percent' | 'fixed';
  /** Percent with at most 4 places, or minor units of the currency. */
  readonly amount: number;
  readonly currency?: string | undefined;
  readonly duration: 'once' | 'forever' | 'number_of_months';
  readonly numberOfMonths?: number | undefined;
  /** Whether it can be redeemed; others are here for those that have redeemed them. */
  readonly active?: boolean | undefined;
  readonly redemptionLimit?: number | undefined;
  readonly expiresAt?: Date | undefined;
}

/** The rest of a redeemed discount. */
export interface SourceRedemption {
  readonly code: string;
  /** Its terms there: a percentage, or an amount in the currency of the subscription. */
  readonly size: DiscountSize;
  /** The number of payments that it reduces from now on; absent without an end, and where months count. */
  readonly payments?: number | undefined;
  /** The months that it has, and when they end; absent where they do not count. */
  readonly months?: SourceMonths | undefined;
}

/** Months of a redeemed discount, and the instant from which on it reduces no billing period that begins. */
export interface SourceMonths {
  readonly count: number;
  readonly end: Date;
}

/** Money that a customer has in advance. */
export interface SourceCredit {
  readonly amount: number;
  readonly currency: string;
}

export interface SourceCustomer {
  readonly externalId: string;
  readonly name: string;
  readonly email: string;
  readonly billingAddress?: Readonly<Record<string, unknown>> | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly language?: string | undefined;
  readonly taxIds?: readonly { readonly type: TaxId['type']; readonly value: string }[] | undefined;
  readonly taxExempt?: 'none' | 'exempt' | 'reverse' | undefined;
  /** The tax on all that it pays. */
  readonly tax?: SourceTax | undefined;
  readonly credit?: SourceCredit | undefined;
  /** The record of the customer at the processor, under which its payment methods are charged. */
  readonly processorReference?: string | undefined;
  readonly paymentMethods: readonly SourceMethod[];
}

/** The tax rule of a customer, in the words of `createCustomer`. */
export interface SourceTax {
  readonly taxType: Exclude<TaxRule['taxType'], 'none'>;
  readonly taxRatePercentage: string;
  readonly taxInclusive: boolean;
  readonly taxCountry?: string | undefined;
  readonly taxState?: string | undefined;
}

interface SourceMethod {
  /** The processor's token. */
  readonly token: string;
  readonly type: string;
  /** The details that are shown, such as brand and last4. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly isDefault: boolean;
}

interface SourceItem {
  readonly priceSlug: string;
  readonly quantity: number;
  /** The end of the trial of the item, within the subscription. */
  readonly trialEnd?: Date | undefined;
  /** Minor units, where it is negotiated. */
  readonly unitPrice?: number | undefined;
  /** An exact decimal. */
  readonly discountPercentage?: string | undefined;
}

/** All items of a subscription from an instant on. */
export interface SourcePhase {
  readonly startsAt: Date;
  /** Whether it starts then, also within a period, or with the next one. */
  readonly timing?: 'with_period' | 'at_date' | undefined;
  readonly items: readonly {
    readonly priceSlug: string;
    readonly quantity: number;
    /** Minor units, where it is negotiated. */
    readonly unitPrice?: number | undefined;
    /** An exact decimal; null ends the discount that the item has before. */
    readonly discountPercentage?: string | null | undefined;
    readonly name?: string | undefined;
  }[];
}

export interface SourceSubscription {
  readonly externalId: string;
  readonly customerExternalId: string;
  readonly items: readonly SourceItem[];
  /** Its items from later dates on, the earliest first. */
  readonly phases?: readonly SourcePhase[] | undefined;
  /** From which the boundaries of billing periods are counted. */
  readonly startDate: Date;
  /** The end of the period that the other system has billed; undefined in a trial. */
  readonly paidUntil?: Date | undefined;
  readonly trialEnd?: Date | undefined;
  /** The instant from which periods are counted, where they are not counted from the end of the trial. */
  readonly billingCycleAnchorDate?: Date | undefined;
  /** The number of periods after which it ends, with the running one. */
  readonly periodCount?: number | undefined;
  /** Whether it is paused, and until when. */
  readonly pause?: { readonly resumesAt?: Date | undefined } | undefined;
  /** The token of the payment method that is charged; the default one of the customer without it. */
  readonly paymentToken?: string | undefined;
  /** Whether elapsed periods that are not paid elsewhere are charged here. */
  readonly chargesBackdated?: boolean | undefined;
  readonly endsWithPeriod: boolean;
  /** The instant at which it ends, where that is no boundary. */
  readonly endsAt?: Date | undefined;
  readonly collectionMethod: 'charge_automatically' | 'send_invoice';
  readonly daysUntilDue?: number | undefined;
  /** A discount that it redeems now. */
  readonly discountCode?: string | undefined;
  /** A discount that it has redeemed before. */
  readonly redemption?: SourceRedemption | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}
