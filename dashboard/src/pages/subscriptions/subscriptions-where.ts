import { amountWhereOf } from '../../parts/lists/amount-where.ts';
import { timeWhereOf } from '../../parts/lists/day-range.ts';
import { conditionOf, type FilterChoice } from '../../parts/lists/filter-bar.tsx';
import type { Filters } from '../../parts/lists/use-filters.ts';
import type { SubscriptionsQueryVariables } from './subscriptions.generated.ts';

const free: FilterChoice = { name: 'free', label: 'Free plan', values: ['yes', 'no'], usual: 'no' };

/** The conditions that a list of subscriptions can have. */
export const subscriptionChoices: readonly FilterChoice[] = [
  {
    name: 'status',
    label: 'Status',
    values: [
      'active',
      'trialing',
      'past_due',
      'unpaid',
      'incomplete',
      'cancellation_scheduled',
      'paused',
      'canceled',
      'incomplete_expired',
    ],
  },
  { name: 'customer', label: 'Customer', kind: 'customer' },
  { name: 'plan', label: 'Plan name' },
  { name: 'interval', label: 'Interval', values: ['day', 'week', 'month', 'year'] },
  { name: 'min', label: 'MRR from', kind: 'amount' },
  { name: 'max', label: 'MRR to', kind: 'amount' },
  { name: 'currency', label: 'Currency' },
  { name: 'from', label: 'Period ends from day', kind: 'day' },
  { name: 'to', label: 'Period ends before day', kind: 'day' },
  { name: 'trialFrom', label: 'Trial ends from day', kind: 'day' },
  { name: 'trialTo', label: 'Trial ends before day', kind: 'day' },
  free,
];

/** The conditions of an address as those of the graph. Free plans are left out unless that condition is removed. */
export function subscriptionsWhere(
  filters: Filters,
  ownCurrency: string | undefined,
): NonNullable<SubscriptionsQueryVariables['where']> {
  const status = filters.get('status');
  const customer = filters.get('customer');
  const plan = filters.get('plan');
  const interval = filters.get('interval');
  const currency = filters.get('currency');
  const mrr = amountWhereOf(filters, ownCurrency);
  const periodEnd = timeWhereOf(filters);
  const trialEnd = timeWhereOf(filters, 'trialFrom', 'trialTo');
  const isFree = conditionOf(filters, free);
  return {
    ...(isFree && { isFreePlan: isFree === 'yes' }),
    ...(trialEnd && { trialEnd }),
    ...(status && { status: { is: status as 'active' } }),
    ...(customer && { customer: { is: customer } }),
    ...(plan && { name: { contains: plan } }),
    ...(interval && { interval: { is: interval as 'month' } }),
    ...(currency && { currency: { is: currency.toUpperCase() } }),
    ...(mrr && { mrr }),
    ...(periodEnd && { currentBillingPeriodEnd: periodEnd }),
  };
}
