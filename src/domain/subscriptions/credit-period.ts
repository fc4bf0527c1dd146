import type { BillingPeriod, PeriodCredit } from '../billing-periods/billing-period.ts';
import { addCredit } from '../customers/credit-balance.ts';
import type { Customer } from '../customers/customer.ts';

/** Gives a held customer to its balance what was paid too much for a period, which counts as paid no longer. */
export function creditPeriod(
  customer: Customer,
  period: BillingPeriod,
  { amount, withTax }: PeriodCredit,
) {
  period.carriedAmount -= amount;
  period.carriedWithTax -= withTax;
  addCredit(customer, withTax);
}

/** Gives what was waiting for the period's invoice to be paid, once. */
export function creditAwaited(customer: Customer, period: BillingPeriod) {
  if (!period.proration?.awaitedCredit) return;
  const { awaitedCredit, ...stands } = period.proration;
  period.proration = stands;
  creditPeriod(customer, period, awaitedCredit);
}
