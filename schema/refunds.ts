import { CreditNote } from '#domain/credit-notes/credit-note.ts';
import { Customer } from '#domain/customers/customer.ts';
import { Payment } from '#domain/payments/payment.ts';
import { Refund, refundStatuses } from '#domain/payments/refund.ts';
import { builder } from './engine/builder.ts';
import { described } from './engine/described.ts';
import { loadOne } from './engine/load.ts';
import { OrganizationRecord, PricingModelRecord, readable } from './engine/readable.ts';
import { optionalReference, reference } from './engine/reference.ts';
import { byAmount, byEnum, byId } from './engine/where.ts';

const RefundStatus = builder.enumType('RefundStatus', {
  description: 'The status of a refund.',
  values: described(refundStatuses, {
    pending: 'The refund is in progress.',
    succeeded: 'The amount is refunded.',
    failed: 'The refund failed.',
  }),
});

builder.node(Refund, {
  name: 'Refund',
  description: 'A full or partial refund of a payment.',
  interfaces: [OrganizationRecord, PricingModelRecord],
  id: { resolve: ({ id }) => id, description: 'The id, `refund_…`.' },
  loadOne: loadOne(Refund),
  fields: (t) => ({
    paymentId: t.exposeID('paymentId', { description: 'The payment that is refunded.' }),
    payment: t.field(reference(Payment, 'paymentId', 'The payment that is refunded.')),
    customerId: t.exposeID('customerId', { description: 'The customer that receives the refund.' }),
    customer: t.field(reference(Customer, 'customerId', 'The customer that receives the refund.')),
    amount: t.expose('amount', {
      type: 'SafeInt',
      description: 'The amount, in minor units of the currency.',
    }),
    creditNoteId: t.exposeID('creditNoteId', {
      nullable: true,
      description: 'The credit note that documents the refund.',
    }),
    creditNote: t.field(
      optionalReference(
        CreditNote,
        'creditNoteId',
        'The credit note that documents the refund; null if the credit balance pays for all of it.',
      ),
    ),
    fromBalance: t.expose('fromBalance', {
      type: 'SafeInt',
      description:
        'The part that an earlier credit note had credited, and that the credit balance pays for; minor units.',
    }),
    status: t.expose('status', { type: RefundStatus, description: 'The status.' }),
    failureMessage: t.exposeString('failureMessage', {
      nullable: true,
      description: 'The reason why the refund failed.',
    }),
  }),
});

const RefundFilter = builder.inputType('RefundFilter', {
  description: 'A filter for refunds; all given fields must match.',
  fields: (t) => ({
    payment: t.id({ description: 'The id of the payment.' }),
    customerId: t.id({ description: 'The id of the customer that receives the refund.' }),
    status: t.field({ type: RefundStatus, description: 'The status.' }),
  }),
});

readable({
  one: 'refund',
  many: 'refunds',
  noun: 'refund',
  entity: Refund,
  filter: RefundFilter,
  where: {
    payment: byId('payment', 'The payment.'),
    customer: byId('customerId', 'The customer that receives the refund.'),
    status: byEnum(RefundStatus, 'status', 'The status.'),
    amount: byAmount('amount', 'The amount, in minor units.'),
  },
  orders: {
    amount: { property: 'amount', kind: 'integer', words: 'amount' },
  },
});
