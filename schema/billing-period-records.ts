import { BillingPeriod } from '#domain/billing-periods/billing-period.ts';
import { BillingRun } from '#domain/billing-runs/billing-run.ts';
import { Invoice } from '#domain/invoices/invoice.ts';
import { listBelow } from './engine/below.ts';
import { builder } from './engine/builder.ts';

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
