import { pageIndex, sortIndex } from '#domain/kernel/lists/list-indexes.ts';
import type { subscriptionColumns } from './subscription-columns.ts';
import { payingStatuses, standingStatuses } from './subscription-statuses.ts';

type Column = 'pricingModelId' | 'createdAt' | 'position' | 'id' | keyof typeof subscriptionColumns;

interface Index {
  readonly name: string;
  properties?: Column[];
  readonly expression?: string;
  readonly where?: object;
}

/** A customer has one current subscription and one trial, and external ids are unique in a pricing model. */
export const subscriptionUniques: Index[] = [
  {
    name: 'subscription_current_unique',
    properties: ['customer'],
    where: { sole: true, status: { $in: [...standingStatuses] } },
  },
  {
    name: 'subscription_external_id_unique',
    properties: ['pricingModelId', 'externalId'],
    where: { externalId: { $ne: null } },
  },
  {
    name: 'subscription_trial_unique',
    properties: ['customer'],
    where: { trialEnd: { $ne: null }, isFreePlan: false, doNotCharge: false },
  },
];

/** The indexes of the orders of lists, and of what is due. */
export const subscriptionIndexes: Index[] = [
  pageIndex('subscription'),
  {
    name: 'subscription_status',
    properties: ['pricingModelId', 'status', 'createdAt', 'position', 'id'],
  },
  sortIndex(
    'subscription',
    'subscription_period_end',
    `coalesce(current_billing_period_end, 'infinity'::timestamptz)`,
  ),
  { name: 'subscription_mrr', properties: ['pricingModelId', 'mrr', 'position', 'id'] },
  {
    name: 'subscription_mrr_planned',
    properties: ['pricingModelId', 'mrrChangesAt'],
    where: { mrrChangesAt: { $ne: null } },
  },
  {
    name: 'subscription_metadata',
    expression:
      'create index "subscription_metadata" on "subscription" using gin (metadata jsonb_path_ops)',
  },
  {
    name: 'subscription_paying',
    properties: ['pricingModelId'],
    where: { isFreePlan: false, doNotCharge: false, status: { $in: [...payingStatuses] } },
  },
  { name: 'subscription_customer', properties: ['customer', 'createdAt'] },
  { name: 'subscription_model_customer', properties: ['pricingModelId', 'customer'] },
  {
    name: 'subscription_trial_end',
    properties: ['testClockId', 'trialEnd'],
    where: { status: 'trialing' },
  },
  {
    name: 'subscription_renewal',
    properties: ['testClockId', 'currentBillingPeriodEnd'],
    where: {
      renews: true,
      interval: { $in: ['year', 'month'] },
      status: { $in: ['active', 'past_due'] },
    },
  },
  {
    name: 'subscription_due',
    properties: ['testClockId', 'transitionDueAt', 'id'],
    where: { transitionDueAt: { $ne: null } },
  },
];
