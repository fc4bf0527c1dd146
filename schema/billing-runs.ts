import { BillingPeriod } from '#domain/billing-periods/billing-period.ts';
import { BillingRun, billingRunStatuses } from '#domain/billing-runs/billing-run.ts';
import { Invoice } from '#domain/invoices/invoice.ts';
import { Subscription } from '#domain/subscriptions/subscription.ts';
import { builder } from './engine/builder.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/readable.ts';

const BillingRunStatus = builder.enumType('BillingRunStatus', {
  description:
    'Where a billing run stands; succeeded, failed, abandoned and aborted are its last word.',
  values: billingRunStatuses,
});

builder.node(BillingRun, {
  name: 'BillingRun',
  description: 'One try to be paid for a billing period, from what it amounts to up to the money.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: { resolve: ({ id }) => id, description: '`billing_run_…`' },
  loadOne: (id, { em }) => em.findOne(BillingRun, id),
  fields: (t) => ({
    subscriptionId: t.exposeID('subscriptionId', { description: 'What is charged for.' }),
    billingPeriodId: t.exposeID('billingPeriodId', { description: 'The period it is for.' }),
    invoiceId: t.exposeID('invoiceId', {
      nullable: true,
      description: 'The invoice of the period; null until it is written.',
    }),
    isAdjustment: t.exposeBoolean('isAdjustment', {
      description: 'Whether it is for a change of the subscription within the period.',
    }),
    status: t.expose('status', { type: BillingRunStatus, description: 'Where it stands.' }),
    scheduledFor: t.expose('scheduledFor', {
      type: 'Timestamp',
      description: 'When it is or was to begin.',
    }),
    attemptNumber: t.exposeInt('attemptNumber', {
      description: 'Which try it is to be paid for its period, from 1.',
    }),
    errorDetails: t.exposeString('errorDetails', {
      nullable: true,
      description: 'Why it did not succeed.',
    }),
    subscription: t.field({
      type: Subscription,
      description: 'What is charged for.',
      resolve: ({ subscription }) => subscription.loadOrFail(),
    }),
    billingPeriod: t.field({
      type: BillingPeriod,
      description: 'The period it is for.',
      resolve: ({ billingPeriod }) => billingPeriod.loadOrFail(),
    }),
    invoice: t.field({
      type: Invoice,
      nullable: true,
      description: 'The invoice of the period; null until it is written.',
      resolve: async ({ invoice }) => (await invoice?.loadOrFail()) ?? null,
    }),
  }),
});

const BillingRunFilter = builder.inputType('BillingRunFilter', {
  description: 'Which billing runs to list.',
  fields: (t) => ({
    subscription: t.id({ description: 'Of the subscription with this id.' }),
    billingPeriod: t.id({ description: 'Of the billing period with this id.' }),
    status: t.field({ type: BillingRunStatus, description: 'Standing there.' }),
  }),
});

readable({
  one: 'billingRun',
  many: 'billingRuns',
  noun: 'billing run',
  entity: BillingRun,
  filter: BillingRunFilter,
});
