import { stripePaymentOf } from '#domain/invoicing/billing/stripe-payment.ts';
import { amountDueShown, amountPaidShown } from '#domain/invoicing/crediting/amount-paid.ts';
import { Invoice } from '#domain/model/invoicing/invoice.ts';
import { actionUrlOfInvoice } from '#domain/money/collection/payment-action.ts';
import { isBeingReplaced } from '#domain/subscriptions/adjusting/being-replaced.ts';
import { builder } from '../engine/builder.ts';
import { shownTo } from '../engine/shown-to.ts';

/** How an invoice is paid. */
builder.objectFields(Invoice, (t) => ({
  amountPaid: t.field({
    type: 'SafeInt',
    description: 'The amount paid and not refunded, in minor units.',
    resolve: (invoice, _args, session) => amountPaidShown(session, invoice),
  }),
  paymentActionUrl: t.string({
    nullable: true,
    description:
      'The page where the customer confirms the pending payment; null when none waits for it, and for a caller without the scope `payments_write`.',
    resolve: async ({ id }, _args, session) =>
      shownTo(session, 'payments_write', await actionUrlOfInvoice(session, id)),
  }),
  amountDue: t.field({
    type: 'SafeInt',
    description:
      'The amount that is still to be paid, in minor units; 0 for an invoice that is paid, void or uncollectible.',
    resolve: (invoice, _args, session) => amountDueShown(session, invoice),
  }),
  isBeingReplaced: t.boolean({
    description:
      'Whether an adjustment that replaces the invoice is being paid. The invoice itself cannot be paid meanwhile.',
    resolve: (invoice, _args, session) => isBeingReplaced(session, invoice),
  }),
  stripePaymentIntentId: t.string({
    nullable: true,
    description: 'The payment intent of the latest charge by Stripe; null without one.',
    resolve: ({ id }, _args, session) => stripePaymentOf(session, id),
  }),
}));
