import { Invoice } from '#domain/model/invoicing/invoice.ts';
import {
  BillingRun,
  billingRunPurposes,
  billingRunStatuses,
} from '#domain/model/money/billing-run.ts';
import { BillingPeriod } from '#domain/model/subscriptions/billing-period.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { builder } from '../engine/builder.ts';
import { described } from '../engine/described.ts';
import { flag, id, int, nullable, of, time } from '../engine/fields.ts';
import { record } from '../engine/types.ts';

export const BillingRunStatus = builder.enumType('BillingRunStatus', {
  description:
    'The status of a billing run; `succeeded`, `failed`, `abandoned` and `aborted` are final.',
  values: described(billingRunStatuses, {
    scheduled: 'The run starts at its scheduled time.',
    started: 'The run is in progress.',
    awaiting_payment_confirmation: 'The run waits for the outcome of a payment.',
    succeeded: 'The period is paid.',
    failed: 'The payment failed.',
    abandoned: 'The service does not set this status.',
    aborted: 'The run stopped, because its amount is no longer to be collected by it.',
  }),
});

export const BillingRunPurpose = builder.enumType('BillingRunPurpose', {
  description: 'The purpose of the invoice that a billing run collects.',
  values: described(billingRunPurposes, {
    period: 'The run bills a billing period.',
    adjustment: 'The run collects an adjustment of the subscription.',
    threshold: 'The run collects usage of a billing period that was running.',
    last_usage: 'The run collects usage of a subscription that has ended.',
  }),
});

record(BillingRun, {
  description: 'One attempt to bill a period, from computing its amount to collecting the payment.',
  fields: (t) => ({
    subscriptionId: id('The subscription.'),
    billingPeriodId: id('The billing period.'),
    invoiceId: nullable.id('The invoice of the period; null until it exists.'),
    isAdjustment: flag('Whether the run bills an adjustment within the period.'),
    purpose: of(BillingRunPurpose, 'The purpose.'),
    status: of(BillingRunStatus, 'The status.'),
    scheduledFor: time('The time when the run starts or started.'),
    attemptNumber: int('The number of the payment attempt for its period, from 1.'),
    errorDetails: nullable.text('The reason why the run did not succeed.'),
    subscription: t.field({
      type: Subscription,
      description: 'The subscription.',
      resolve: ({ subscription }) => subscription.loadOrFail(),
    }),
    billingPeriod: t.field({
      type: BillingPeriod,
      description: 'The billing period.',
      resolve: ({ billingPeriod }) => billingPeriod.loadOrFail(),
    }),
    invoice: t.field({
      type: Invoice,
      nullable: true,
      description: 'The invoice of the period; null until it exists.',
      resolve: async ({ invoice }) => (await invoice?.loadOrFail()) ?? null,
    }),
  }),
});
