import {
  type CollectionMethod,
  usualDaysUntilDue,
} from '#domain/model/platform/collection-methods.ts';
import type { Customer } from '#domain/model/platform/customer.ts';
import type { Subscription } from '#domain/model/subscriptions/subscription.ts';

const dayMilliseconds = 86_400_000;

/** How an invoice is collected, and the days until it is due if it is sent. */
export interface CollectionTerms {
  readonly collectionMethod: CollectionMethod;
  readonly daysUntilDue: number | null;
}

type Terms = Pick<Customer, 'collectionMethod' | 'daysUntilDue'>;

/** The terms of a new subscription: those that are given, else those of its customer. */
export function termsOf(
  given: {
    readonly collectionMethod?: CollectionMethod | null | undefined;
    readonly daysUntilDue?: number | null | undefined;
  },
  customer: Terms,
): CollectionTerms {
  const collectionMethod = given.collectionMethod ?? customer.collectionMethod;
  if (collectionMethod !== 'send_invoice') return { collectionMethod, daysUntilDue: null };
  const days = given.daysUntilDue ?? customer.daysUntilDue ?? usualDaysUntilDue;
  return { collectionMethod, daysUntilDue: days };
}

/** The terms of a new invoice: those of its subscription, else of its customer. */
export const invoiceTerms = (customer: Terms, subscription: Subscription | undefined) =>
  termsOf(subscription ?? {}, customer);

/** The due date of an invoice that is sent at an instant. */
export const dueDateAfter = (now: Date, { daysUntilDue }: CollectionTerms): Date =>
  new Date(now.getTime() + (daysUntilDue ?? 0) * dayMilliseconds);
