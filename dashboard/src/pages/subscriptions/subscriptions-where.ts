import type { FilterChoice } from '../../parts/lists/conditions.ts';
import {
  amountRange,
  byCurrency,
  byCustomer,
  contains,
  dayRange,
  isYes,
  whereOf,
} from '../../parts/lists/conditions.ts';
import type { Filters } from '../../parts/lists/use-filters.ts';
import type { SubscriptionsQueryVariables } from './subscriptions.generated.ts';

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
  byCustomer,
  { name: 'plan', label: 'Plan name', of: 'name', condition: contains },
  { name: 'interval', label: 'Interval', values: ['day', 'week', 'month', 'year'] },
  ...amountRange('mrr', 'MRR'),
  byCurrency,
  ...dayRange('currentBillingPeriodEnd', 'Period ends'),
  ...dayRange('trialEnd', 'Trial ends', ['trialFrom', 'trialTo']),
  {
    name: 'free',
    label: 'Free plan',
    values: ['yes', 'no'],
    usual: 'no',
    of: 'isFreePlan',
    condition: isYes,
  },
];

/** The conditions of an address as those of the graph. Free plans are left out unless that condition is removed. */
export const subscriptionsWhere = (filters: Filters, ownCurrency: string | undefined) =>
  whereOf<SubscriptionsQueryVariables['where']>(filters, subscriptionChoices, ownCurrency);
