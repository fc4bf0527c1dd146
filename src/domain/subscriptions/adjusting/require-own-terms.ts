import { DomainError } from '#domain/kernel/errors.ts';
import type { Session } from '#domain/kernel/session.ts';
import type { Adjustment } from './adjust-input.ts';

/** The fields of an item that a customer may set; the seller alone sets its price, dates and description. */
const ofCustomers = new Set(['id', 'subscriptionId', 'priceId', 'priceSlug', 'quantity']);

/**
 * Refuses terms that only the seller sets, when a customer token asks for the adjustment: amounts, dates and an
 * adjustment without proration. Errors: FORBIDDEN, naming the field.
 */
export function requireOwnTerms({ customerId }: Session, adjustment: Adjustment) {
  if (customerId === undefined) return;
  if (adjustment.prorateCurrentBillingPeriod === false) {
    throw refusal(['adjustment', 'prorateCurrentBillingPeriod']);
  }
  for (const [index, item] of adjustment.newSubscriptionItems.entries()) {
    for (const [field, value] of Object.entries(item)) {
      if (value == null || ofCustomers.has(field)) continue;
      throw refusal(['adjustment', 'newSubscriptionItems', index, field]);
    }
  }
}

const refusal = (path: (string | number)[]) =>
  new DomainError('FORBIDDEN', `A customer token may not set ${path.at(-1)}: use a secret key`, {
    issues: [{ code: 'FORBIDDEN', path, message: 'is set by the seller: leave it out' }],
  });
