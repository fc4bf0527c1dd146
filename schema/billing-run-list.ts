import { BillingRun } from '#domain/billing-runs/billing-run.ts';
import { BillingRunPurpose, BillingRunStatus } from './billing-runs.ts';
import { builder } from './engine/builder.ts';
import { readable } from './engine/readable.ts';
import { byEnum, byId, byTime } from './engine/where.ts';

const BillingRunFilter = builder.inputType('BillingRunFilter', {
  description: 'A filter for billing runs; all given fields must match.',
  fields: (t) => ({
    subscription: t.id({ description: 'The id of the subscription.' }),
    billingPeriod: t.id({ description: 'The id of the billing period.' }),
    status: t.field({ type: BillingRunStatus, description: 'The status.' }),
  }),
});

readable({
  one: 'billingRun',
  many: 'billingRuns',
  noun: 'billing run',
  entity: BillingRun,
  filter: BillingRunFilter,
  where: {
    subscription: byId('subscription', 'The subscription.'),
    customer: byId('customerId', 'The customer of the subscription.'),
    billingPeriod: byId('billingPeriod', 'The billing period.'),
    invoice: byId('invoice', 'The invoice.'),
    status: byEnum(BillingRunStatus, 'status', 'The status.'),
    scheduledFor: byTime('scheduledFor', 'The time when the run is due.'),
    purpose: byEnum(BillingRunPurpose, 'purpose', 'The purpose.'),
  },
  orders: {
    scheduled_for: { property: 'scheduledFor', kind: 'time', words: 'due time' },
  },
});
