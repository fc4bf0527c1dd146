import type { CollectionTerms } from '#domain/invoicing/billing/collection-terms.ts';
import { invalid } from '#domain/kernel/errors.ts';
import { latestInstant } from '#domain/kernel/inputs/inputs.ts';
import type { Metadata } from '#domain/kernel/inputs/metadata.ts';
import type { Discount } from '#domain/model/catalog/discount.ts';
import type { intervalUnits, Price } from '#domain/model/catalog/price.ts';
import type { Pricing } from '#domain/model/catalog/pricing.ts';
import type { Product } from '#domain/model/catalog/product.ts';
import type { CollectionMethod } from '#domain/model/platform/collection-methods.ts';
import type { PaymentMethod } from '#domain/model/platform/payment-method.ts';
import type { Commitment } from '#domain/model/subscriptions/commitment.ts';
import type { SubscriptionStatus } from '#domain/model/subscriptions/subscription-statuses.ts';
import type { ChosenAnchor } from '#domain/subscriptions/periods/chosen-anchor.ts';

/** One item of a new subscription. */
export interface FirstItem {
  readonly price: Price;
  readonly product: Product;
  readonly name: string;
  /** Minor units for a quantity of 1, unless it has another pricing. */
  readonly unitPrice: number;
  readonly quantity: number;
  /** How its amount is computed; null for a price per unit. */
  readonly pricing: Pricing | null;
  readonly externalId?: string | null;
  readonly metadata?: Metadata | null;
  /** The field of the input that names its price. */
  readonly field?: string;
}

/** The terms of a new subscription; everything but price and product has a default. */
export interface Terms {
  readonly price: Price;
  readonly product: Product;
  /** Whether its customer is new in this transaction: nothing of that customer is to be locked or read. */
  readonly isFirst?: boolean;
  /** The field of the input that names the price. */
  readonly priceField?: string;
  readonly quantity?: number | null | undefined;
  /** Its items, where it has several or negotiated ones; price and product are those of the most expensive one. */
  readonly items?: readonly FirstItem[] | undefined;
  readonly startDate?: Date | null | undefined;
  readonly interval?: (typeof intervalUnits)[number] | null | undefined;
  readonly intervalCount?: number | null | undefined;
  readonly trialEnd?: Date | null | undefined;
  readonly paidUntil?: Date | null | undefined;
  readonly metadata?: Metadata | null | undefined;
  readonly name?: string | null | undefined;
  readonly defaultPaymentMethod?: PaymentMethod | null | undefined;
  readonly backupPaymentMethod?: PaymentMethod | null | undefined;
  readonly doNotCharge?: boolean | null | undefined;
  readonly collectionMethod?: CollectionMethod | null | undefined;
  readonly daysUntilDue?: number | null | undefined;
  /** Whether it is not current before its first payment, although there is a payment method. */
  readonly awaitsPayment?: boolean;
  /**
   * Set to keep the billing cycle of the free plan that it replaces: the instant from which on the running period is
   * charged. A trial starts a cycle of its own.
   */
  readonly keepsCycleFrom?: Date | null;
  /** The anchor of its periods, where that is not its start. */
  readonly anchor?: ChosenAnchor | undefined;
  /** The number of charged periods after which it ends. */
  readonly periodCount?: number | null | undefined;
  /** The amount that the customer commits to spend. */
  readonly commitment?: Commitment | null;
  /** The unbilled usage at which it is billed within its period, in minor units. */
  readonly billAt?: number | null | undefined;
  readonly draftWindowHours?: number | null | undefined;
  /** The caller's own id of it. */
  readonly externalId?: string | null | undefined;
  /** The discount that is redeemed for it, and the field of the input that names it. */
  readonly discount?: Discount | null | undefined;
  readonly discountField?: 'discountCode' | 'discountId';
}

/** Whether nothing is ever charged for the items. */
export const isFree = ({ price, items = [] }: Pick<Terms, 'price' | 'items'>): boolean =>
  price.unitPrice === 0 &&
  items.every(({ price, unitPrice }) => price.unitPrice === 0 && unitPrice === 0);

const dayMilliseconds = 86_400_000;

interface Beginning extends CollectionTerms {
  readonly renews: boolean;
  readonly isFreePlan: boolean;
  readonly trialEnd: Date | null;
}

/**
 * The first status: `active` without charges or renewal, else `trialing`, else by whether there is a payment method or
 * none is needed. None is needed where the first period is paid elsewhere.
 */
export function firstStatus(
  { doNotCharge, defaultPaymentMethod, product, paidUntil, awaitsPayment }: Terms,
  { renews, isFreePlan, trialEnd, collectionMethod }: Beginning,
): SubscriptionStatus {
  if (doNotCharge || !renews) return 'active';
  if (trialEnd) return 'trialing';
  const isSent = collectionMethod === 'send_invoice';
  const isFirstFree = isFreePlan || product.default || paidUntil;
  const isPaying = defaultPaymentMethod && !awaitsPayment;
  const begins = isPaying || isSent || isFirstFree;
  return begins ? 'active' : 'incomplete';
}

/** The end of the trial; null without one. Errors: BAD_REQUEST for an end after the year 9999. */
export function trialOf({ price, trialEnd }: Terms, startDate: Date): Date | null {
  const days = price.trialPeriodDays ?? 0;
  if (trialEnd) return trialEnd;
  if (days === 0) return null;
  const end = startDate.getTime() + days * dayMilliseconds;
  if (end <= latestInstant) return new Date(end);
  throw invalid('OUT_OF_RANGE', 'startDate', 'must end the trial before the year 10000');
}
