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
  /** Whether the record is left out; otherwise it is imported without a part of it. */
  readonly isLeftOut: boolean;
}

/** A product with its prices; the first one is its default. */
export interface SourceProduct {
  readonly slug: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly active: boolean;
  readonly prices: readonly SourcePrice[];
}

/** A usage meter with its prices; the first one of a currency is its default. */
export interface SourceMeter {
  readonly slug: string;
  readonly name: string;
  readonly aggregationType: 'sum' | 'max' | 'last';
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
  /** Percent, or minor units of the currency. */
  readonly amount: number;
  readonly currency?: string | undefined;
  readonly duration: 'once' | 'forever' | 'number_of_payments';
  readonly numberOfPayments?: number | undefined;
}

export interface SourceCustomer {
  readonly externalId: string;
  readonly name: string;
  readonly email: string;
  readonly billingAddress?: Readonly<Record<string, unknown>> | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** The record of the customer at the processor, under which its payment methods are charged. */
  readonly processorReference?: string | undefined;
  readonly paymentMethods: readonly SourceMethod[];
}

export interface SourceMethod {
  /** The processor's token. */
  readonly token: string;
  readonly type: string;
  /** The details that are shown, such as brand and last4. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly isDefault: boolean;
}

export interface SourceItem {
  readonly priceSlug: string;
  readonly quantity: number;
  /** The end of the trial of the item, within the subscription. */
  readonly trialEnd?: Date | undefined;
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
    /** An exact decimal. */
    readonly discountPercentage?: string | undefined;
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
  /** Whether elapsed periods that are not paid elsewhere are charged here. */
  readonly chargesBackdated?: boolean | undefined;
  readonly endsWithPeriod: boolean;
  readonly collectionMethod: 'charge_automatically' | 'send_invoice';
  readonly daysUntilDue?: number | undefined;
  readonly discountCode?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}
