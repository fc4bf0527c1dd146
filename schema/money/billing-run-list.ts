import { BillingRun } from '#domain/model/money/billing-run.ts';
import { readable } from '../engine/readable.ts';
import { byEnum, byId, byTime } from '../engine/where.ts';
import { BillingRunPurpose, BillingRunStatus } from './billing-runs.ts';

readable({
  one: 'billingRun',
  many: 'billingRuns',
  noun: 'billing run',
  entity: BillingRun,
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
