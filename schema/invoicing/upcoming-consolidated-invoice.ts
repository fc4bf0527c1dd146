import {
  type LeftOut,
  leftOutReasons,
} from '#domain/invoicing/commands/consolidated-invoices/left-out.ts';
import {
  type UpcomingConsolidatedInvoice,
  upcomingConsolidatedInvoice,
} from '#domain/invoicing/commands/consolidated-invoices/upcoming-consolidated-invoice.ts';
import type { Invoice } from '#domain/model/invoicing/invoice.ts';
import { Customer } from '#domain/model/platform/customer.ts';
import { Subscription } from '#domain/model/subscriptions/subscription.ts';
import { atMostBelow, upToMost } from '../engine/below.ts';
import { builder } from '../engine/builder.ts';
import { fieldMarks } from '../engine/extensions.ts';
import { nullable, of, time } from '../engine/fields.ts';
import { withId } from '../engine/reference.ts';
import { object } from '../engine/types.ts';
import { CollectionMethod } from '../shared/collection-method.ts';
import { UpcomingInvoiceRef } from './upcoming-invoice.ts';

const LeftOutReason = builder.enumType('LeftOutReason', {
  description: 'Why a subscription has no invoice in the next consolidated invoice.',
  values: Object.fromEntries(
    Object.entries(leftOutReasons).map(([name, description]) => [name, { description }]),
  ) as Readonly<Record<keyof typeof leftOutReasons, { readonly description: string }>>,
});

const LeftOutSubscription = object<LeftOut>('LeftOutSubscription')({
  description: 'A subscription that has no invoice in the next consolidated invoice.',
  fields: (t) => ({
    ...withId('subscription', Subscription, 'The subscription.'),
    reason: of(LeftOutReason, 'Why.'),
    explanation: t.string({
      description: 'The reason in plain words.',
      resolve: ({ reason }) => leftOutReasons[reason],
    }),
    nextAt: nullable.time(
      'The next instant at which its period ends or it is billed, if one is known.',
    ),
  }),
});

/** A field with the sum of an amount over the members. */
const sum = (of: (invoice: Invoice) => number, description: string) =>
  ({
    type: 'SafeInt',
    description: `${description}, in minor units; 0 without a document.`,
    resolve: ({ invoices }: UpcomingConsolidatedInvoice) =>
      invoices.reduce((all, { invoice }) => all + of(invoice), 0),
  }) as const;

const UpcomingConsolidatedInvoiceRef = object<UpcomingConsolidatedInvoice>(
  'UpcomingConsolidatedInvoice',
)({
  description:
    'The next consolidated invoice of a customer, if nothing changes until then. It has no id and no number yet.',
  fields: (t) => ({
    ...withId('customer', Customer, 'The customer that pays.'),
    asOf: time('The time of the computation, by the customer’s clock.'),
    invoiceDate: t.field({
      type: 'Timestamp',
      nullable: true,
      description: 'The time when it will be created; null where none follows.',
      resolve: ({ document }) => document?.invoiceDate ?? null,
    }),
    scheduledFor: t.field({
      type: 'Timestamp',
      nullable: true,
      description: 'The instant for which its billing runs are scheduled.',
      resolve: ({ document }) => document?.scheduledFor ?? null,
    }),
    dueDate: t.field({
      type: 'Timestamp',
      nullable: true,
      description: 'The due date.',
      resolve: ({ document }) => document?.dueDate ?? null,
    }),
    currency: t.string({
      nullable: true,
      description: 'The currency, an ISO 4217 code in upper case.',
      resolve: ({ document }) => document?.currency ?? null,
    }),
    collectionMethod: t.field({
      type: CollectionMethod,
      nullable: true,
      description: 'How it will be collected.',
      resolve: ({ document }) => document?.collectionMethod ?? null,
    }),
    subtotal: t.field(sum(({ subtotal }) => subtotal, 'The sum of the lines')),
    taxAmount: t.field(sum(({ taxAmount }) => taxAmount, 'The tax')),
    total: t.field(sum(({ total }) => total, 'The total')),
    creditApplied: t.field(
      sum(
        ({ creditApplied }) => creditApplied,
        'The part of the total that prepaid credits and the credit balance pay',
      ),
    ),
    amountDue: t.field(
      sum(
        ({ total, creditApplied }) => total - creditApplied,
        'The part of the total that will be charged or sent',
      ),
    ),
    invoices: t.field({
      type: [UpcomingInvoiceRef],
      description: `Its invoices, one for each subscription, in the order of their numbers; ${atMostBelow}. Empty where no document follows.`,
      resolve: ({ invoices }) => upToMost(invoices),
    }),
    leftOut: t.field({
      type: [LeftOutSubscription],
      description: `The other subscriptions that have not ended, the oldest first; ${atMostBelow}.`,
      resolve: ({ leftOut }) => upToMost(leftOut),
    }),
  }),
});

builder.queryField('upcomingConsolidatedInvoice', (t) =>
  t.field({
    type: UpcomingConsolidatedInvoiceRef,
    extensions: fieldMarks({ takesLong: true }),
    description:
      'The next consolidated invoice of a customer, if nothing changes until then and each charge succeeds. The code that bills computes it and stores nothing. Errors: NOT_FOUND; BAD_REQUEST for a customer with too many subscriptions.',
    args: { customer: t.arg.id({ required: true, description: 'The id of the customer.' }) },
    resolve: (_root, { customer }, session) => upcomingConsolidatedInvoice(session, customer),
  }),
);
