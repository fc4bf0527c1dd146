import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { BillingRun } from '#domain/model/money/billing-run.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { listBelow } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';

// The pages of the records of a billing period.
builder.objectFields(BillingPeriod, (t) => ({
  invoices: listBelow(t, Invoice, {
    by: 'billingPeriod',
    description: 'The invoices of the billing period, of every purpose.',
  }),
  billingRuns: listBelow(t, BillingRun, {
    by: 'billingPeriod',
    description: 'The billing runs of the billing period, with their retries.',
  }),
}));
